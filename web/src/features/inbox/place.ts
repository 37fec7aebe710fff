import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { type Filter, isView, type SavedView, viewFilter, viewsQuery } from "../../api/queries.js";

const STATUSES = ["open", "pending", "snoozed", "resolved"] as const;

/** What the address of the inbox says if the list shows something else than its view. `status` is then always there. */
export interface InboxSearch {
  /** `any`, or statuses with commas between them. */
  status?: string;
  assignee?: string;
  handler?: string;
  channel?: string;
  label?: string;
  unread?: boolean;
  waiting?: boolean;
}

export function inboxSearch(search: Record<string, unknown>): InboxSearch {
  if (typeof search.status !== "string") return {};
  const found: Record<string, unknown> = { status: search.status };
  for (const name of ["assignee", "handler", "channel", "label"])
    // A number in an address is read as one.
    if (["string", "number"].includes(typeof search[name])) found[name] = String(search[name]);
  for (const name of ["unread", "waiting"]) if (typeof search[name] === "boolean") found[name] = search[name];
  return found;
}

function filterOf({ status, assignee, handler, channel, label, unread, waiting }: InboxSearch): Filter {
  const statuses = STATUSES.filter((one) => status?.split(",").includes(one));
  return {
    ...(statuses.length > 0 && { status: statuses }),
    ...(assignee !== undefined && { assigneeId: assignee }),
    ...(handler !== undefined && { handlingMode: handler as NonNullable<Filter["handlingMode"]> }),
    ...(channel !== undefined && { channelType: channel as NonNullable<Filter["channelType"]> }),
    ...(label !== undefined && { label }),
    ...(unread !== undefined && { unread }),
    ...(waiting === true && { sort: "waiting" }),
  };
}

/** The view and the conversation that the address names. */
export const useInboxPlace = (): { view?: string; conversationId?: string } => useParams({ strict: false });

export interface Listed {
  /** The name of a view that everybody has, or the id of a saved one. */
  view: string;
  saved: SavedView | undefined;
  /** What the list shows. Undefined until it is known what was saved. */
  filter: Filter | undefined;
  /** Whether the address says something else than the view. */
  isEdited: boolean;
  /** The saved view is gone. */
  isMissing: boolean;
}

/** What the list shows by its address. */
export function useListed(): Listed {
  const { view = "all" } = useInboxPlace();
  const search: InboxSearch = useSearch({ strict: false });
  const isSaved = !isView(view);
  const { data: views } = useQuery({ ...viewsQuery(), enabled: isSaved });
  const saved = isSaved ? views?.find(({ id }) => id === view) : undefined;
  const isEdited = search.status !== undefined;
  return {
    view,
    saved,
    isEdited,
    isMissing: isSaved && views !== undefined && !saved,
    filter: isEdited ? filterOf(search) : isSaved ? saved && viewFilter(saved) : viewFilter(view),
  };
}
