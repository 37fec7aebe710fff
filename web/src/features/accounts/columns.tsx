import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ColumnName } from "../contacts/columns.js";
import { ACCOUNT_TEXTS } from "./account-form.js";
import { COLUMNS } from "./row.js";

/** What the columns of a list of accounts are called. */
export function AccountColumns({
  selects,
  isByName,
  onSort,
}: {
  /** Rows have a box in front. */
  selects: boolean;
  isByName: boolean;
  onSort: (() => void) | undefined;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="flex gap-3 px-3 pb-1.5 text-xs font-medium text-muted max-md:hidden">
      {selects && <span className="w-4 shrink-0" />}
      <span className="w-8 shrink-0" />
      <span className={COLUMNS}>
        <ColumnName name={t("accounts.name")} isSorted={isByName} onSort={onSort} />
        <span aria-hidden="true" className="md:max-lg:hidden">
          {t("accounts.domains")}
        </span>
        {ACCOUNT_TEXTS.map((text) => (
          <span key={text} aria-hidden="true">
            {t(`accounts.${text}`)}
          </span>
        ))}
      </span>
      <span aria-hidden="true" className="min-w-20 text-end">
        {t("contacts.list")}
      </span>
    </div>
  );
}
