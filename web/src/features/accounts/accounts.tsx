import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { withTexts } from "../../i18n/i18n.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import type { Shown } from "../../shown.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Page } from "../../ui/page.js";
import { focusFirstRow, Paged } from "../../ui/paged.js";
import { SearchField } from "../../ui/search-field.js";
import { SelectRow, useSelected } from "../../ui/selection.js";
import { Empty } from "../../ui/states.js";
import { type AccountFilter, accountsQuery } from "../contacts/queries.js";
import { Tabs } from "../contacts/tabs.js";
import { AccountForm } from "./account-form.js";
import { AccountColumns } from "./columns.js";
import { Filters } from "./filters.js";
import { AccountRow } from "./row.js";

const Many = withTexts(() => import("./many.js"));

const filterOf = ({ sort, industry, plan }: Shown): AccountFilter => ({
  ...(sort === "name" && { sort }),
  ...(industry !== undefined && { industry }),
  ...(plan !== undefined && { plan }),
});

/** The companies that contacts belong to, in an order and with filters, and those that a search finds. */
export function Accounts(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = mayWrite(useMember());
  const { q = "", sort, industry, plan }: Shown = useSearch({ strict: false });
  const filter = filterOf({ sort, industry, plan });
  const isByName = filter.sort === "name";
  const accounts = useInfiniteQuery(accountsQuery(q, undefined, filter));
  const [isCreating, setCreating] = useState(false);
  const { selection, select, toggle } = useSelected(JSON.stringify([q, filter]));
  const show = (change: Shown): void =>
    void navigate({
      to: "/accounts",
      search: { q: q || undefined, sort, industry, plan, ...change },
      replace: true,
    });
  const create = may && (
    <Button look="primary" onClick={() => setCreating(true)}>
      {t("accounts.new")}
    </Button>
  );
  const isFiltered = (industry ?? plan) !== undefined;
  const rows = accounts.data?.pages.flatMap(({ data }) => data) ?? [];
  const isEmpty = q === "" && !isFiltered && accounts.data !== undefined && rows.length === 0;
  return (
    <Page title={t("accounts.title")} explain={t("accounts.explain")} action={!isEmpty && create} wide>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <Tabs at="accounts" />
        <div className="min-w-48 flex-1">
          <SearchField
            label={t("accounts.search")}
            placeholder={t("accounts.searchHint")}
            value={q}
            onSearch={(text) => show({ q: text || undefined })}
            onEnter={focusFirstRow}
          />
        </div>
        {q === "" && !isEmpty && <Filters accounts={rows} shown={{ sort, industry, plan }} onShow={show} />}
      </div>
      {rows.length > 0 && (
        <AccountColumns
          selects={may}
          isByName={isByName}
          onSort={q === "" ? () => show({ sort: isByName ? undefined : "name" }) : undefined}
        />
      )}
      <Paged
        query={accounts}
        label={t("accounts.list")}
        keyOf={({ id }) => id}
        empty={
          q ? (
            <Empty text={t("list.noMatch", { query: q })}>
              <Button onClick={() => show({ q: undefined })}>{t("list.clear")}</Button>
            </Empty>
          ) : isFiltered ? (
            <Empty text={t("list.filtered")}>
              <Link to="/accounts" className="text-accent hover:underline">
                {t("list.clearFilters")}
              </Link>
            </Empty>
          ) : (
            <Empty text={t("accounts.empty")}>{create}</Empty>
          )
        }
        row={(account) => (
          <span className={`flex hover:bg-hover ${selection.has(account.id) ? "bg-selected" : ""}`}>
            {may && (
              <SelectRow
                name={account.name}
                isSelected={selection.has(account.id)}
                onToggle={() => toggle(account.id)}
              />
            )}
            <AccountRow account={account} />
          </span>
        )}
      />
      <Suspense>
        {selection.size > 0 && <Many ids={selection} shown={rows.map(({ id }) => id)} onSelect={select} />}
      </Suspense>
      <Dialog open={isCreating} onClose={() => setCreating(false)} title={t("accounts.new")}>
        <AccountForm
          onCancel={() => setCreating(false)}
          onSaved={({ id }) => void navigate({ to: "/accounts/$accountId", params: { accountId: id } })}
        />
      </Dialog>
    </Page>
  );
}
