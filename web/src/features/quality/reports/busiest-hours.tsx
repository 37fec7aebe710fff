import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Scrollable } from "../../../ui/scrollable.js";
import { weekdayName } from "./amounts.js";
import type { Report } from "./report-queries.js";

const DAYS = [1, 2, 3, 4, 5, 6, 7];
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"));

/** The hours of a week, the darker the more conversations began in them. It is a table, and each figure leads to its rows. */
export function BusiestHours({
  report,
  onOpen,
}: {
  report: Report;
  onOpen: (group: string, name: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  const counts = new Map(report.groups.map(({ group, count }) => [group, count]));
  const most = Math.max(1, ...counts.values());
  return (
    <Scrollable role="group" aria-label={t("reports.name.busiest-hours")} className="overflow-x-auto">
      <table className="w-full table-fixed text-center text-xs tabular-nums">
        <thead>
          <tr className="text-muted">
            <td className="w-10" />
            {DAYS.map((day) => (
              <th key={day} scope="col" className="py-1 font-medium">
                {weekdayName(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {HOURS.map((hour) => (
            <tr key={hour}>
              <th scope="row" className="pe-2 text-end font-normal text-muted">
                {hour}
              </th>
              {DAYS.map((day) => {
                const group = `${day}-${hour}`;
                const count = counts.get(group) ?? 0;
                const name = `${weekdayName(day)} ${hour}:00`;
                return (
                  <td key={day} className="relative h-6 border border-line">
                    <span
                      aria-hidden="true"
                      className="absolute inset-0 bg-accent"
                      style={{ opacity: (count / most) * 0.35 }}
                    />
                    {count > 0 && (
                      <button
                        type="button"
                        className="relative h-full w-full hover:underline"
                        aria-label={`${name}: ${count}`}
                        onClick={() => onOpen(group, name)}
                      >
                        {count}
                      </button>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
