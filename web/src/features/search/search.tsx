import { ConversationStatus } from "@parley/sdk/enums";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { pagedQuery, QUIET_MS } from "../../api/paged.js";
import { type Conversation, parley } from "../../api/parley.js";
import { workspacesQuery } from "../../api/queries.js";
import type { Shown } from "../../shown.js";
import { Part } from "../../ui/detail-page.js";
import { Select } from "../../ui/field.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { Page } from "../../ui/page.js";
import { focusFirstRow, Paged } from "../../ui/paged.js";
import { SearchField } from "../../ui/search-field.js";
import { Empty } from "../../ui/states.js";
import { AccountRow } from "../accounts/accounts.js";
import { accountsQuery, contactsQuery } from "../contacts/queries.js";
import { ContactRow } from "../contacts/row.js";
import { CaseRow } from "../cases/case-row.js";
import { casesQuery } from "../cases/queries.js";
import { FoundEntries } from "./found-entries.js";
import { type Found, FoundRow } from "./found-row.js";

/** So many contacts, accounts and cases are shown. Their own pages have the others. */
const FEW = 5;

const foundQuery = (query: string, status: Conversation["status"] | undefined) =>
  pagedQuery<Found>(
    ["conversations-found", query, status ?? "any"],
    (page, options) => parley.conversations.search({ ...page, query, ...(status && { status }) }, options),
    { limit: 25, staleTime: QUIET_MS },
  );

/** What has the words, with the places where they are: contacts, accounts, cases, entries, policies and conversations. */
export function Search(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { q = "", status }: Shown = useSearch({ strict: false });
  const search = (text: string): void =>
    void navigate({ to: "/search", search: { q: text || undefined, status }, replace: true });
  return (
    <Page title={t("search.title")}>
      <div className="mb-6">
        <SearchField
          label={t("search.field")}
          placeholder={t("search.hint")}
          value={q}
          onSearch={search}
          onEnter={focusFirstRow}
          {...(q === "" && FIRST_FIELD)}
        />
      </div>
      {q === "" ? (
        <Empty text={t("search.start")}>
          <p className="text-sm">{t("search.startHint")}</p>
        </Empty>
      ) : (
        <Results q={q} status={ConversationStatus.find((one) => one === status)} />
      )}
    </Page>
  );
}

function Results({ q, status }: { q: string; status: Conversation["status"] | undefined }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { workspace: wanted }: Shown = useSearch({ strict: false });
  const contacts = useInfiniteQuery(contactsQuery(q, FEW));
  const accounts = useInfiniteQuery(accountsQuery(q, FEW));
  const { data: workspaces = [] } = useQuery(workspacesQuery());
  const workspace = workspaces.find(({ id }) => id === wanted) ?? workspaces[0];
  const conversations = useInfiniteQuery(foundQuery(q, status));
  const change = (next: Shown): void =>
    void navigate({ to: "/search", search: { q, status, workspace: wanted, ...next }, replace: true });
  return (
    <div className="flex flex-col gap-8">
      <Part
        title={t("search.contacts")}
        action={
          contacts.hasNextPage && (
            <Link to="/contacts" search={{ q }} className="text-sm font-medium text-accent hover:underline">
              {t("search.allContacts")}
            </Link>
          )
        }
      >
        <div>
          <Paged
            isExtract
            query={contacts}
            label={t("search.contacts")}
            keyOf={({ id }) => id}
            empty={<p className="text-muted">{t("search.noContacts")}</p>}
            row={(contact) => <ContactRow contact={contact} />}
          />
        </div>
      </Part>
      {(accounts.error ?? accounts.data?.pages[0]?.data.length) ? (
        <Part
          title={t("search.accounts")}
          action={
            accounts.hasNextPage && (
              <Link to="/accounts" search={{ q }} className="text-sm font-medium text-accent hover:underline">
                {t("search.allAccounts")}
              </Link>
            )
          }
        >
          <div>
            <Paged
              isExtract
              query={accounts}
              label={t("search.accounts")}
              keyOf={({ id }) => id}
              empty={null}
              row={(account) => <AccountRow account={account} />}
            />
          </div>
        </Part>
      ) : null}
      <FoundCases q={q} />
      {workspaces.length > 1 && (
        <Select
          label={t("search.workspace")}
          value={workspace?.id}
          onChange={({ target }) => change({ workspace: target.value })}
          className="w-fit min-w-40"
        >
          {workspaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      {workspace && <FoundEntries key={workspace.id} q={q} workspaceId={workspace.id} />}
      <Part
        title={t("search.conversations")}
        action={
          <select
            aria-label={t("search.statusLabel")}
            value={status ?? ""}
            onChange={({ target }) => change({ status: target.value || undefined })}
            className="h-7 rounded-md border border-edge bg-surface px-1 text-sm"
          >
            <option value="">{t("search.anyStatus")}</option>
            {ConversationStatus.map((one) => (
              <option key={one} value={one}>
                {t(`status.${one}`)}
              </option>
            ))}
          </select>
        }
      >
        <div>
          <Paged
            query={conversations}
            label={t("search.conversations")}
            keyOf={({ conversation }) => conversation.id}
            empty={<p className="text-muted">{t("search.noConversations")}</p>}
            row={(found) => <FoundRow found={found} />}
          />
        </div>
      </Part>
    </div>
  );
}

/** The newest cases with the words, or with the number. */
function FoundCases({ q }: { q: string }): ReactNode {
  const { t } = useTranslation();
  const cases = useInfiniteQuery(casesQuery({ q }, FEW));
  return (
    <Part
      title={t("search.cases")}
      action={
        cases.hasNextPage && (
          <Link to="/cases" search={{ q }} className="text-sm font-medium text-accent hover:underline">
            {t("search.allCases")}
          </Link>
        )
      }
    >
      <div>
        <Paged
          isExtract
          query={cases}
          label={t("search.cases")}
          keyOf={({ id }) => id}
          empty={<p className="text-muted">{t("search.noCases")}</p>}
          row={(one) => <CaseRow one={one} q={q} />}
        />
      </div>
    </Part>
  );
}
