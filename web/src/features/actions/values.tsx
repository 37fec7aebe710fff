import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** A name as programs write it, as words: `refundOrder` and `refund_order` are "Refund order". */
export function inWords(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a tool gets or answers, by name. Each value is there as it is: people decide about it. */
export function Values({
  values,
  label,
  isNarrow = false,
}: {
  values: object;
  label: string;
  /** Names above their values, where there is no room beside them. */
  isNarrow?: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const entries = Object.entries(values as Record<string, unknown>);
  if (entries.length === 0) return <p className="text-muted">{t("approvals.noArguments")}</p>;
  return (
    <dl aria-label={label} className={`grid gap-x-6 gap-y-1 ${isNarrow ? "" : "sm:grid-cols-[minmax(0,10rem)_1fr]"}`}>
      {entries.map(([name, value]) => (
        <div key={name} className={isNarrow ? "" : "grid grid-cols-subgrid sm:col-span-2"}>
          <dt title={name} className="text-sm text-muted wrap-anywhere sm:leading-6">
            {inWords(name)}
          </dt>
          <dd className="min-w-0 font-medium wrap-anywhere">
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { value: unknown }): ReactNode {
  const { t } = useTranslation();
  if (value === null || value === "") return <span className="font-normal text-muted">{t("approvals.nothing")}</span>;
  if (typeof value === "boolean") return t(value ? "approvals.yes" : "approvals.no");
  if (typeof value === "object")
    return <pre className="font-mono text-sm font-normal whitespace-pre-wrap">{JSON.stringify(value, null, 2)}</pre>;
  return (
    <span dir="auto" className="whitespace-pre-wrap">
      {typeof value === "string" ? value : JSON.stringify(value)}
    </span>
  );
}
