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
import { CreateContact } from "./create-contact.js";
import { contactsQuery } from "./queries.js";
import { ContactColumns } from "./columns.js";
import { ContactRow } from "./row.js";
import { Tabs } from "./tabs.js";

/** The people who write, newest first, and those that a search finds. */
export function Contacts(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const me = useMember();
  const { q = "" }: Shown = useSearch({ strict: false });
  const contacts = useInfiniteQuery(contactsQuery(q));
  const [isCreating, setCreating] = useState(false);
  const search = (text: string): void =>
    void navigate({ to: "/contacts", search: { q: text || undefined }, replace: true });
  const create = mayWrite(me) && (
    <Button look="primary" onClick={() => setCreating(true)}>
      {t("contacts.new")}
    </Button>
  );
  const isEmpty = q === "" && contacts.data?.pages[0]?.data.length === 0;
  return (
    <Page title={t("shell.contacts")} explain={t("contacts.explain")} action={!isEmpty && create}>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Tabs at="contacts" />
        <div className="min-w-48 flex-1">
          <SearchField
            label={t("contacts.search")}
            placeholder={t("contacts.searchHint")}
            value={q}
            onSearch={search}
            onEnter={focusFirstRow}
          />
        </div>
      </div>
      {!isEmpty && <ContactColumns />}
      <Paged
        query={contacts}
        label={t("contacts.list")}
        keyOf={({ id }) => id}
        empty={
          q ? (
            <Empty text={t("list.noMatch", { query: q })}>
              <Button onClick={() => search("")}>{t("list.clear")}</Button>
            </Empty>
          ) : (
            <Empty text={t("contacts.empty")}>{create}</Empty>
          )
        }
        row={(contact) => <ContactRow contact={contact} />}
      />
      <Dialog open={isCreating} onClose={() => setCreating(false)} title={t("contacts.new")}>
        <CreateContact
          onCancel={() => setCreating(false)}
          onCreated={({ id }) => void navigate({ to: "/contacts/$contactId", params: { contactId: id } })}
        />
      </Dialog>
    </Page>
  );
}
