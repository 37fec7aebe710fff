import type { ContactSort } from "@parley/sdk/enums";
import { ArrowDown } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { COLUMNS, SHORT_COLUMNS } from "./row.js";

/** What the columns of a list of contacts are called. Screen readers hear each value with what it is. */
export function ContactColumns({
  short,
  selects,
  sort,
  onSort,
}: {
  short?: boolean;
  /** Rows have a box in front. */
  selects?: boolean;
  sort?: ContactSort;
  onSort?: (sort: ContactSort) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="flex gap-3 px-3 pb-1.5 text-xs font-medium text-muted max-md:hidden">
      {selects && <span className="w-4 shrink-0" />}
      <span className="w-8 shrink-0" />
      <span className={short ? SHORT_COLUMNS : COLUMNS}>
        <ColumnName name={t("contacts.name")} isSorted={sort === "name"} onSort={onSort && (() => onSort("name"))} />
        <span aria-hidden="true">{t("contacts.reach")}</span>
        {!short && <span aria-hidden="true">{t("contacts.account")}</span>}
        <span aria-hidden="true" className={short ? "" : "md:max-lg:hidden"}>
          {t("contacts.labels")}
        </span>
      </span>
      <span className="flex min-w-20 justify-end *:flex-row-reverse">
        <ColumnName
          name={t("contacts.lastSeen")}
          isSorted={sort === "lastSeen"}
          onSort={onSort && (() => onSort("lastSeen"))}
        />
      </span>
    </div>
  );
}

/** The name of a column, which sorts the list if it can. */
export function ColumnName({
  name,
  isSorted,
  onSort,
}: {
  name: string;
  isSorted: boolean;
  onSort: (() => void) | undefined;
}): ReactNode {
  const { t } = useTranslation();
  if (!onSort) return <span aria-hidden="true">{name}</span>;
  return (
    <button
      type="button"
      aria-pressed={isSorted}
      aria-label={t("list.sortBy", { name })}
      onClick={onSort}
      className={`-mx-1 inline-flex items-center gap-1 justify-self-start rounded px-1 hover:text-text ${isSorted ? "text-text" : ""}`}
    >
      {name}
      <ArrowDown size={12} aria-hidden="true" className={isSorted ? "" : "invisible"} />
    </button>
  );
}
