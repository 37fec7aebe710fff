import type { Query, QueryClient } from "@tanstack/react-query";
import { LISTS, readAgain } from "../api/lists.js";

/** The queries that events keep current, by the first part of their keys. */
const UPDATED = new Set<unknown>([
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

/** Whether events keep a query current. */
export const isTold = ({ queryKey }: Pick<Query, "queryKey">): boolean => UPDATED.has(queryKey[0]);

type Update = (query: Query) => void;

/**
 * Writes what events say into what is loaded. An answer that was on its way meanwhile may be older than the event, so what was
 * written since it was asked for is written again into it.
 */
export function queryUpdates(client: QueryClient): { apply: (update: Update) => void; begin: () => void } {
  const recent: { at: number; update: Update }[] = [];
  const begun = new WeakMap<Query, number>();
  client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated") return;
    const { action } = event;
    const query = event.query as Query;
    if (action.type === "fetch") begun.set(query, performance.now());
    else if (action.type === "success" && !action.manual) {
      const since = begun.get(query) ?? 0;
      for (const { at, update } of recent) if (at >= since) update(query);
    }
  });
  return {
    apply: (update) => {
      let isReading = false;
      for (const query of client.getQueryCache().getAll()) {
        isReading ||= query.state.fetchStatus === "fetching" && isTold(query);
        update(query);
      }
      if (isReading) recent.push({ at: performance.now(), update });
      else recent.length = 0;
    },
    /** From here on, events tell what changes. What was asked for before is read again. */
    begin: () => readAgain(client, { predicate: isTold }),
  };
}
