import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { COLUMNS, SHORT_COLUMNS } from "./row.js";

/** What the columns of a list of contacts are called. Screen readers hear each value with what it is. */
export function ContactColumns({ short }: { short?: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <div aria-hidden="true" className="flex gap-3 px-3 pb-1.5 text-xs font-medium text-muted max-md:hidden">
      <span className="w-8 shrink-0" />
      <span className={short ? SHORT_COLUMNS : COLUMNS}>
        <span>{t("contacts.name")}</span>
        <span>{t("contacts.reach")}</span>
        {!short && <span>{t("contacts.account")}</span>}
        <span>{t("contacts.labels")}</span>
      </span>
      <span className="min-w-20 text-end">{t("contacts.since")}</span>
    </div>
  );
}
