import type { QueryClient } from "@tanstack/react-query";
import type { Conversation } from "../api/parley.js";
import type { Heard } from "./live.js";

/** A list is read again at most this often, however much happens: forty operators may share one address and its rate limit. */
const LIST_MS = 10_000;
const COUNTS_MS = 30_000;
/** Each saved view is a request. */
const VIEW_COUNTS_MS = 120_000;

interface Rows {
  pages: { data: Conversation[] }[];
}

/** Runs at once, and then at most once in each period. What came meanwhile runs at its end. */
function throttle(run: () => void, periodMs: number): () => void {
  let last = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const go = (): void => {
    last = Date.now();
    timer = undefined;
    run();
  };
  return () => {
    if (timer !== undefined) return;
    const wait = last + periodMs - Date.now();
    if (wait <= 0) go();
    else timer = setTimeout(go, wait);
  };
}

/** Keeps what is loaded fresh: a row by what the event says, the rest by reading again what is on the screen. */
export function applyEvents(client: QueryClient): (event: Heard) => void {
  const readAgain = (...queryKey: string[]) => void client.invalidateQueries({ queryKey });
  const lists = throttle(() => readAgain("conversations"), LIST_MS);
  const builtIn = throttle(() => readAgain("counts"), COUNTS_MS);
  const saved = throttle(() => readAgain("view-count"), VIEW_COUNTS_MS);
  const counts = (): void => {
    builtIn();
    saved();
  };
  const changeRow = (id: string, change: Partial<Conversation>): void => {
    client.setQueriesData<Rows>({ queryKey: ["conversations"] }, (rows) =>
      rows?.pages.some(({ data }) => data.some((row) => row.id === id))
        ? {
            ...rows,
            pages: rows.pages.map((page) => ({
              ...page,
              data: page.data.map((row) => (row.id === id ? { ...row, ...change } : row)),
            })),
          }
        : rows,
    );
  };

  return ({ type, data }) => {
    const { conversationId: id } = data;
    switch (type) {
      case "reset":
        void client.invalidateQueries();
        return;
      case "conversation.created":
        lists();
        counts();
        return;
      case "conversation.updated": {
        if (id === undefined) return;
        const { status, handlingMode, assigneeId, messageCount } = data as unknown as Conversation;
        changeRow(id, { status, handlingMode, assigneeId, messageCount });
        readAgain("conversation", id);
        lists();
        if (data.previousStatus !== undefined) counts();
        return;
      }
      case "message.created":
      case "message.updated":
        if (id !== undefined) readAgain("thread", id);
        return;
      case "viewing.changed":
        if (id !== undefined) readAgain("viewers", id);
        return;
      case "presence.changed":
        readAgain("members");
        return;
    }
    if (type.startsWith("identity_event.") && id !== undefined) {
      readAgain("identity-events", id);
      readAgain("assurance", id);
    } else if (type.startsWith("attention_item.")) readAgain("attention");
    else if (type.startsWith("kb_entry.")) readAgain("knowledge");
    else if (type.startsWith("policy_entry.")) readAgain("policies");
  };
}
