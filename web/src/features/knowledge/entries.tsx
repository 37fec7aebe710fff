import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { workspacesQuery } from "../../api/queries.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { excerptOf } from "../../ui/excerpt.js";
import { Select } from "../../ui/field.js";
import { Marked } from "../../ui/marked.js";
import { Page } from "../../ui/page.js";
import { focusFirstRow, Paged } from "../../ui/paged.js";
import { SearchField } from "../../ui/search-field.js";
import { Empty, Failed, Skeleton } from "../../ui/states.js";
import { toast } from "../../ui/toasts.js";
import { EntryForm, type Writing } from "./entry-form.js";
import { EntryRow } from "./entry-row.js";
import { type Entry, KB, type Kind, MANY, MAX_PENDING, type NewStatus, POLICIES, type Status } from "./kinds.js";
import { keepWorkspace, lastWorkspace } from "./last-workspace.js";
import { entriesQuery, entryQuery, foundEntriesQuery, pendingQuery } from "./queries.js";
import { Review } from "./review.js";
import { type EntriesSearch, SHOWS } from "./search.js";
import { TryPolicy } from "./try-policy.js";
import { TryQuestion } from "./try-question.js";
import { Versions } from "./versions.js";

const Sources = lazy(() => import("./sources.js"));

const withoutBegun = ({ write: _, also: __, language: ___, ...search }: EntriesSearch): EntriesSearch => search;

export const Knowledge = (): ReactNode => <Entries key="knowledge" kind={KB} />;
export const Policies = (): ReactNode => <Entries key="policies" kind={POLICIES} />;

