import type { Query, QueryClient } from "@tanstack/react-query";
import { LISTS } from "../api/lists.js";

/** An answer that takes longer has failed. */
const KEPT_MS = 35_000;

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
      const at = performance.now();
      const kept = told.findIndex((one) => one.at > at - KEPT_MS);
      told.splice(0, kept < 0 ? told.length : kept);
      told.push({ at, place });
      for (const query of client.getQueryCache().getAll()) place(query);
    },
    /** From here on, events tell what changes. What was asked for before is read again. */
    begin: () => void client.invalidateQueries({ predicate: ({ queryKey }) => TOLD.has(queryKey[0]) }),
  };
}
