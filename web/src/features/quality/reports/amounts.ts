import type { Schemas } from "../../../api/parley.js";
import { region } from "../../../i18n/i18n.js";
import { percent } from "../../knowledge/percent.js";
import type { Figures } from "./report-queries.js";

type Name = Schemas["ReportName"];
export type Measure = "count" | "median" | "p90" | "mean" | "share";

/** The figures that a report has, the one that says most first. */
export function measuresOf(report: Name): readonly Measure[] {
  if (["csat", "assistant", "automation", "containment"].includes(report)) return ["share", "count"];
  if (["first-reply", "reply", "resolution"].includes(report)) return ["median", "p90", "mean", "count"];
  return ["count"];
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** A length of time in its largest unit, such as "2.5 hours". */
function lengthText(seconds: number): string {
  const [unit, size] = UNITS.find(([, least]) => seconds >= least) ?? UNITS[3];
  return new Intl.NumberFormat(region(), {
    style: "unit",
    unit,
    unitDisplay: "short",
    maximumFractionDigits: 1,
  }).format(seconds / size);
}

export function amount(measure: Measure, value: number | null): string {
  if (value === null) return "–";
  if (measure === "count") return new Intl.NumberFormat(region()).format(value);
  if (measure === "share") return percent(value, region());
  return lengthText(value);
}

export const valueOf = (figures: Figures, measure: Measure): number | null => figures[measure];

/** When an interval begins, as short as it can be told. */
export function intervalName(start: string, { interval, timeZone }: Schemas["Report"]): string {
  const options: Record<string, Intl.DateTimeFormatOptions> = {
    hour: { weekday: "short", hour: "2-digit" },
    month: { month: "short", year: "numeric" },
  };
  return new Intl.DateTimeFormat(region(), {
    timeZone,
    ...(options[interval] ?? { day: "numeric", month: "short" }),
  }).format(new Date(start));
}

/** Monday is 1. The fifth of January 2026 was one. */
export const weekdayName = (day: number): string =>
  new Intl.DateTimeFormat(region(), { weekday: "short", timeZone: "UTC" }).format(Date.UTC(2026, 0, 4 + day));
