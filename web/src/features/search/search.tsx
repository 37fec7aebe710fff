import { ConversationStatus } from "@parley/sdk/enums";
import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type Page as PageOf, pagedQuery, QUIET_MS } from "../../api/paged.js";
import { type Conversation, parley } from "../../api/parley.js";
import { workspacesQuery } from "../../api/queries.js";
import type { Shown } from "../../shown.js";
import { Part } from "../../ui/detail-page.js";
import { Select } from "../../ui/field.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { Page } from "../../ui/page.js";
import { focusFirstRow, Paged } from "../../ui/paged.js";
import { SearchField } from "../../ui/search-field.js";
import { Empty, Skeleton } from "../../ui/states.js";
import { AccountRow } from "../accounts/row.js";
import { accountsQuery, contactsQuery } from "../contacts/queries.js";
import { ContactRow } from "../contacts/row.js";
import { CaseRow } from "../cases/case-row.js";
import { casesQuery } from "../cases/queries.js";
import { KB, POLICIES } from "../knowledge/kinds.js";
import { foundEntriesQuery } from "../knowledge/queries.js";
import { FoundEntries } from "./found-entries.js";
import { type Found, FoundRow } from "./found-row.js";

/** So many contacts, accounts and cases are shown. Their own pages have the others. */
const FEW = 5;
const FEW_ENTRIES = { limit: 3, least: 0.02 };

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
  const { data: workspaces = [] } = useQuery(workspacesQuery());
  const workspace = workspaces.find(({ id }) => id === wanted) ?? workspaces[0];
  const contacts = useInfiniteQuery(contactsQuery(q, FEW));
  const accounts = useInfiniteQuery(accountsQuery(q, FEW));
  const cases = useInfiniteQuery(casesQuery({ q }, FEW));
  const entries = useInfiniteQuery(foundEntriesQuery(KB, workspace?.id, q, FEW_ENTRIES));
  const policies = useInfiniteQuery(foundEntriesQuery(POLICIES, workspace?.id, q, FEW_ENTRIES));
  const conversations = useInfiniteQuery(foundQuery(q, status));
  const all = [contacts, accounts, cases, entries, policies, conversations];
  const change = (next: Shown): void =>
    void navigate({ to: "/search", search: { q, status, workspace: wanted, ...next }, replace: true });
  // All at once, so that nothing moves that somebody reads already.
  if (all.some(({ isLoading }) => isLoading)) return <Skeleton lines={6} />;
  // Entries are those of one workspace, so it can be changed even when nothing is found.
  const choice = workspaces.length > 1 && (
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
  );
  if (status === undefined && !all.some(isShown))
    return (
      <>
        {choice}
        <Empty text={t("search.nothing", { text: q })} />
      </>
    );
  return (
    <div className="flex flex-col gap-8">
      <Group
        title={t("search.contacts")}
        query={contacts}
        action={
          contacts.hasNextPage && (
            <Link to="/contacts" search={{ q }} className={MORE}>
              {t("search.allContacts")}
            </Link>
          )
        }
      >
        <Paged
          isExtract
          query={contacts}
          label={t("search.contacts")}
          keyOf={({ id }) => id}
          empty={null}
          row={(contact) => <ContactRow contact={contact} />}
        />
      </Group>
      <Group
        title={t("search.accounts")}
        query={accounts}
        action={
          accounts.hasNextPage && (
            <Link to="/accounts" search={{ q }} className={MORE}>
              {t("search.allAccounts")}
            </Link>
          )
        }
      >
        <Paged
          isExtract
          query={accounts}
          label={t("search.accounts")}
          keyOf={({ id }) => id}
          empty={null}
          row={(account) => <AccountRow account={account} />}
        />
      </Group>
      <Group
        title={t("search.cases")}
        query={cases}
        action={
          cases.hasNextPage && (
            <Link to="/cases" search={{ q }} className={MORE}>
              {t("search.allCases")}
            </Link>
          )
        }
      >
        <Paged
          isExtract
          query={cases}
          label={t("search.cases")}
          keyOf={({ id }) => id}
          empty={null}
          row={(one) => <CaseRow one={one} q={q} />}
        />
      </Group>
      {choice}
      {workspace && (
        <>
          <Group title={t("knowledge.title")} query={entries}>
            <FoundEntries kind={KB} q={q} workspaceId={workspace.id} query={entries} />
          </Group>
          <Group title={t("policies.title")} query={policies}>
            <FoundEntries kind={POLICIES} q={q} workspaceId={workspace.id} query={policies} />
          </Group>
        </>
      )}
      {/* With a status, it is where the status is chosen, too. */}
      <Group
        title={t("search.conversations")}
        query={conversations}
        isKept={status !== undefined}
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
        <Paged
          query={conversations}
          label={t("search.conversations")}
          keyOf={({ conversation }) => conversation.id}
          empty={<p className="text-muted">{t("search.noConversations")}</p>}
          row={(found) => <FoundRow found={found} />}
        />
      </Group>
    </div>
  );
}

const MORE = "text-sm font-medium text-accent hover:underline";

type Rows = Pick<UseInfiniteQueryResult<InfiniteData<PageOf<unknown>>>, "data" | "error">;
/** Whether there is something to see: rows, or why there are none. */
const isShown = ({ data, error }: Rows): boolean => error !== null || (data?.pages[0]?.data.length ?? 0) > 0;

/** What was found of one kind. Nothing is nothing: no heading stands over it. */
function Group({
  title,
  query,
  action,
  isKept = false,
  children,
}: {
  title: string;
  query: Rows;
  action?: ReactNode;
  /** Whether it is there even without rows. */
  isKept?: boolean;
  children: ReactNode;
}): ReactNode {
  if (!isKept && !isShown(query)) return null;
  return (
    <Part title={title} action={action}>
      <div>{children}</div>
    </Part>
  );
}
