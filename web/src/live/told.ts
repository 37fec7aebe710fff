import type { Query, QueryClient } from "@tanstack/react-query";
import { LISTS, readAgain } from "../api/lists.js";

/** What events tell about. */
const TOLD = new Set<unknown>([
  ...LISTS,
  "counts",
  "view-count",
  "conversation",
  "thread",
  "identity-events",
  "assurance",
  "attention",
  "pending-actions",
  "contact",
  "knowledge",
  "policies",
]);

type Place = (query: Query) => void;

/**
 * Writes what events tell into what is loaded. An answer that was on its way meanwhile may be older than the event, so what was
 * told since it was asked for is written again into it.
 */
export function tellQueries(client: QueryClient): { tell: (place: Place) => void; begin: () => void } {
  const told: { at: number; place: Place }[] = [];
  const begun = new WeakMap<Query, number>();
  client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    const { action } = event;
    const query = event.query as Query;
    if (action.type === "fetch") begun.set(query, performance.now());
    else if (action.type === "success" && !action.manual) {
      const since = begun.get(query) ?? 0;
      for (const { at, place } of told) if (at >= since) place(query);
    }
  });
  return {
    tell: (place) => {
      let isReading = false;
      for (const query of client.getQueryCache().getAll()) {
        isReading ||= query.state.fetchStatus === "fetching" && TOLD.has(query.queryKey[0]);
        place(query);
      }
      if (isReading) told.push({ at: performance.now(), place });
      else told.length = 0;
    },
    /** From here on, events tell what changes. What was asked for before is read again. */
    begin: () => readAgain(client, { predicate: ({ queryKey }) => TOLD.has(queryKey[0]) }),
  };
}
