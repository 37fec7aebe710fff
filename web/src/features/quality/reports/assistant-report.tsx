import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Shown } from "../../../shown.js";
import { Failed, Skeleton } from "../../../ui/states.js";
import { Part } from "../part.js";
import { amount, valueOf } from "./amounts.js";
import { useGroupName } from "./group-name.js";
import { type Asked, type Behind, reportQuery } from "./report-queries.js";
import { ReportTable } from "./report-table.js";

const FIGURES = [
  ["automation", "share"],
  ["containment", "share"],
  ["assistant", "share"],
  ["hand-over", "count"],
] as const;

/** The figures that say most of the assistant. Each leads to its report, which has it over time and in groups. */
export function AssistantAtAGlance({ asked }: { asked: Asked }): ReactNode {
  const { t } = useTranslation();
  return (
    <Part id="glance" title={t("reports.glance")}>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        {FIGURES.map(([report, measure]) => (
          <Figure key={report} asked={{ ...asked, report }} measure={measure} />
        ))}
      </dl>
    </Part>
  );
}

function Figure({ asked, measure }: { asked: Asked; measure: "share" | "count" }): ReactNode {
  const { t } = useTranslation();
  const search: Shown = useSearch({ strict: false });
  const { data, error } = useQuery(reportQuery(asked));
  const { report } = asked;
  const name = report === "assistant" ? t("reports.withoutPeople") : t(`reports.name.${report}`);
  return (
    <div>
      <dt className="text-sm text-muted">
        {report === "assistant" ? (
          name
        ) : (
          <Link to="/reports" search={{ ...search, type: report }} className="text-accent hover:underline">
            {name}
          </Link>
        )}
      </dt>
      <dd className="text-xl font-semibold tabular-nums">
        {data ? amount(measure, valueOf(data.total, measure)) : error ? "–" : "…"}
      </dd>
      {data && valueOf(data.previous, measure) !== null && (
        <dd className="text-sm text-muted tabular-nums">
          {t("reports.beforeIt", { amount: amount(measure, valueOf(data.previous, measure)) })}
        </dd>
      )}
    </div>
  );
}

/** How often it handed over, by reason. */
export function HandOverReasons({ asked, onOpen }: { asked: Asked; onOpen: (behind: Behind) => void }): ReactNode {
  const { t } = useTranslation();
  const byReason: Asked = { ...asked, report: "hand-over", groupBy: "reason" };
  const { data, error, refetch } = useQuery(reportQuery(byReason));
  const nameOf = useGroupName();
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={3} />;
  const { start: from, end: to } = data;
  return (
    <Part id="reasons" title={t("reports.reasons")}>
      {data.groups.length ? (
        <ReportTable
          label={t("reports.group.reason")}
          measures={["count"]}
          lines={data.groups.map((one) => ({ ...one, key: one.group, name: nameOf(one.group, one.name) }))}
          onOpen={({ key, name }) => onOpen({ from, to, group: key, title: name, asked: byReason })}
        />
      ) : (
        <p className="text-muted">{t("reports.empty")}</p>
      )}
    </Part>
  );
}
