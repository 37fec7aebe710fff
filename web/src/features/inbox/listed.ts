import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { viewsQuery } from "../../api/queries.js";
import { type Filter, isView, type SavedView, viewFilter } from "../../api/views.js";
import { useInboxParams } from "../thread/inbox-params.js";
import { filterOf, type InboxSearch } from "./search.js";

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
  const { view = "all" } = useInboxParams();
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
