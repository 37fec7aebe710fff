import { useInfiniteQuery } from "@tanstack/react-query";
import { Navigate, useNavigate } from "@tanstack/react-router";
import { ListFilter, SquarePen } from "lucide-react";
import { type ReactNode, type Ref, Suspense, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { conversationsQuery } from "../../api/queries.js";
import { isView } from "../../api/views.js";
import { withTexts } from "../../i18n/i18n.js";
import { holdKeys, useKeys } from "../../keyboard/keys.js";
import { manages, mayWrite } from "../../session/roles.js";
import { type Member, useMember } from "../../session/session.js";
import { IconButton } from "../../ui/button.js";
import { compose } from "../../composing.js";
import { sayForgotten } from "../thread/forgotten.js";
import { useInboxParams } from "../thread/inbox-params.js";
import { Conversation as OpenConversation } from "../thread/thread.js";
import { useCursor } from "./cursor.js";
import { ConversationList } from "./list.js";
import { type Listed, useListed } from "./listed.js";
import { useRows } from "./rows.js";
import { SearchDoor } from "./search-door.js";
import { useSelection } from "./selection.js";
import { Views } from "./views.js";

const Filters = withTexts(() => import("./filters.js"));
const FirstSteps = withTexts(
  () => import("./first-steps.js"),
  ({ children }) => children,
);
const BulkBar = withTexts(() => import("./bulk-bar.js"));

const JOB_KEY = "parley.bulk-action";
/** The bulk action that this tab has begun, until its end was seen. */
function useBulkAction(): [string | undefined, (id: string | undefined) => void] {
  const [id, setId] = useState(() => sessionStorage.getItem(JOB_KEY) ?? undefined);
  return [
    id,
    (next) => {
      if (next === undefined) sessionStorage.removeItem(JOB_KEY);
      else sessionStorage.setItem(JOB_KEY, next);
      setId(next);
    },
  ];
}

/** Three panes on wide screens: views and list, thread, contact. On a phone, one at a time. */
export function Inbox(): ReactNode {
  const { t } = useTranslation();
  const { conversationId: open } = useInboxParams();
  const listed = useListed();
  const { view, saved, filter } = listed;
  const navigate = useNavigate();
  const member = useMember();
  const query = useInfiniteQuery({ ...conversationsQuery(filter ?? {}, member.id), enabled: filter !== undefined });
  const [isFiltering, setFiltering] = useState(false);
  const filterButton = useRef<HTMLButtonElement>(null);
  const closeFilters = (): void => {
    setFiltering(false);
    filterButton.current?.focus();
  };
  const [job, setJob] = useBulkAction();
  const rows = useRows(query.data?.pages);
  const list = JSON.stringify([view, filter]);
  const selection = useSelection(list);

  const show = (id: string): void => {
    if (id !== open) holdKeys(sayForgotten);
    void navigate({ to: "/inbox/$view/$conversationId", params: { view, conversationId: id }, search: true });
  };
  const toList = (): void => void navigate({ to: "/inbox/$view", params: { view }, search: true });
  const { cursor, step, takeStep, remember } = useCursor({ open, query, onOpen: show });
  const may = mayWrite(member);
  useKeys({
    next: () => step(1),
    previous: () => step(-1),
    open: cursor !== undefined && open === undefined ? () => show(cursor) : undefined,
    list: open === undefined ? undefined : toList,
    filter: () => setFiltering(true),
    Escape: selection.isActive ? selection.clear : undefined,
  });
  const isFirst = isFirstVisit(listed, query, member);
  if (listed.isMissing) return <Navigate to="/inbox/$view" params={{ view: "all" }} replace />;

  return (
    <div className={`flex min-h-0 flex-1 ${isFirst ? STACKED : ""}`}>
      <h1 className="sr-only">{t("inbox.title")}</h1>
      <div
        className={`flex min-h-0 shrink-0 flex-col border-line max-md:w-full md:w-80 md:border-e 2xl:w-96 ${onPhone(open === undefined)}`}
      >
        <Head
          ref={filterButton}
          listed={listed}
          isFiltering={isFiltering}
          onFilter={() => setFiltering(!isFiltering)}
        />
        <Suspense>
          {(isFiltering || listed.isEdited || saved) && (
            <Filters key={view} listed={listed} isOpen={isFiltering} onClose={closeFilters} />
          )}
        </Suspense>
        <ConversationList
          key={list}
          view={view}
          isEdited={listed.isEdited}
          query={query}
          latest={rows}
          open={open}
          cursor={open ?? cursor}
          selection={may ? selection : undefined}
          onOpen={show}
          onShown={remember}
          onLength={takeStep}
        />
        <Suspense>
          {filter && (selection.isActive || job !== undefined) && (
            <BulkBar selection={selection} filter={filter} job={job} onJob={setJob} />
          )}
        </Suspense>
      </div>
      <div className={`min-h-0 min-w-0 flex-1 ${onPhone(open !== undefined || isFirst)}`}>
        {open === undefined ? <NothingOpen isFirst={isFirst} /> : <OpenConversation id={open} onBack={toList} />}
      </div>
    </div>
  );
}

/** On a phone, there is room for one of them. */
const onPhone = (isShown: boolean): string => (isShown ? "" : "max-md:hidden");
/** On a phone, the steps are below the list. */
const STACKED = "max-md:flex-col max-md:overflow-y-auto";

/** Whether nobody has written yet. */
const isFirstVisit = (
  { view, isEdited }: Listed,
  { data }: { data: { pages: readonly { data: readonly unknown[] }[] } | undefined },
  member: Member,
): boolean => view === "all" && !isEdited && manages(member) && data?.pages[0]?.data.length === 0;

function NothingOpen({ isFirst }: { isFirst: boolean }): ReactNode {
  const { t } = useTranslation();
  const pick = (
    <div className="max-md:hidden">
      <p className="mb-1 text-lg">{t("inbox.pick")}</p>
      <p>{t("inbox.pickHint")}</p>
    </div>
  );
  return (
    <div className="flex h-full flex-col items-center justify-center gap-1 p-6 text-center text-muted">
      <Suspense>{isFirst ? <FirstSteps>{pick}</FirstSteps> : pick}</Suspense>
    </div>
  );
}

/** Which view is listed, the way to the others, and the button that narrows it. */
function Head({
  ref,
  listed: { view, saved, isEdited },
  isFiltering,
  onFilter,
}: {
  ref: Ref<HTMLButtonElement>;
  listed: Listed;
  isFiltering: boolean;
  onFilter: () => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="border-b border-line">
      <div className="flex items-center gap-1 pe-1">
        <Views view={view} className="flex min-w-0 flex-1 gap-1 overflow-x-auto p-2 fade-ends xl:hidden" />
        <h2 className="hidden min-w-0 flex-1 truncate px-3 py-2.5 font-semibold xl:block">
          <bdi>{isView(view) ? t(`inbox.view.${view}`) : saved?.name}</bdi>
        </h2>
        <IconButton
          ref={ref}
          label={t("inbox.filter")}
          aria-expanded={isFiltering}
          onClick={onFilter}
          className={isEdited ? "text-accent" : ""}
        >
          <ListFilter size={16} />
        </IconButton>
        {mayWrite(useMember()) && (
          <IconButton label={t("inbox.compose")} aria-keyshortcuts="C" onClick={() => compose()}>
            <SquarePen size={16} />
          </IconButton>
        )}
      </div>
      <SearchDoor />
    </div>
  );
}
