import { ReportGrouping, ReportInterval, ReportName } from "@parley/sdk/enums";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { workspacesQuery } from "../../../api/queries.js";
import { useMember } from "../../../session/session.js";
import type { Shown } from "../../../shown.js";
import { localTime, startOfDay } from "../../../ui/dates.js";
import { Field, Select } from "../../../ui/field.js";
import { Page } from "../../../ui/page.js";
import { Empty, Failed, Skeleton } from "../../../ui/states.js";
import { Part } from "../part.js";
import { Tabs } from "../tabs.js";
import { amount, intervalName, measuresOf, valueOf } from "./amounts.js";
import { AssistantAtAGlance, HandOverReasons } from "./assistant-report.js";
import { BusiestHours } from "./busiest-hours.js";
import { Gaps } from "./gaps.js";
import { useGroupName } from "./group-name.js";
import { ReportChart } from "./report-chart.js";
import { type Asked, type Behind, type Report, reportQuery } from "./report-queries.js";
import { ReportRows } from "./report-rows.js";
import { type Line, ReportTable } from "./report-table.js";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** A day of the browser's calendar. */
const day = (back: number): string => localTime(startOfDay(-back)).slice(0, 10);

/** What a report can be grouped by. */
const groupingsOf = (report: Asked["report"]): readonly ReportGrouping[] =>
  report === "busiest-hours" ? [] : ReportGrouping.filter((one) => one !== "reason" || report === "hand-over");

/** What the address asks for, so that a link shows the same to others. */
function askedBy({ type, from, to, interval, group, workspace }: Shown): Asked {
  const report = ReportName.find((one) => one === type) ?? "volume";
  const groupBy = groupingsOf(report).find((one) => one === group);
  return {
    report,
    from: from !== undefined && DAY.test(from) ? from : day(29),
    to: to !== undefined && DAY.test(to) ? to : day(0),
    interval: ReportInterval.find((one) => one === interval) ?? "day",
    ...(groupBy && { groupBy }),
    ...(workspace !== undefined && { workspaceId: workspace }),
  };
}

/** How much there is to do, and how fast the team is: one report at a time, with the rows behind each figure. */
export function Reports(): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const search: Shown = useSearch({ strict: false });
  if (me.role === "billing")
    return (
      <Page title={t("reports.title")}>
        <Empty text={t("entries.forbidden")} />
      </Page>
    );
  const asked = askedBy(search);
  return (
    <Page title={t("reports.title")} explain={t("reports.explain")}>
      <Tabs now="reports" />
      <Filters asked={asked} search={search} />
      <Shows key={JSON.stringify(asked)} asked={asked} />
    </Page>
  );
}

