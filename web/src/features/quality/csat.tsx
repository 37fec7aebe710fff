import type { QualityWindow } from "@parley/sdk/enums";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/parley.js";
import { workspacesQuery } from "../../api/queries.js";
import { region } from "../../i18n/i18n.js";
import { manages } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { percent } from "../knowledge/percent.js";
import { Part } from "./part.js";
import { csatQuery } from "./queries.js";

type Group = Schemas["CsatGroup"];
const WIDTH = 600;
const HEIGHT = 120;
const MARGIN = 6;

/** What contacts answered when they were asked: as figures, as a line over time, and as a table. */
export function Csat({ workspaceId, window }: { workspaceId: string; window: QualityWindow }): ReactNode {
  const { t, i18n } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(csatQuery(workspaceId, window));
  const language = i18n.language;
  const groups = data?.groups.filter(({ answered }) => answered > 0) ?? [];
  const total = data?.total;
  return (
    <Part id="csat" title={t("quality.csat.title")}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending ? (
        <Skeleton lines={2} />
      ) : !total || total.answered === 0 ? (
        !error && (
          <p className="flex flex-wrap gap-x-3 text-muted">
            {t("quality.csat.empty", { count: total?.asked ?? 0 })}
            {!total?.asked && <ToSurvey workspaceId={workspaceId} />}
          </p>
        )
      ) : (
        <>
          <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
            <Figure label={t("quality.csat.satisfied")} value={percent(total.satisfied?.share ?? 0, language)}>
              {total.satisfied &&
                t("quality.interval", {
                  low: percent(total.satisfied.low, language),
                  high: percent(total.satisfied.high, language),
                })}
            </Figure>
            <Figure
              label={t("quality.csat.average")}
              value={new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(total.average ?? 0)}
            >
              {t("quality.csat.of", { scale: total.scale ?? 5 })}
            </Figure>
            <Figure label={t("quality.csat.answered")} value={new Intl.NumberFormat(language).format(total.answered)}>
              {t("quality.csat.asked", { count: total.asked })}
            </Figure>
            {total.responseRate !== null && (
              <Figure label={t("quality.csat.rate")} value={percent(total.responseRate, language)} />
            )}
          </dl>
          {groups.length > 1 && <Line groups={groups} />}
          <details className="text-sm">
            <summary className="cursor-pointer text-muted">{t("quality.csat.table")}</summary>
            <div className="mt-2 overflow-x-auto">
              <table className="w-full text-start tabular-nums">
                <thead>
                  <tr className="border-b border-line text-muted">
                    {(["from", "satisfied", "answered", "askedShort"] as const).map((column) => (
                      <th key={column} scope="col" className="py-1 pe-4 text-start font-medium">
                        {t(`quality.csat.${column}`)}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {groups.map(({ group, satisfied, answered, asked }) => (
                    <tr key={group} className="border-b border-line">
                      <th scope="row" className="py-1 pe-4 text-start font-normal">
                        {dayName(group)}
                      </th>
                      <td className="py-1 pe-4">{satisfied && percent(satisfied.share, language)}</td>
                      <td className="py-1 pe-4">{answered}</td>
                      <td className="py-1">{asked}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </details>
        </>
      )}
    </Part>
  );
}

/** The way to the survey's settings, for those who may change them. */
function ToSurvey({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { data: workspaces } = useQuery(workspacesQuery());
  const id = workspaceId || workspaces?.[0]?.id;
  return (
    manages(me) &&
    id !== undefined && (
      <Link
        to="/settings/workspaces/$workspaceId/$part"
        params={{ workspaceId: id, part: "survey" }}
        className="text-accent hover:underline"
      >
        {t("quality.csat.setUp")}
      </Link>
    )
  );
}

const Figure = ({ label, value, children }: { label: string; value: string; children?: ReactNode }): ReactNode => (
  <div>
    <dt className="text-sm text-muted">{label}</dt>
    <dd className="text-xl font-semibold tabular-nums">{value}</dd>
    {children && <dd className="text-sm text-muted tabular-nums">{children}</dd>}
  </div>
);

const dayName = (day: string): string =>
  new Intl.DateTimeFormat(region(), { day: "numeric", month: "short", timeZone: "UTC" }).format(new Date(day));

/** The share of satisfied contacts over time, with its interval as a band. The table beneath has the same figures. */
function Line({ groups }: { groups: Group[] }): ReactNode {
  const { t, i18n } = useTranslation();
  const times = groups.map(({ group }) => Date.parse(group));
  const first = times[0]!;
  const span = times.at(-1)! - first || 1;
  const x = (at: number): number => MARGIN + ((at - first) / span) * (WIDTH - 2 * MARGIN);
  const y = (share: number): number => MARGIN + (1 - share) * (HEIGHT - 2 * MARGIN);
  const points = groups.map(({ satisfied }, i) => ({
    x: x(times[i]!),
    share: y(satisfied?.share ?? 0),
    low: y(satisfied?.low ?? 0),
    high: y(satisfied?.high ?? 0),
  }));
  const path = (pick: "share" | "low" | "high", list = points): string =>
    list.map((point) => `${point.x.toFixed(1)},${point[pick].toFixed(1)}`).join(" ");
  return (
    <figure>
      <div className="flex gap-2">
        <svg
          role="img"
          aria-label={t("quality.csat.line")}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-32 min-w-0 flex-1 rounded-md border border-line"
        >
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              x1="0"
              x2={WIDTH}
              y1={y(share)}
              y2={y(share)}
              vectorEffect="non-scaling-stroke"
              className="stroke-line"
            />
          ))}
          <polygon points={`${path("high")} ${path("low", [...points].reverse())}`} className="fill-selected" />
          <polyline
            points={path("share")}
            fill="none"
            strokeWidth="2"
            vectorEffect="non-scaling-stroke"
            className="stroke-accent"
          />
          {points.map((point) => (
            // A line without length with round ends is a dot at every width.
            <path
              key={point.x}
              d={`M${point.x} ${point.share}h0`}
              strokeWidth="7"
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
              className="stroke-accent"
            />
          ))}
        </svg>
        <div aria-hidden="true" className="flex w-10 flex-col justify-between text-xs text-muted tabular-nums">
          {[1, 0.5, 0].map((share) => (
            <span key={share}>{percent(share, i18n.language)}</span>
          ))}
        </div>
      </div>
      <figcaption className="mt-1 me-12 flex justify-between text-xs text-muted">
        <span>{dayName(groups[0]!.group)}</span>
        <span>{dayName(groups.at(-1)!.group)}</span>
      </figcaption>
    </figure>
  );
}
