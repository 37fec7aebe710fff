import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  type ComponentProps,
  type FormEvent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { useKeys } from "../../keyboard/keys.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Alert } from "../../ui/field.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { best } from "../../ui/match.js";
import { SearchField } from "../../ui/search-field.js";
import { Empty, Failed, Skeleton } from "../../ui/states.js";
import { TextArea } from "../../ui/text-area.js";
import { toast } from "../../ui/toasts.js";
import { type OfPage, ofPage } from "./of-page.js";
import { EntryRow } from "./entry-row.js";
import { Impact } from "./impact.js";
import { type Entry, type Kind, MANY } from "./kinds.js";
import { Overtaken } from "./overtaken.js";
import { pendingQuery } from "./queries.js";
import type { EntriesSearch } from "./search.js";

const ApprovePage = lazy(() => import("./approve-page.js"));

interface Props<E extends Entry> {
  kind: Kind<E>;
  workspaceId: string;
  /** Only what this source proposed. */
  sourceId: string | undefined;
  /** Only what has these words. */
  q: string | undefined;
  /** The entry that the address names. Without one, the first is open. */
  open: string | undefined;
  /** The entry that the member has just written. The keyboard goes on there. */
  reached: string | undefined;
  onOpen: (id: string | undefined) => void;
  onSearch: (q: string) => void;
  onEdit: (entry: E) => void;
  onVersions: (entry: E) => void;
  children: ReactNode;
}

interface Decision<E> {
  entry: E;
  approve: boolean;
  reason: string | null;
}

/** What has all the words, in the order of the list: in its title, its text, or the name of the place where it was read. */
function matching<E extends Entry>(kind: Kind<E>, entries: readonly E[] | undefined, q = ""): readonly E[] | undefined {
  if (!entries || q === "") return entries;
  const found = new Set(
    best(entries, q, (entry) => {
      const place = "readFrom" in entry ? entry.readFrom : null;
      return [kind.titleOf(entry), kind.textOf(entry), place?.section, place?.url].join(" ");
    }),
  );
  return entries.filter((entry) => found.has(entry));
}

/**
 * The entry that is open: the one that is asked for, or else the first. While the one that is asked for is on its way, none is: a key
 * would decide about another one.
 */
const openOf = <E extends Entry>(
  entries: readonly E[] | undefined,
  open: string | undefined,
  isOnItsWay: boolean,
): E | undefined =>
  entries?.find(({ id }) => id === open) ?? (open !== undefined && isOnItsWay ? undefined : entries?.[0]);