function Filters({ asked, search }: { asked: Asked; search: Shown }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: workspaces } = useQuery(workspacesQuery());
  const filter = (change: Shown): void =>
    void navigate({ to: "/reports", search: { ...search, ...change }, replace: true });
  const optional = (value: string): string | undefined => value || undefined;
  const groupings = groupingsOf(asked.report);
  const hasWorkspaces = workspaces !== undefined && workspaces.length > 1;
  return (
    // Two columns on a phone, where the period keeps a line of its own; else three, or four where there are four filters.
    <div className="@container mb-6">
      <div
        className={`grid grid-cols-2 gap-x-3 gap-y-4 @max-md:*:last:even:col-span-2 @md:gap-x-4 ${
          groupings.length > 0 || hasWorkspaces ? "@md:grid-cols-3" : "@md:grid-cols-4"
        }`}
      >
        <Select
          label={t("reports.report")}
          className="@max-md:col-span-2"
          value={asked.report}
          onChange={({ target }) => filter({ type: target.value })}
        >
          {ReportName.map((one) => (
            <option key={one} value={one}>
              {t(`reports.name.${one}`)}
            </option>
          ))}
        </Select>
        <Field
          label={t("reports.from")}
          type="date"
          value={asked.from}
          max={asked.to}
          onChange={({ target }) => filter({ from: optional(target.value) })}
        />
        <Field
          label={t("reports.to")}
          type="date"
          value={asked.to}
          min={asked.from}
          onChange={({ target }) => filter({ to: optional(target.value) })}
        />
        <Select
          label={t("reports.interval")}
          value={asked.interval}
          onChange={({ target }) => filter({ interval: target.value })}
        >
          {ReportInterval.map((one) => (
            <option key={one} value={one}>
              {t(`reports.each.${one}`)}
            </option>
          ))}
        </Select>
        {groupings.length > 0 && (
          <Select
            label={t("reports.groupBy")}
            value={asked.groupBy ?? ""}
            onChange={({ target }) => filter({ group: optional(target.value) })}
          >
            <option value="">{t("reports.ungrouped")}</option>
            {groupings.map((one) => (
              <option key={one} value={one}>
                {t(`reports.group.${one}`)}
              </option>
            ))}
          </Select>
        )}
        {hasWorkspaces && (
          <Select
            label={t("entries.workspace")}
            value={asked.workspaceId ?? ""}
            onChange={({ target }) => filter({ workspace: optional(target.value) })}
          >
            <option value="">{t("quality.allWorkspaces")}</option>
            {workspaces.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </div>
    </div>
  );
}

function Shows({ asked }: { asked: Asked }): ReactNode {
  const { data, error, refetch } = useQuery(reportQuery(asked));
  const [behind, setBehind] = useState<Behind>();
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={5} />;
  const rows = behind && <ReportRows key={JSON.stringify(behind)} asked={behind.asked ?? asked} behind={behind} />;
  return (
    <div className="flex flex-col gap-8">
      {asked.report === "assistant" && <AssistantAtAGlance asked={asked} />}
      {asked.report === "assistant" && <HandOverReasons asked={asked} onOpen={setBehind} />}
      {behind?.asked && rows}
      {asked.report === "assistant" && <Gaps workspaceId={asked.workspaceId} />}
      <Figures report={data} onOpen={setBehind} />
      {data.groups.length > 0 && <Groups report={data} groupBy={asked.groupBy} onOpen={setBehind} />}
      {behind && !behind.asked && rows}
    </div>
  );
}

function Figures({ report, onOpen }: { report: Report; onOpen: (behind: Behind) => void }): ReactNode {
  const { t } = useTranslation();
  const measures = measuresOf(report.report);
  const { start: from, end: to } = report;
  const title = t(`reports.name.${report.report}`);
  return (
    <Part id="figures" title={title}>
      <p className="max-w-2xl text-pretty text-muted">{t(`reports.about.${report.report}`)}</p>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        {measures.map((one) => (
          <div key={one}>
            <dt className="text-sm text-muted">{t(`reports.measure.${one}`)}</dt>
            <dd className="text-xl font-semibold tabular-nums">{amount(one, valueOf(report.total, one))}</dd>
            {valueOf(report.previous, one) !== null && (
              <dd className="text-sm text-muted tabular-nums">
                {t("reports.beforeIt", { amount: amount(one, valueOf(report.previous, one)) })}
              </dd>
            )}
          </div>
        ))}
      </dl>
      <ReportChart report={report} measure={measures[0]!} />
      <button
        type="button"
        className="self-start text-accent hover:underline"
        onClick={() => onOpen({ from, to, title })}
      >
        {t("reports.open")}
      </button>
      <details className="text-sm">
        <summary className="cursor-pointer text-muted">{t("quality.csat.table")}</summary>
        <ReportTable
          label={t(`reports.each.${report.interval}`)}
          measures={measures}
          lines={report.intervals.map((one) => ({ ...one, key: one.start, name: intervalName(one.start, report) }))}
          onOpen={(line) => {
            const interval = report.intervals.find(({ start }) => start === line.key)!;
            onOpen({ from: interval.start, to: interval.end, title: line.name });
          }}
        />
      </details>
    </Part>
  );
}

function Groups({
  report,
  groupBy,
  onOpen,
}: {
  report: Report;
  groupBy: Asked["groupBy"];
  onOpen: (behind: Behind) => void;
}): ReactNode {
  const { t } = useTranslation();
  const nameOf = useGroupName();
  const { start: from, end: to } = report;
  if (report.report === "busiest-hours")
    return <BusiestHours report={report} onOpen={(group, title) => onOpen({ from, to, group, title })} />;
  if (!groupBy) return null;
  const label = t(`reports.group.${groupBy}`);
  const lines: Line[] = report.groups.map((one) => ({ ...one, key: one.group, name: nameOf(one.group, one.name) }));
  return (
    <Part id="groups" title={label}>
      <ReportTable
        label={label}
        measures={measuresOf(report.report)}
        lines={lines}
        onOpen={({ key, name }) => onOpen({ from, to, group: key, title: name })}
      />
    </Part>
  );
}
