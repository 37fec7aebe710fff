import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { amount, intervalName, type Measure, valueOf } from "./amounts.js";
import type { Report } from "./report-queries.js";

const WIDTH = 600;
const HEIGHT = 140;

/** A bar for each interval, and a line for the period before. The table beneath has the same figures, for screen readers and keyboards. */
export function ReportChart({ report, measure }: { report: Report; measure: Measure }): ReactNode {
  const { t } = useTranslation();
  const { intervals } = report;
  const values = intervals.map((one) => valueOf(one, measure) ?? 0);
  const before = intervals.map((one) => valueOf(one.previous, measure) ?? 0);
  const most = measure === "share" ? 1 : Math.max(1, ...values, ...before);
  const step = WIDTH / intervals.length;
  const y = (value: number): number => HEIGHT - (value / most) * HEIGHT;
  const line = before.map((value, n) => `${((n + 0.5) * step).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  return (
    <figure>
      <div className="flex gap-2">
        <svg
          role="img"
          aria-label={t("reports.chart", { measure: t(`reports.measure.${measure}`) })}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-40 min-w-0 flex-1 rounded-md border border-line"
        >
          {[0.25, 0.5, 0.75].map((part) => (
            <path
              key={part}
              d={`M0 ${part * HEIGHT}h${WIDTH}`}
              vectorEffect="non-scaling-stroke"
              className="stroke-line"
            />
          ))}
          {values.map((value, n) => (
            <rect
              key={intervals[n]!.start}
              x={(n + 0.1) * step}
              width={step * 0.8}
              y={y(value)}
              height={HEIGHT - y(value)}
              className="fill-accent"
            >
              <title>{`${intervalName(intervals[n]!.start, report)}: ${amount(measure, valueOf(intervals[n]!, measure))}`}</title>
            </rect>
          ))}
          <polyline
            points={line}
            fill="none"
            strokeWidth="2"
            strokeDasharray="4 3"
            vectorEffect="non-scaling-stroke"
            className="stroke-muted"
          />
        </svg>
        <div aria-hidden="true" className="flex w-16 flex-col justify-between text-xs text-muted tabular-nums">
          {[most, most / 2, 0].map((value) => (
            <span key={value}>{amount(measure, measure === "count" ? Math.round(value) : value)}</span>
          ))}
        </div>
      </div>
      <figcaption className="mt-1 me-18 flex flex-wrap justify-between gap-x-4 text-xs text-muted">
        <span>{intervalName(intervals[0]!.start, report)}</span>
        <span className="max-sm:order-last max-sm:w-full">{t("reports.legend")}</span>
        <span>{intervalName(intervals.at(-1)!.start, report)}</span>
      </figcaption>
    </figure>
  );
}