/** The entries that wait, oldest first. One is open at a time; after a decision, the next one. */
export function Review<E extends Entry>({
  kind,
  workspaceId,
  sourceId,
  q,
  open,
  reached,
  onOpen,
  onSearch,
  onEdit,
  onVersions,
  children,
}: Props<E>): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const may = kind.mayWrite(useMember());
  const pending = pendingQuery(kind, workspaceId, sourceId);
  const { data: all, error, isFetching, isPending, refetch } = useQuery(pending);
  const entries = useMemo(() => matching(kind, all, q), [kind, all, q]);
  /** Why some entries of a page could not be approved. */
  const [failed, setFailed] = useState<ReadonlyMap<string, string>>(new Map());
  /** The page that the member is asked about. */
  const [page, setPage] = useState<OfPage>();
  const [closed, setClosed] = useState(false);
  /** The entry whose impact somebody has asked for. */
  const [weighed, setWeighed] = useState<string>();
  const [rejecting, setRejecting] = useState<E>();
  /** The entries as they were when they were opened. What was changed since is shown. */
  const [opened, setOpened] = useState<ReadonlyMap<string, E>>(new Map());
  const isOnItsWay = isFetching && !opened.has(open ?? "");
  const current = closed ? undefined : openOf(entries, open, isOnItsWay);
  const shown = current?.id;

  // After a decision, and with J and K, the keyboard goes on at the entry that opens.
  const toggles = useRef(new Map<string, HTMLButtonElement>());
  const done = useRef<HTMLDivElement>(null);
  const follow = useRef(false);
  useEffect(() => {
    if (!follow.current) return;
    follow.current = false;
    if (shown === undefined) done.current?.focus();
    else {
      const toggle = toggles.current.get(shown);
      toggle?.focus();
      toggle?.closest("li")?.scrollIntoView({ block: "nearest" });
    }
  }, [shown, failed]);
  useEffect(() => {
    // Unless the member has gone on elsewhere meanwhile.
    if (shown === undefined || shown !== reached || document.activeElement?.id !== "content") return;
    const toggle = toggles.current.get(shown);
    toggle?.focus();
    toggle?.closest("li")?.scrollIntoView({ block: "nearest" });
  }, [shown, reached]);

  const decide = useMutation({
    mutationFn: ({ entry, approve, reason }: Decision<E>) =>
      approve ? kind.approve(entry) : kind.reject(entry, reason),
    onMutate: async ({ entry: { id } }) => {
      await client.cancelQueries({ queryKey: pending.queryKey });
      const before = client.getQueryData<E[]>(pending.queryKey);
      const at = entries?.findIndex((one) => one.id === id) ?? -1;
      follow.current = true;
      onOpen((entries?.[at + 1] ?? entries?.[at - 1])?.id);
      client.setQueryData<E[]>(
        pending.queryKey,
        before?.filter((one) => one.id !== id),
      );
      return before;
    },
    onSuccess: (_, { entry, approve }) =>
      toast(t(approve ? "entries.approved" : "entries.rejected", { name: kind.titleOf(entry) })),
    onError: (failure, { entry }, before) => {
      client.setQueryData(pending.queryKey, before);
      onOpen(entry.id);
      toast(t("entries.failed", { name: kind.titleOf(entry), reason: failureOf(failure).sentence }), { failed: true });
    },
    onSettled: () => void client.invalidateQueries({ queryKey: [kind.name] }),
  });

  const step = (by: number) => () => {
    if (!entries?.length) return;
    const at = entries.findIndex(({ id }) => id === shown);
    const next = entries[Math.min(Math.max(at + by, 0), entries.length - 1)];
    if (!next || next.id === shown) return;
    follow.current = true;
    setClosed(false);
    onOpen(next.id);
  };
  if (current && !opened.has(current.id)) setOpened(new Map(opened).set(current.id, current));
  useKeys({
    next: step(1),
    previous: step(-1),
    approve:
      may && current && !decide.isPending
        ? () => decide.mutate({ entry: current, approve: true, reason: null })
        : undefined,
  });

  const reject = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const reason = (new FormData(event.currentTarget).get("reason") as string).trim() || null;
    if (rejecting) decide.mutate({ entry: rejecting, approve: false, reason });
    setRejecting(undefined);
  };
  return (
    <>
      <Find
        kind={kind}
        q={q}
        all={all}
        found={entries?.length}
        onSearch={onSearch}
        onEnter={() => toggles.current.get(shown ?? "")?.focus()}
      />
      {sourceId !== undefined && (
        <p className="mb-3 flex flex-wrap gap-x-3 text-sm text-muted">
          {t("knowledgeSources.onlyOne")}
          <Link
            to="/knowledge"
            search={({ source: _, entry: __, ...others }: EntriesSearch) => others}
            className="text-accent hover:underline"
          >
            {t("knowledgeSources.showAll")}
          </Link>
        </p>
      )}
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending ? (
        <Skeleton lines={4} />
      ) : entries?.length === 0 ? (
        <div ref={done} tabIndex={-1} className="outline-none">
          <Nothing kind={kind} q={q} all={all} onSearch={onSearch}>
            {children}
          </Nothing>
        </div>
      ) : (
        <ul
          aria-label={t("entries.queue")}
          className="flex flex-col divide-y divide-line rounded-lg border border-line"
        >
          {entries?.map((entry) => (
            <li key={entry.id}>
              <EntryRow
                kind={kind}
                entry={entry}
                open={entry.id === shown}
                onToggle={() => {
                  setClosed(entry.id === shown);
                  onOpen(entry.id);
                }}
                toggle={(button) => {
                  if (button) toggles.current.set(entry.id, button);
                  else toggles.current.delete(entry.id);
                }}
                excerpt={failed.has(entry.id) ? <span className="text-danger">{failed.get(entry.id)}</span> : undefined}
                news={
                  <>
                    {failed.has(entry.id) && <Alert>{failed.get(entry.id)}</Alert>}
                    <OvertakenHere kind={kind} before={opened.get(entry.id)} now={entry} />
                  </>
                }
                extra={
                  <>
                    {may && <AllOfPage entry={entry} all={all} listed={entries} onAsk={setPage} />}
                    {entry.id === weighed && <Impact id={entry.id} workspaceId={workspaceId} />}
                  </>
                }
                actions={
                  (may || entry.version > 1 || kind.name === "knowledge") && (
                    <>
                      {may && (
                        <>
                          <Button
                            look="primary"
                            aria-keyshortcuts="Y"
                            // The next entry opens here. The second click of a double click must not approve it.
                            onClick={({ detail }) =>
                              detail < 2 && decide.mutate({ entry, approve: true, reason: null })
                            }
                          >
                            {t("entries.approve")}
                          </Button>
                          <Button onClick={() => onEdit(entry)}>{t("lists.edit")}</Button>
                          <Button look="danger" onClick={() => setRejecting(entry)}>
                            {t("entries.reject")}
                          </Button>
                        </>
                      )}
                      {kind.name === "knowledge" && entry.id !== weighed && (
                        <Button look="quiet" onClick={() => setWeighed(entry.id)}>
                          {t("impact.show")}
                        </Button>
                      )}
                      {entry.version > 1 && (
                        <Button look="quiet" onClick={() => onVersions(entry)}>
                          {t("entries.versions")}
                        </Button>
                      )}
                    </>
                  )
                }
              />
            </li>
          ))}
        </ul>
      )}
      <AskOfPage
        page={page}
        onClose={() => setPage(undefined)}
        onDone={(reasons) => {
          setPage(undefined);
          setFailed(reasons);
          // The button that the focus would return to is gone.
          follow.current = true;
          onOpen([...reasons.keys()][0] ?? page?.next);
        }}
      />
      <Dialog open={rejecting !== undefined} onClose={() => setRejecting(undefined)} title={t("entries.rejectTitle")}>
        <form onSubmit={reject} className="flex flex-col gap-4">
          <p dir="auto" className="font-medium break-words">
            {rejecting && kind.titleOf(rejecting)}
          </p>
          <TextArea
            label={t("entries.reason")}
            hint={t("entries.reasonHint")}
            name="reason"
            maxLength={2000}
            {...FIRST_FIELD}
          />
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={() => setRejecting(undefined)}>{t("common.cancel")}</Button>
            <Button type="submit" look="danger">
              {t("entries.reject")}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}

