import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Scrollable } from "../../../ui/scrollable.js";
import { amount, type Measure, valueOf } from "./amounts.js";
import type { Figures } from "./report-queries.js";

export interface Line extends Figures {
  key: string;
  name: string;
  previous: Figures;
}

/** Figures with those of the period before in a column of their own. A name leads to what is behind its figures. */
export function ReportTable({
  label,
  lines,
  measures,
  onOpen,
}: {
  label: string;
  lines: readonly Line[];
  measures: readonly Measure[];
  onOpen: (line: Line) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Scrollable role="group" aria-label={label} className="overflow-x-auto">
      <table className="w-full text-start tabular-nums">
        <thead>
          <tr className="border-b border-line text-sm text-muted">
            {[label, ...measures.flatMap((one) => [t(`reports.measure.${one}`), t("reports.before")])].map(
              (title, n) => (
                <th key={n} scope="col" className="py-1 pe-4 text-start font-medium">
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.key} className="border-b border-line">
              <th scope="row" className="py-1 pe-4 text-start font-normal">
                <button
                  type="button"
                  className="text-start text-accent hover:underline"
                  aria-label={t("reports.openNamed", { name: line.name })}
                  onClick={() => onOpen(line)}
                >
                  {line.name}
                </button>
              </th>
              {measures.flatMap((one) => [
                <td key={one} className="py-1 pe-4">
                  {amount(one, valueOf(line, one))}
                </td>,
                <td key={`${one} before`} className="py-1 pe-4 text-muted">
                  {amount(one, valueOf(line.previous, one))}
                </td>,
              ])}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