/** What waits for a review, what is in use, and a place to try it. */
function Entries<E extends Entry>({ kind }: { kind: Kind<E> }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const {
    workspace: wanted,
    show = "pending",
    entry,
    source,
    q,
    ...begun
  }: EntriesSearch = useSearch({
    strict: false,
  });
  const { write } = begun;
  const navigate = useNavigate();
  const { data: workspaces, error, isPending, refetch } = useQuery(workspacesQuery());
  const [writing, setWriting] = useState<Writing<E> | undefined>(() =>
    write !== undefined && kind.mayWrite(me) ? { mode: "create", begun } : undefined,
  );
  const [versionsOf, setVersionsOf] = useState<E>();
  /** The entry that the member has just written. The keyboard goes on there. */
  const [reached, setReached] = useState<string>();
  const named = (id?: string | null) => workspaces?.find((one) => one.id === id);
  const workspace = named(wanted) ?? named(lastWorkspace()) ?? workspaces?.[0];
  const to = `/${kind.name}` as const;
  const open = (id: string | undefined): void =>
    void navigate({ to, search: (now: EntriesSearch) => ({ ...now, entry: id }), replace: true });

  // Another entry is open then: the first of the review, and none of the lists.
  const search = (text: string): void =>
    void navigate({
      to,
      search: ({ entry: _, ...now }: EntriesSearch) => ({ ...now, q: text || undefined }),
      replace: true,
    });

  const stopWriting = (saved?: { id: string; show: NewStatus }): void => {
    setWriting(undefined);
    // What was saved is looked at next, and what was not is where it was.
    const back = writing?.mode === "edit" || writing?.mode === "replace" ? writing.entry.id : undefined;
    setReached(saved?.id ?? back);
    if (saved)
      void navigate({
        to,
        // A new entry may have none of the words of the search.
        search: ({ q: words, ...now }: EntriesSearch) => ({
          ...withoutBegun(now),
          show: saved.show,
          entry: saved.id,
          ...(writing?.mode === "edit" && { q: words }),
        }),
        replace: true,
      });
    else if (write !== undefined) void navigate({ to, search: withoutBegun, replace: true });
    // The field that had the focus is gone. The keyboard goes on at the page, and at the entry once it is there.
    document.getElementById("content")?.focus();
  };
  if (me.role === "billing")
    return (
      <Page title={t(`${kind.name}.title`)}>
        <Empty text={t("entries.forbidden")} />
      </Page>
    );
  const may = kind.mayWrite(me);
  const writeOne = may && <Button onClick={() => setWriting({ mode: "create" })}>{t("entries.writeOne")}</Button>;
  return (
    <Page
      title={t(`${kind.name}.title`)}
      explain={t(`${kind.name}.explain`)}
      action={
        may &&
        workspace &&
        !writing && (
          <Button look="primary" onClick={() => setWriting({ mode: "create" })}>
            {t(`${kind.name}.create`)}
          </Button>
        )
      }
    >
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending ? (
        <Skeleton lines={4} />
      ) : !workspace ? (
        !error && <Empty text={t("entries.noWorkspace")} />
      ) : writing ? (
        <EntryForm kind={kind} workspace={workspace} writing={writing} onDone={stopWriting} />
      ) : (
        <>
          <div className="mb-5 flex flex-wrap items-end gap-x-6 gap-y-3 border-b border-line">
            <nav aria-label={t("entries.kinds")} className="flex flex-1 gap-4">
              <Tab kind="knowledge" workspace={wanted} now={kind.name} label={t("entries.entriesTab")} />
              <Tab kind="policies" workspace={wanted} now={kind.name} label={t("entries.policiesTab")} />
            </nav>
            <PickWorkspace
              value={workspace.id}
              onPick={(id) => {
                keepWorkspace(id);
                void navigate({ to, search: { show, workspace: id } });
              }}
            />
          </div>
          <Shows kind={kind} workspaceId={workspace.id} search={{ workspace: wanted, show }} />
          {show === "pending" ? (
            <Review
              key={workspace.id}
              kind={kind}
              workspaceId={workspace.id}
              sourceId={source}
              q={q}
              open={entry}
              reached={reached}
              onOpen={open}
              onSearch={search}
              onEdit={(one) => setWriting({ mode: "edit", entry: one })}
              onVersions={setVersionsOf}
            >
              <WayOn kind={kind} workspaceId={workspace.id} wanted={wanted} />
            </Review>
          ) : show === "sources" ? (
            <Suspense fallback={<Skeleton lines={3} />}>
              <Sources key={workspace.id} workspaceId={workspace.id} />
            </Suspense>
          ) : show === "try" ? (
            <TryIt kind={kind.name} workspaceId={workspace.id}>
              {writeOne}
            </TryIt>
          ) : (
            <List
              key={`${workspace.id} ${show}`}
              kind={kind}
              workspaceId={workspace.id}
              status={show}
              q={q}
              open={entry}
              reached={reached}
              onOpen={open}
              onSearch={search}
              onReplace={(one) => setWriting({ mode: "replace", entry: one })}
              onVersions={setVersionsOf}
            >
              {show === "approved" && writeOne}
            </List>
          )}
        </>
      )}
      {versionsOf && <Versions kind={kind} entry={versionsOf} onClose={() => setVersionsOf(undefined)} />}
    </Page>
  );
}

const TryIt = ({
  kind,
  workspaceId,
  children,
}: {
  kind: "knowledge" | "policies";
  workspaceId: string;
  children: ReactNode;
}): ReactNode =>
  kind === "knowledge" ? (
    <TryQuestion workspaceId={workspaceId}>{children}</TryQuestion>
  ) : (
    <TryPolicy workspaceId={workspaceId} />
  );

