import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import type { Shown } from "../../shown.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Page } from "../../ui/page.js";
import { focusFirstRow, Paged } from "../../ui/paged.js";
import { SearchField } from "../../ui/search-field.js";
import { Empty } from "../../ui/states.js";
import { accountsQuery } from "../contacts/queries.js";
import { Tabs } from "../contacts/tabs.js";
import { AccountForm } from "./account-form.js";
import { AccountRow, COLUMNS } from "./row.js";

/** The companies that contacts belong to. */
export function Accounts(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const me = useMember();
  const { q = "" }: Shown = useSearch({ strict: false });
  const accounts = useInfiniteQuery(accountsQuery(q));
  const [isCreating, setCreating] = useState(false);
  const may = mayWrite(me);
  const search = (text: string): void =>
    void navigate({ to: "/accounts", search: { q: text || undefined }, replace: true });
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
    >
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
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
      </div>
      <div aria-hidden="true" className="flex gap-3 px-3 pb-1.5 text-xs font-medium text-muted max-md:hidden">
        <span className="w-8 shrink-0" />
        <span className={COLUMNS}>
          <span>{t("accounts.name")}</span>
          <span>{t("accounts.domains")}</span>
          <span>{[t("accounts.industry"), t("accounts.plan")].join(" · ")}</span>
        </span>
        <span className="min-w-20 text-end">{t("contacts.list")}</span>
      </div>
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
