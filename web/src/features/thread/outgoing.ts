import type { QueryClient } from "@tanstack/react-query";
import { createStore, entries, del, set } from "idb-keyval";
import { useSyncExternalStore } from "react";
import { isTemporary } from "../../api/failure.js";
import { type Message, parley } from "../../api/parley.js";
import type { Draft } from "../../drafts/drafts.js";
import { restoreDraft } from "../../drafts/open-draft.js";
import type { Thread } from "../../api/queries.js";
import { isLive } from "../../live/live.js";
import { environment, sessionSignal, signedInAs } from "../../session/session.js";

/** A reply or a note on its way to the server. Its key makes sure that it arrives once, however often it is sent. */
export interface Outgoing {
  key: string;
  environment: string;
  memberId: string;
  conversationId: string;
  kind: "reply" | "note";
  body: string;
  files: Draft["files"];
  /** The members whom a note names. */
  mentions: string[];
  /** The version on the server of the draft that it was. The server deletes it. */
  draftUpdatedAt: string | undefined;
  ifLastSequence: number | undefined;
  /** For how long it can be taken back; undefined if the channel sends at once. */
  holdSeconds: number | undefined;
  at: string;
  /** The message that it has become. */
  messageId?: string;
}

/** Not `randomUUID`, which browsers have only on secure pages. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

const store = createStore("parley-outgoing", "outgoing");
/** The event of what was sent comes within this time. */
const EVENT_MS = 1_500;
const READS = 6;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;

let waiting: readonly Outgoing[] = [];
const listeners = new Set<() => void>();
function change(next: readonly Outgoing[]): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Until the connection is back, or a while has passed. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      removeEventListener("online", go);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(go, ms);
    addEventListener("online", go);
  });

async function deliver({
  conversationId,
  kind,
  body,
  files,
  mentions,
  draftUpdatedAt,
  ifLastSequence,
  holdSeconds,
  key,
}: Outgoing): Promise<string> {
  const common = { body, draftUpdatedAt, ...(files.length > 0 && { attachmentIds: files.map(({ id }) => id) }) };
  if (kind === "note") {
    const note = await parley.conversations.addNote(
      conversationId,
      { ...common, ...(mentions.length > 0 && { mentions }) },
      { idempotencyKey: key, signal: sessionSignal() },
    );
    return note.id;
  }
  const { messageId } = await parley.conversations.reply(
    conversationId,
    { ...common, bodyFormat: "markdown", ifLastSequence, holdSeconds, clientMessageId: key },
    { idempotencyKey: key, signal: sessionSignal() },
  );
  return messageId;
}

/**
 * Sends it, and again until there is an answer. It is on the disk first, so that it survives a reload.
 * @returns the id of the message
 * @throws ParleyError if the server refuses it; nothing was sent then
 */
export async function send(outgoing: Outgoing): Promise<string> {
  await set(outgoing.key, outgoing, store).catch(() => undefined);
  change([...waiting.filter(({ key }) => key !== outgoing.key), outgoing]);
  try {
    for (let wait = MIN_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
      // Somebody else may have signed in meanwhile. It goes out in the name of whoever wrote it, or it waits.
      if (signedInAs() !== outgoing.memberId) {
        await pause(MAX_WAIT_MS);
        continue;
      }
      try {
        const messageId = await deliver(outgoing);
        change(waiting.map((one) => (one.key === outgoing.key ? { ...one, messageId } : one)));
        return messageId;
      } catch (error) {
        if (!isTemporary(error)) throw error;
        await pause(wait);
      }
    }
  } finally {
    await del(outgoing.key, store).catch(() => undefined);
  }
}

/** Waits until the thread has what was sent. An event brings it. Without one, the thread is read. */
export async function arrival(client: QueryClient, conversationId: string, messageId: string): Promise<void> {
  const thread = ["thread", conversationId];
  const isThere = (): boolean =>
    client.getQueryData<Thread>(thread)?.messages.some(({ id }) => id === messageId) ?? false;
  if (isLive() && !isThere())
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        forgetCache();
        resolve();
      };
      const timer = setTimeout(end, EVENT_MS);
      const forgetCache = client.getQueryCache().subscribe(() => {
        if (isThere()) end();
      });
    });
  if (isThere()) return;
  // The server may have gone away with its answer.
  for (let attempt = 0; !isThere() && attempt < READS; attempt++) {
    if (attempt) await pause(MIN_WAIT_MS * 2 ** attempt);
    await client.refetchQueries({ queryKey: thread });
  }
  if (!isLive()) void client.invalidateQueries({ queryKey: ["conversation", conversationId] });
}

/** Takes it off the screen, once the thread has it. */
export const forget = (key: string): void => change(waiting.filter((one) => one.key !== key));

/**
 * Sends what an earlier visit of this member left unsent, on this side. Another tab may do the same: the key makes it one message.
 * What the server refuses becomes part of the draft again.
 */
export async function sendUnsent(
  memberId: string,
  refused: (error: unknown, conversationId: string) => void,
): Promise<void> {
  const all = await entries<string, Outgoing>(store).catch(() => []);
  for (const [key, one] of all) {
    if (one.memberId !== memberId || one.environment !== environment()) continue;
    if (waiting.some((other) => other.key === key)) continue;
    send(one)
      .catch(async (error: unknown) => {
        await restoreDraft(memberId, one.conversationId, { mode: one.kind, text: one.body, files: one.files });
        refused(error, one.conversationId);
      })
      .finally(() => forget(key))
      .catch(() => undefined);
  }
}

const shown = new WeakMap<readonly Outgoing[], Map<string, Message[]>>();

/** What is on its way in a conversation, as messages. */
export function useOutgoing(conversationId: string): Message[] {
  const now = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting,
  );
  let byConversation = shown.get(now);
  if (!byConversation) shown.set(now, (byConversation = new Map<string, Message[]>()));
  let messages = byConversation.get(conversationId);
  if (!messages)
    byConversation.set(
      conversationId,
      (messages = now.filter((one) => one.conversationId === conversationId).map(asMessage)),
    );
  return messages;
}

const asMessage = ({ key, messageId, conversationId, kind, memberId, body, mentions, at }: Outgoing): Message => ({
  id: messageId ?? key,
  conversationId,
  direction: kind === "note" ? "internal" : "outbound",
  authorType: "member",
  authorId: memberId,
  body,
  bodyFormat: kind === "note" ? "text" : "markdown",
  attachments: [],
  mentions,
  heldUntil: null,
  citations: [],
  externalId: null,
  clientMessageId: null,
  deliveryStatus: "queued",
  confidence: null,
  authentication: null,
  redactedAt: null,
  occurredAt: at,
  createdAt: at,
  sequence: Number.MAX_SAFE_INTEGER,
});
