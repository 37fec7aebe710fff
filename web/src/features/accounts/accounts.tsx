import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import type { Shown } from "../../shown.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { FilterSelect } from "../../ui/filter-select.js";
import { Page } from "../../ui/page.js";
import { focusFirstRow, Paged } from "../../ui/paged.js";
import { SearchField } from "../../ui/search-field.js";
import { Empty } from "../../ui/states.js";
import { ColumnName } from "../contacts/columns.js";
import { accountsQuery } from "../contacts/queries.js";
import { Tabs } from "../contacts/tabs.js";
import { AccountForm } from "./account-form.js";
import { AccountRow, COLUMNS } from "./row.js";

/** The companies that contacts belong to. */
export function Accounts(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const me = useMember();
  const { q = "", sort }: Shown = useSearch({ strict: false });
  const byName = sort === "name";
  const accounts = useInfiniteQuery(accountsQuery(q, undefined, byName ? "name" : undefined));
  const [isCreating, setCreating] = useState(false);
  const may = mayWrite(me);
  const isEmpty = accounts.data?.pages[0]?.data.length === 0;
  const show = (change: Shown): void =>
    void navigate({ to: "/accounts", search: { q: q || undefined, sort, ...change }, replace: true });
  const search = (text: string): void => show({ q: text || undefined });
  return (
    <Page
      title={t("accounts.title")}
      explain={t("accounts.explain")}
      action={
        may && (
          <Button look="primary" onClick={() => setCreating(true)}>
            {t("accounts.new")}
          </Button>
        )
      }
      wide
    >
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <Tabs at="accounts" />
        <div className="min-w-48 flex-1">
          <SearchField
            label={t("accounts.search")}
            placeholder={t("accounts.searchHint")}
            value={q}
            onSearch={search}
            onEnter={focusFirstRow}
          />
        </div>
        {q === "" && !isEmpty && (
          <FilterSelect
            label={t("list.sort")}
            all={t("contacts.sort.recent")}
            value={byName ? "name" : undefined}
            choices={[["name", t("contacts.sort.name")]]}
            onChoose={(one) => show({ sort: one })}
          />
        )}
      </div>
      {!isEmpty && (
        <div className="flex gap-3 px-3 pb-1.5 text-xs font-medium text-muted max-md:hidden">
          <span className="w-8 shrink-0" />
          <span className={COLUMNS}>
            <ColumnName
              name={t("accounts.name")}
              isSorted={byName}
              onSort={q === "" ? () => show({ sort: byName ? undefined : "name" }) : undefined}
            />
            <span aria-hidden="true">{t("accounts.domains")}</span>
            <span aria-hidden="true">{[t("accounts.industry"), t("accounts.plan")].join(" · ")}</span>
          </span>
          <span aria-hidden="true" className="min-w-20 text-end">
            {t("contacts.list")}
          </span>
        </div>
      )}
      <Paged
        query={accounts}
        label={t("accounts.list")}
        keyOf={({ id }) => id}
        empty={
          q ? (
            <Empty text={t("list.noMatch", { query: q })}>
              <Button onClick={() => search("")}>{t("list.clear")}</Button>
            </Empty>
          ) : (
            <Empty text={t("accounts.empty")}>
              {may && <Button onClick={() => setCreating(true)}>{t("accounts.new")}</Button>}
            </Empty>
          )
        }
        row={(account) => <AccountRow account={account} />}
      />
      <Dialog open={isCreating} onClose={() => setCreating(false)} title={t("accounts.new")}>
        <AccountForm
          onCancel={() => setCreating(false)}
          onSaved={({ id }) => void navigate({ to: "/accounts/$accountId", params: { accountId: id } })}
        />
      </Dialog>
    </Page>
  );
}
