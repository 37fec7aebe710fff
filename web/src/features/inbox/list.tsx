import { type InfiniteData, useQuery, type UseInfiniteQueryResult } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import {
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import type { Conversation } from "../../api/parley.js";
import { displayNameOf, useContacts } from "../../api/contacts.js";
import { membersQuery } from "../../api/queries.js";
import { isView } from "../../api/views.js";
import { useKeys } from "../../keyboard/keys.js";
import { useLooks } from "../../live/looking.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { useColours } from "../../ui/label.js";
import { isCompact } from "../../preferences/density.js";
import { isPlainClick } from "../../ui/page-link.js";
import { Empty, Failed, Skeleton } from "../../ui/states.js";
import { useMinute } from "../../ui/time.js";
import { useVirtualRows, useElementKeys } from "./virtual-rows.js";
import { useHeldRows } from "./held-rows.js";
import { ConversationRow, SelectRow } from "./row.js";
import { NO_PAGES } from "./rows.js";
import type { Selection } from "./selection.js";

/** Every row has this height, in pixels. */
const rowHeight = (): number =>
  (isCompact() ? 3.5 : 5) * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
/** So many rows before the end, the next page is asked for. */
const AHEAD = 15;

type Query = UseInfiniteQueryResult<InfiniteData<{ data: Conversation[] }>>;

/** The list of a view. While the pointer is on it or something is selected, its rows stay where they are, and new ones wait. */
export function ConversationList({
  view,
  isEdited,
  query,
  latest,
  open,
  cursor,
  selection,
  onOpen,
  onShown,
  onLength,
}: {
  view: string;
  /** It shows something else than its view. */
  isEdited: boolean;
  query: Query;
  /** The rows of all pages. */
  latest: Conversation[];
  open: string | undefined;
  cursor: string | undefined;
  /** Missing for members who change nothing. */
  selection: Selection | undefined;
  onOpen: (id: string) => void;
  /** Called with what the list shows, and at which of its rows the cursor is: -1 at none. */
  onShown: (rows: Conversation[], at: number) => void;
  /** Called when there are more or fewer rows. */
  onLength: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { data, error, isPending, hasNextPage, isFetching, fetchNextPage, refetch } = query;
  const isSelecting = selection?.isActive ?? false;
  const { rows, waiting, enter, leave, showNew } = useHeldRows(data?.pages ?? NO_PAGES, latest, isSelecting);

  const scroll = useRef<HTMLDivElement>(null);
  const [rowPx] = useState(rowHeight);
  const { from, to, ref } = useVirtualRows(rows.length, rowPx);
  const attach = useCallback(
    (box: HTMLDivElement) => {
      scroll.current = box;
      const detach = ref(box);
      return () => {
        scroll.current = null;
        detach?.();
      };
    },
    [ref],
  );
  const last = to - 1;
  useEffect(() => {
    // Two requests at once would cancel each other.
    if (hasNextPage && !isFetching && !error && last >= rows.length - AHEAD) void fetchNextPage();
  }, [hasNextPage, isFetching, error, last, rows.length, fetchNextPage]);
  useKeys({
    select:
      selection &&
      ((event) => {
        const focused = document.activeElement?.closest<HTMLElement>("[data-conversation]")?.dataset.conversation;
        const id = focused ?? cursor;
        if (id !== undefined) selection.toggle(id, rows, event?.shiftKey);
      }),
  });
  const at = cursor === undefined ? -1 : rows.findIndex(({ id }) => id === cursor);
  const tell = useEffectEvent(onShown);
  useLayoutEffect(() => tell(rows, at), [rows, at]);
  const lengthChanged = useEffectEvent(onLength);
  useEffect(() => lengthChanged(), [rows.length]);
  const showCursor = useEffectEvent(() => {
    const box = scroll.current;
    if (!box || at < 0) return;
    const top = at * rowPx;
    box.scrollTop = Math.min(Math.max(box.scrollTop, top + rowPx - box.clientHeight), top);
  });
  const isCursorThere = at >= 0;
  useEffect(() => showCursor(), [isCursorThere, cursor]);

  return (
    <section
      aria-label={t("inbox.list")}
      className="relative flex min-h-0 flex-1 flex-col"
      onPointerEnter={({ pointerType }) => enter(pointerType === "mouse")}
      onPointerLeave={leave}
    >
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {waiting > 0 && (
        <Button
          look="primary"
          small
          className="absolute inset-x-0 top-2 z-10 mx-auto w-fit rounded-full shadow-popup"
          onClick={() => {
            showNew();
            scroll.current?.scrollTo({ top: 0 });
          }}
        >
          {t("inbox.new", { count: waiting })}
        </Button>
      )}
      {isPending && !error ? (
        <Skeleton lines={8} />
      ) : rows.length === 0 && !error ? (
        <Nothing view={view} isEdited={isEdited} />
      ) : (
        <div ref={attach} className="min-h-0 flex-1 overflow-y-auto">
          <Rows
            view={view}
            rowPx={rowPx}
            rows={rows}
            from={from}
            to={to}
            open={open}
            cursor={cursor}
            selection={selection}
            onOpen={onOpen}
          />
          {!hasNextPage && rows.length > AHEAD && (
            <p className="p-4 text-center text-sm text-muted">{t("inbox.end")}</p>
          )}
        </div>
      )}
    </section>
  );
}

/** A list without rows, and where there may be some. */
function Nothing({ view, isEdited }: { view: string; isEdited: boolean }): ReactNode {
  const { t } = useTranslation();
  const isAll = view === "all" && !isEdited;
  return (
    <Empty text={t(`inbox.empty.${isView(view) && !isEdited ? view : "filtered"}`)}>
      <Link to="/inbox/$view" params={{ view: isAll ? "resolved" : "all" }} className="text-accent hover:underline">
        {t(isAll ? "inbox.empty.actAll" : "inbox.empty.act")}
      </Link>
    </Empty>
  );
}

/** The rows that are rendered, with what they share. */
function Rows({
  view,
  rows,
  from,
  to,
  open,
  cursor,
  selection,
  rowPx,
  onOpen,
}: {
  view: string;
  rows: Conversation[];
  rowPx: number;
  /** The first row that is rendered, and the one after the last. */
  from: number;
  to: number;
  open: string | undefined;
  cursor: string | undefined;
  selection: Selection | undefined;
  onOpen: (id: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  const rendered = rows.slice(from, to);
  const keys = useElementKeys(rendered.map(({ id }) => id));
  const contacts = useContacts(rendered.map(({ contactId }) => contactId));
  /** Empty until the name has loaded, so that no row says "Unnamed contact" for a moment. */
  const nameOfContact = (id: string): string => {
    const contact = contacts(id);
    return contact === undefined ? "" : displayNameOf(contact);
  };
  const { searchStr: search } = useLocation();
  const me = useMember();
  const { data: members } = useQuery(membersQuery());
  const [colourOf, minute] = [useColours(), useMinute()];
  const shared = useMemo(
    () => ({ t, memberId: me.id, members, colourOf, minute, isCompact: isCompact() }),
    [t, me.id, members, colourOf, minute],
  );
  const looks = useLooks();
  const lookingAt = (id: string): string =>
    (looks.get(id) ?? [])
      .filter(({ memberId }) => memberId !== me.id)
      .map(({ memberId }) => members?.get(memberId)?.name ?? t("common.somebody"))
      .join(", ");
  const follow = (event: MouseEvent<HTMLElement>): void => {
    const link = (event.target as Element).closest("a")?.closest<HTMLElement>("[data-conversation]");
    if (!link || !isPlainClick(event)) return;
    event.preventDefault();
    onOpen(link.dataset.conversation!);
  };
  return (
    // One listener for the links of all rows.
    <div role="presentation" onClick={follow}>
      <ul className="relative" style={{ height: rows.length * rowPx }}>
        {rendered.map((row, offset) => (
          <li
            key={keys[offset]}
            data-index={from + offset}
            data-conversation={row.id}
            className="group absolute inset-x-0 top-0 contain-strict"
            style={{ height: rowPx, transform: `translateY(${(from + offset) * rowPx}px)` }}
          >
            <ConversationRow
              conversation={row}
              name={nameOfContact(row.contactId)}
              href={`/inbox/${view}/${row.id}${search}`}
              isOpen={row.id === open}
              isCursor={row.id === cursor}
              isSelected={selection?.has(row.id) ?? false}
              canSelect={selection !== undefined}
              looking={lookingAt(row.id)}
              shared={shared}
            />
            {selection && (
              <SelectRow
                label={t("inbox.select", { name: nameOfContact(row.contactId) })}
                isSelected={selection.has(row.id)}
                isSelecting={selection.isActive}
                onToggle={(range) => selection.toggle(row.id, rows, range)}
              />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
