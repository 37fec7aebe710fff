import { ContactSort } from "@parley/sdk/enums";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { displayNameOf } from "../../api/contacts.js";
import { labelsQuery, workspacesQuery } from "../../api/queries.js";
import { withTexts } from "../../i18n/i18n.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import type { Shown } from "../../shown.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { FilterSelect } from "../../ui/filter-select.js";
import { Page } from "../../ui/page.js";
import { focusFirstRow, Paged } from "../../ui/paged.js";
import { SearchField } from "../../ui/search-field.js";
import { SelectRow, useSelected } from "../../ui/selection.js";
import { Empty } from "../../ui/states.js";
import { CreateContact } from "./create-contact.js";
import { type ContactFilter, contactsQuery } from "./queries.js";
import { ContactColumns } from "./columns.js";
import { ContactRow } from "./row.js";
import { Tabs } from "./tabs.js";

const Many = withTexts(() => import("./many.js"));

const filterOf = ({ sort, label, workspace, blocked }: Shown): ContactFilter => {
  const order = ContactSort.find((one) => one === sort && one !== "recent");
  return {
    ...(order && { sort: order }),
    ...(label !== undefined && { label }),
    ...(workspace !== undefined && { workspaceId: workspace }),
    ...(blocked !== undefined && { blocked: blocked === "true" }),
  };
};

/** The people who write, in an order and with filters, and those that a search finds. */
export function Contacts(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = mayWrite(useMember());
  const { q = "", sort, label, workspace, blocked }: Shown = useSearch({ strict: false });
  const filter = filterOf({ sort, label, workspace, blocked });
  const contacts = useInfiniteQuery(contactsQuery(q, undefined, filter));
  const [isCreating, setCreating] = useState(false);
  const { selection, select, toggle } = useSelected(JSON.stringify([q, filter]));
  const show = (change: Shown): void =>
    void navigate({
      to: "/contacts",
      search: { q: q || undefined, sort, label, workspace, blocked, ...change },
      replace: true,
    });
  const create = may && (
    <Button look="primary" onClick={() => setCreating(true)}>
      {t("contacts.new")}
    </Button>
  );
  const isFiltered = (label ?? workspace ?? blocked) !== undefined;
  const rows = contacts.data?.pages.flatMap(({ data }) => data) ?? [];
  const isEmpty = q === "" && !isFiltered && contacts.data !== undefined && rows.length === 0;
  return (
    <Page title={t("shell.contacts")} explain={t("contacts.explain")} action={!isEmpty && create} wide>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <Tabs at="contacts" />
        <div className="min-w-60 flex-1">
          <SearchField
            label={t("contacts.search")}
            placeholder={t("contacts.searchHint")}
            value={q}
            onSearch={(text) => show({ q: text || undefined })}
            onEnter={focusFirstRow}
          />
        </div>
        {q === "" && !isEmpty && <Filters shown={{ sort, label, workspace, blocked }} onShow={show} />}
      </div>
      {rows.length > 0 && (
        <ContactColumns
          selects={may}
          {...(q === "" && {
            sort: filter.sort ?? "recent",
            onSort: (one) => show({ sort: one === filter.sort ? undefined : one }),
          })}
        />
      )}
      <Paged
        query={contacts}
        label={t("contacts.list")}
        keyOf={({ id }) => id}
        empty={
          q ? (
            <Empty text={t("list.noMatch", { query: q })}>
              <Button onClick={() => show({ q: undefined })}>{t("list.clear")}</Button>
            </Empty>
          ) : isFiltered ? (
            <Empty text={t("list.filtered")}>
              <Link to="/contacts" className="text-accent hover:underline">
                {t("list.clearFilters")}
              </Link>
            </Empty>
          ) : (
            <Empty text={t("contacts.empty")}>{create}</Empty>
          )
        }
        row={(contact) => (
          <span className={`flex hover:bg-hover ${selection.has(contact.id) ? "bg-selected" : ""}`}>
            {may && (
              <SelectRow
                name={displayNameOf(contact)}
                isSelected={selection.has(contact.id)}
                onToggle={() => toggle(contact.id)}
              />
            )}
            <ContactRow contact={contact} />
          </span>
        )}
      />
      <Suspense>
        {selection.size > 0 && <Many ids={selection} shown={rows.map(({ id }) => id)} onSelect={select} />}
      </Suspense>
      <Dialog open={isCreating} onClose={() => setCreating(false)} title={t("contacts.new")}>
        <CreateContact
          onCancel={() => setCreating(false)}
          onCreated={({ id }) => void navigate({ to: "/contacts/$contactId", params: { contactId: id } })}
        />
      </Dialog>
    </Page>
  );
}

function Filters({
  shown: { sort, label, workspace, blocked },
  onShow,
}: {
  shown: Shown;
  onShow: (change: Shown) => void;
}): ReactNode {
  const { t } = useTranslation();
  const { data: labels = [] } = useQuery(labelsQuery());
  const { data: workspaces = [] } = useQuery(workspacesQuery());
  const names = new Set([...labels.map(({ name }) => name), ...(label === undefined ? [] : [label])]);
  return (
    <div role="group" aria-label={t("list.filters")} className="flex min-w-0 flex-wrap gap-2">
      <FilterSelect
        label={t("list.sort")}
        all={t("contacts.sort.recent")}
        value={sort}
        choices={(["lastSeen", "name"] as const).map((one) => [one, t(`contacts.sort.${one}`)])}
        onChoose={(one) => onShow({ sort: one })}
      />
      {names.size > 0 && (
        <FilterSelect
          label={t("contacts.labels")}
          all={t("contacts.allLabels")}
          value={label}
          choices={[...names].map((name) => [name, name])}
          onChoose={(one) => onShow({ label: one })}
        />
      )}
      {workspaces.length > 1 && (
        <FilterSelect
          label={t("contacts.workspace")}
          all={t("contacts.allWorkspaces")}
          value={workspace}
          choices={workspaces.map(({ id, name }) => [id, name])}
          onChoose={(one) => onShow({ workspace: one })}
        />
      )}
      <FilterSelect
        label={t("contacts.blocked")}
        all={t("contacts.isBlocked.any")}
        value={blocked}
        choices={(["true", "false"] as const).map((one) => [one, t(`contacts.isBlocked.${one}`)])}
        onChoose={(one) => onShow({ blocked: one })}
      />
    </div>
  );
}