/** Where to go on where nothing waits: to what is in use, or to a first source. */
function WayOn<E extends Entry>({
  kind,
  workspaceId,
  wanted,
}: {
  kind: Kind<E>;
  workspaceId: string;
  wanted: string | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const may = kind.mayWrite(useMember());
  const { data } = useInfiniteQuery(entriesQuery(kind, workspaceId, "approved"));
  if (!data) return null;
  const isEmpty = may && kind.name === "knowledge" && data.pages[0]?.data.length === 0;
  return (
    <Link
      to={`/${kind.name}`}
      search={{ workspace: wanted, show: isEmpty ? "sources" : "approved" }}
      className="text-accent hover:underline"
    >
      {t(isEmpty ? "knowledgeSources.add" : "entries.openInUse")}
    </Link>
  );
}

/** Shown where there is a choice. */
function PickWorkspace({ value, onPick }: { value: string; onPick: (id: string) => void }): ReactNode {
  const { t } = useTranslation();
  const { data: workspaces = [] } = useQuery(workspacesQuery());
  if (workspaces.length <= 1) return null;
  return (
    <Select
      label={t("entries.workspace")}
      value={value}
      onChange={({ target }) => onPick(target.value)}
      className="mb-2 min-w-40"
    >
      {workspaces.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

const Tab = ({
  kind,
  now,
  workspace,
  label,
}: {
  kind: "knowledge" | "policies";
  now: string;
  workspace: string | undefined;
  label: string;
}): ReactNode => (
  <Link
    to={`/${kind}`}
    search={{ workspace }}
    aria-current={kind === now ? "page" : undefined}
    className={`-mb-px border-b-2 px-1 py-2 font-medium ${kind === now ? "border-accent text-text" : "border-transparent text-muted hover:text-text"}`}
  >
    {label}
  </Link>
);

/** Which entries are shown. The count says how many wait. */
function Shows<E extends Entry>({
  kind,
  workspaceId,
  search,
}: {
  kind: Kind<E>;
  workspaceId: string;
  search: EntriesSearch;
}): ReactNode {
  const { t } = useTranslation();
  const { data: pending } = useQuery(pendingQuery(kind, workspaceId));
  return (
    <nav aria-label={t("entries.filter")} className="mb-4 flex flex-wrap gap-1">
      {SHOWS.filter((show) => show !== "sources" || kind.name === "knowledge").map((show) => (
        <Link
          key={show}
          to={`/${kind.name}`}
          search={{ ...search, show }}
          aria-current={show === search.show ? "page" : undefined}
          className={`flex h-7 items-center gap-2 rounded-md px-2 text-sm font-medium ${show === search.show ? "bg-selected text-accent-strong" : "text-muted hover:bg-hover hover:text-text"}`}
        >
          {t(`entries.show.${show}`)}
          {show === "pending" && pending && pending.length > 0 && (
            <span className="text-xs tabular-nums">
              {pending.length}
              {pending.length === MAX_PENDING && "+"}
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}

/** Goes on at a row, unless the member has gone on elsewhere meanwhile. */
function focusUnlessElsewhere(toggle: HTMLButtonElement | null): void {
  // The row moves, and the page has the focus for a moment, when its list has it, too.
  if (document.activeElement === document.body || document.activeElement?.id === "content") toggle?.focus();
}

/** The search names the nearest entries, however far they are. What has none of the words has to fit. */
const FOUND = { limit: 100, least: 0.2 };

/** Only what is in use has a search. */
const wordsOf = (status: Status, q = ""): string => (status === "approved" ? q : "");

/** A field that finds entries in use, where there are many. */
function FindInUse<E extends Entry>({
  kind,
  q,
  isMany,
  onSearch,
}: {
  kind: Kind<E>;
  q: string;
  isMany: boolean;
  onSearch: (q: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  if (q === "" && !isMany) return null;
  return (
    <div className="mb-4">
      <SearchField
        label={t(`${kind.name}.find`)}
        placeholder={t(`${kind.name}.find`)}
        value={q}
        onSearch={onSearch}
        onEnter={focusFirstRow}
      />
    </div>
  );
}

/** The entries with one status, newest first. */
function List<E extends Entry>({
  kind,
  workspaceId,
  status,
  q,
  open,
  reached,
  onOpen,
  onSearch,
  onReplace,
  onVersions,
  children,
}: {
  kind: Kind<E>;
  workspaceId: string;
  status: Exclude<Status, "pending">;
  /** What is searched for among the entries in use. */
  q: string | undefined;
  open: string | undefined;
  /** Gets the focus when it is there. */
  reached: string | undefined;
  onOpen: (id: string | undefined) => void;
  onSearch: (q: string) => void;
  onReplace: (entry: E) => void;
  onVersions: (entry: E) => void;
  children: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const may = kind.mayWrite(useMember());
  const query = useInfiniteQuery(entriesQuery(kind, workspaceId, status));
  const words = wordsOf(status, q);
  const found = useInfiniteQuery(foundEntriesQuery(kind, workspaceId, words, FOUND));
  // The entry that a link has opened may be further down than the pages that are loaded. It is shown above them.
  const [link] = useState(open);
  const isFurtherDown =
    link !== undefined && query.data?.pages.every(({ data }) => data.every(({ id }) => id !== link)) === true;
  const { data: linked } = useQuery({ ...entryQuery(kind, link ?? ""), enabled: isFurtherDown });
  const [asking, setAsking] = useState<E>();
  const verb = status === "approved" ? "archive" : "remove";
  const act = useMutation({
    mutationFn: ({ id }: E) => kind[verb](id),
    onSuccess: (_, entry) =>
      toast(t(verb === "archive" ? "entries.archived" : "entries.removed", { name: kind.titleOf(entry) })),
    onError: (error, entry) =>
      toast(t("entries.failed", { name: kind.titleOf(entry), reason: failureOf(error).sentence }), { failed: true }),
    onSettled: () => {
      setAsking(undefined);
      void client.invalidateQueries({ queryKey: [kind.name] });
    },
  });
  const verbText = t(verb === "archive" ? "entries.archive" : "lists.remove");
  const row = (entry: E): ReactNode => (
    <EntryRow
      kind={kind}
      entry={entry}
      {...(words !== "" && {
        marked: <Marked parts={excerptOf(kind.titleOf(entry), words)} />,
        excerpt: <Marked parts={excerptOf(kind.textOf(entry), words)} />,
      })}
      open={entry.id === open}
      toggle={entry.id === reached ? focusUnlessElsewhere : undefined}
      onToggle={() => onOpen(entry.id === open ? undefined : entry.id)}
      actions={
        <>
          {may && status === "approved" && <Button onClick={() => onReplace(entry)}>{t("entries.replace")}</Button>}
          {may && (
            <Button look={verb === "remove" ? "danger" : "plain"} onClick={() => setAsking(entry)}>
              {verbText}
            </Button>
          )}
          <Button look="quiet" onClick={() => onVersions(entry)}>
            {t("entries.versions")}
          </Button>
        </>
      }
    />
  );
  const isMany = query.data !== undefined && query.data.pages[0]!.data.length >= MANY;
  return (
    <>
      {status === "approved" && <FindInUse kind={kind} q={words} isMany={isMany} onSearch={onSearch} />}
      {words === "" && linked?.status === status && linked.workspaceId === workspaceId && isFurtherDown && (
        <ul aria-label={t("entries.linked")} className="mb-4 overflow-hidden rounded-lg border border-line">
          <li data-row={linked.id}>{row(linked)}</li>
        </ul>
      )}
      {words === "" ? (
        <Paged
          keyOf={({ id }) => id}
          query={query}
          label={t(`${kind.name}.list`)}
          empty={<Empty text={t(`${kind.name}.empty.${status}`)}>{children}</Empty>}
          row={row}
        />
      ) : (
        <Paged
          isExtract
          keyOf={({ entry }) => entry.id}
          query={found}
          label={t(`${kind.name}.list`)}
          empty={
            <Empty text={t("entries.findNone", { text: words })}>
              <Button onClick={() => onSearch("")}>{t("entries.findAll")}</Button>
            </Empty>
          }
          row={({ entry }) => row(entry)}
        />
      )}
      <Confirm
        open={asking !== undefined}
        title={t(verb === "archive" ? "entries.archiveTitle" : "entries.removeTitle", {
          name: asking ? kind.titleOf(asking) : "",
        })}
        verb={verbText}
        danger={verb === "remove"}
        busy={act.isPending}
        onConfirm={() => asking && act.mutate(asking)}
        onClose={() => setAsking(undefined)}
      >
        {t(`${kind.name}.${verb}Explain`)}
      </Confirm>
    </>
  );
}