/** A field that finds entries among those that wait, where there are many, with how many of all have the words. */
function Find<E extends Entry>({
  kind,
  q = "",
  all,
  found,
  onSearch,
  onEnter,
}: {
  kind: Kind<E>;
  q: string | undefined;
  all: readonly E[] | undefined;
  found: number | undefined;
  onSearch: (q: string) => void;
  onEnter: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const total = all?.length ?? 0;
  if (q === "" && total < MANY) return null;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="min-w-60 flex-1">
        <SearchField
          label={t(`${kind.name}.findPending`)}
          placeholder={t(`${kind.name}.findPending`)}
          value={q}
          onSearch={onSearch}
          onEnter={onEnter}
        />
      </div>
      <p role="status" className="text-sm text-muted tabular-nums empty:hidden">
        {q !== "" && found !== undefined && t("entries.findCount", { count: found, total })}
      </p>
    </div>
  );
}

/** Why the list is empty: nothing waits, or nothing that waits has the words. */
function Nothing<E extends Entry>({
  kind,
  q = "",
  all,
  onSearch,
  children,
}: {
  kind: Kind<E>;
  q: string | undefined;
  all: readonly E[] | undefined;
  onSearch: (q: string) => void;
  children: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  return all?.length ? (
    <Empty text={t("entries.findNone", { text: q })}>
      <Button onClick={() => onSearch("")}>{t("entries.findAll")}</Button>
    </Empty>
  ) : (
    <Empty text={t(`${kind.name}.empty.pending`)}>{children}</Empty>
  );
}

function AskOfPage({
  page,
  ...then
}: { page: OfPage | undefined } & Omit<ComponentProps<typeof ApprovePage>, "page">): ReactNode {
  return <Suspense>{page && <ApprovePage page={page} {...then} />}</Suspense>;
}

/** Offers to approve all that was read from the page of an entry, if more of it waits. */
function AllOfPage({
  entry,
  all = [],
  listed = [],
  onAsk,
}: {
  entry: Entry;
  all: readonly Entry[] | undefined;
  listed: readonly Entry[] | undefined;
  onAsk: (page: OfPage) => void;
}): ReactNode {
  const { t } = useTranslation();
  const page = ofPage(entry, all, listed);
  return (
    page && (
      <Button small className="mt-4" onClick={() => onAsk(page)}>
        {t("entries.page.button", { count: page.entries.length })}
      </Button>
    )
  );
}

/** What somebody has changed of an entry while it was open here. */
const OvertakenHere = <E extends Entry>({
  kind,
  before,
  now,
}: {
  kind: Kind<E>;
  before: E | undefined;
  now: E;
}): ReactNode => {
  const { t } = useTranslation();
  return (
    before &&
    before.version < now.version && (
      <div className="mb-4">
        <Overtaken kind={kind} before={before} now={now} hint={t("entries.overtakenReview")} />
      </div>
    )
  );
};
