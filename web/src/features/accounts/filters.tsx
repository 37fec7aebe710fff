import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Shown } from "../../shown.js";
import { FilterSelect } from "../../ui/filter-select.js";
import { type Account, newestAccountsQuery } from "../contacts/queries.js";
import { ACCOUNT_TEXTS } from "./account-form.js";

/** What accounts have in a field, from A to Z: the newest of them, those that are shown, and what is chosen. */
export function useValues(
  text: (typeof ACCOUNT_TEXTS)[number],
  shown: readonly Account[] = [],
  chosen?: string,
): string[] {
  const { i18n } = useTranslation();
  const { data: newest = [] } = useQuery(newestAccountsQuery());
  const values = [chosen, ...[...newest, ...shown].map((account) => account[text])];
  return [...new Set(values.filter((value) => typeof value === "string"))].sort(
    new Intl.Collator(i18n.language).compare,
  );
}

/** The order of the list, and what it is narrowed to. */
export function Filters({
  accounts,
  shown,
  onShow,
}: {
  accounts: readonly Account[];
  shown: Shown;
  onShow: (change: Shown) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div role="group" aria-label={t("list.filters")} className="flex min-w-0 flex-wrap gap-2">
      <FilterSelect
        label={t("list.sort")}
        all={t("contacts.sort.recent")}
        value={shown.sort === "name" ? "name" : undefined}
        choices={[["name", t("contacts.sort.name")]]}
        onChoose={(sort) => onShow({ sort })}
      />
      {ACCOUNT_TEXTS.map((text) => (
        <Filter key={text} text={text} accounts={accounts} value={shown[text]} onShow={onShow} />
      ))}
    </div>
  );
}

function Filter({
  text,
  accounts,
  value,
  onShow,
}: {
  text: (typeof ACCOUNT_TEXTS)[number];
  accounts: readonly Account[];
  value: string | undefined;
  onShow: (change: Shown) => void;
}): ReactNode {
  const { t } = useTranslation();
  const values = useValues(text, accounts, value);
  return (
    values.length > 0 && (
      <FilterSelect
        label={t(`accounts.${text}`)}
        all={t(`accounts.all.${text}`)}
        value={value}
        choices={values.map((one) => [one, one])}
        onChoose={(one) => onShow({ [text]: one })}
      />
    )
  );
}
