import type { QueryClient } from "@tanstack/react-query";
import { createStore, del, entries, set } from "idb-keyval";
import { useSyncExternalStore } from "react";
import { type Message, parley } from "../../api/parley.js";
import { restoreDraft } from "../../drafts/open-draft.js";
import { isLive } from "../../live/live.js";
import { page } from "../../page.js";
import { environment, sessionSignal, signedInAs } from "../../session/session.js";
import { arrivalOf, Outbox, type Outgoing } from "./outbox.js";

const store = createStore("parley-outgoing", "outgoing");

/** What this tab sends. */
const outbox = new Outbox({
  server: parley.conversations,
  disk: {
    set: (key, outgoing) => set(key, outgoing, store),
    remove: (key) => del(key, store),
    readAll: () => entries<string, Outgoing>(store),
  },
  page,
  session: { signedInAs, environment, signal: sessionSignal },
  restoreDraft,
});

export const { send, forget, sendUnsent } = outbox;

/** Waits until the thread has what was sent. */
export const arrival = (client: QueryClient, conversationId: string, messageId: string): Promise<void> =>
  arrivalOf(client, conversationId, messageId, { isLive, page });

/** What is on its way in a conversation, as messages. */
export const useOutgoing = (conversationId: string): Message[] =>
  useSyncExternalStore(outbox.subscribe, () => outbox.messagesOf(conversationId));
