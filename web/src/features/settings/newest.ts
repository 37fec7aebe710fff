import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { QUIET_MS } from "../../api/paged.js";
import { isTold } from "../../live/query-updates.js";
import { page } from "../../page.js";

/** A list that was read on by hand stays as it is: its rows would move, and each page is a request. */
const isReadOn = (data: unknown): boolean => ((data as { pages?: unknown[] } | undefined)?.pages?.length ?? 1) > 1;

/**
 * Reads what is on the page again when the member comes back to it. No event tells what colleagues change in the settings. Forms keep
 * what was typed into them.
 */
export function useNewest(): void {
  const client = useQueryClient();
  useEffect(() => {
    const read = (): void => {
      if (!page.isVisible) return;
      void client.refetchQueries(
        {
          type: "active",
          predicate: (query) => !isTold(query) && !isReadOn(query.state.data) && query.isStaleByTime(QUIET_MS),
        },
        // The browser tells of it twice: the tab is in front, and has the focus.
        { cancelRefetch: false },
      );
    };
    const over = new AbortController();
    page.on("visibilitychange", read, over.signal);
    addEventListener("focus", read, { signal: over.signal });
    return () => over.abort();
  }, [client]);
}
