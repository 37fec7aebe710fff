import { ParleyError } from "@parley/sdk/core";
import type { QueryClient } from "@tanstack/react-query";
import type { Message, parley } from "../../api/parley.js";
import type { Thread } from "../../api/queries.js";
import { isTemporary } from "../../api/temporary.js";
import type { Cited, Draft, People } from "../../drafts/drafts.js";
import type { restoreDraft } from "../../drafts/open-draft.js";
import type { Page } from "../../page.js";
import type { After } from "../steps/steps.js";

/** A reply or a note on its way to the server. Its key makes sure that it arrives once, however often it is sent. */
export interface Outgoing {
  key: string;
  environment: string;
  memberId: string;
  conversationId: string;
  kind: "reply" | "note";
  body: string;
  files: Draft["files"];
  /** Whom a reply by mail names. What an earlier version kept on the disk does not say. */
  people?: People | undefined;
  /** The entries that a reply is based on. What an earlier version kept on the disk does not say. */
  cites?: Cited[] | undefined;
  /** The members whom a note names. */
  mentions: string[];
  /** The version on the server of the draft that it was. The server deletes it. */
  draftUpdatedAt: string | undefined;
  ifLastSequence: number | undefined;
  /** For how long it can be taken back; undefined if the channel sends at once. */
  holdSeconds: number | undefined;
  /** What becomes of the conversation with it. What an earlier version kept on the disk does not say. */
  after?: After;
  at: string;
  /** The message that it has become. */
  messageId?: string;
}

/** The event of what was sent comes within this time. */
const EVENT_MS = 1_500;
const READS = 6;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;

/** What an outbox works with. */
export interface Around {
  server: Pick<(typeof parley)["conversations"], "addNote" | "reply">;
  disk: {
    set: (key: string, outgoing: Outgoing) => Promise<void>;
    remove: (key: string) => Promise<void>;
    readAll: () => Promise<[key: string, Outgoing][]>;
  };
  page: Page;
  session: { signedInAs: () => string | undefined; environment: () => string; signal: () => AbortSignal };
  restoreDraft: typeof restoreDraft;
}

const isOver = ({ snoozeUntil }: After): boolean => snoozeUntil !== undefined && Date.parse(snoozeUntil) <= Date.now();

/** Until the connection is back, or a while has passed. */
const pause = (page: Page, ms: number): Promise<void> =>
  new Promise((resolve) => {
    const end = new AbortController();
    const go = (): void => {
      end.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(go, ms);
    page.on("online", go, end.signal);
  });

/** What this tab sends, from when it is written until the thread has it. */
export class Outbox {
  #waiting: readonly Outgoing[] = [];
  #listeners = new Set<() => void>();
  #shown = new Map<string, Message[]>();

  constructor(private readonly around: Around) {}

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** What is on its way in a conversation, as messages. The same array until something changes. */
  messagesOf(conversationId: string): Message[] {
    let messages = this.#shown.get(conversationId);
    if (!messages)
      this.#shown.set(
        conversationId,
        (messages = this.#waiting.filter((one) => one.conversationId === conversationId).map(asMessage)),
      );
    return messages;
  }

  /**
   * Sends it, and again until there is an answer. It is on the disk first, so that it survives a reload.
   * @returns the id of the message
   * @throws ParleyError if the server refuses it; nothing was sent then
   */
  send = async (outgoing: Outgoing): Promise<string> => {
    const { disk, page, session } = this.around;
    await disk.set(outgoing.key, outgoing).catch(() => undefined);
    this.#change([...this.#waiting.filter(({ key }) => key !== outgoing.key), outgoing]);
    try {
      for (let wait = MIN_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
        // Somebody else may have signed in meanwhile. It goes out in the name of whoever wrote it, or it waits.
        if (session.signedInAs() !== outgoing.memberId) {
          await pause(page, MAX_WAIT_MS);
          continue;
        }
        try {
          const messageId = await this.#deliver(outgoing);
          this.#change(this.#waiting.map((one) => (one.key === outgoing.key ? { ...one, messageId } : one)));
          return messageId;
        } catch (error) {
          if (!isTemporary(error)) throw error;
          await pause(page, wait);
        }
      }
    } finally {
      await disk.remove(outgoing.key).catch(() => undefined);
    }
  };

  /** Takes it off the screen, once the thread has it. */
  forget = (key: string): void => this.#change(this.#waiting.filter((one) => one.key !== key));

  /**
   * Sends what an earlier visit of this member left unsent, on this side. Another tab may do the same: the key makes it one message.
   * What the server refuses becomes part of the draft again.
   */
  sendUnsent = async (memberId: string, refused: (error: unknown, conversationId: string) => void): Promise<void> => {
    const { disk, session, restoreDraft } = this.around;
    const all = await disk.readAll().catch(() => []);
    for (const [key, one] of all) {
      if (one.memberId !== memberId || one.environment !== session.environment()) continue;
      if (this.#waiting.some((other) => other.key === key)) continue;
      this.send(one)
        .catch(async (error: unknown) => {
          await restoreDraft(memberId, one.conversationId, {
            mode: one.kind,
            text: one.body,
            files: one.files,
            people: one.people,
            cites: one.cites,
          });
          refused(error, one.conversationId);
        })
        .finally(() => this.forget(key))
        .catch(() => undefined);
    }
  };

  #change(next: readonly Outgoing[]): void {
    this.#waiting = next;
    this.#shown.clear();
    for (const listener of this.#listeners) listener();
  }

  async #deliver({
    conversationId,
    kind,
    body,
    files,
    people = {},
    cites = [],
    mentions,
    draftUpdatedAt,
    ifLastSequence,
    holdSeconds,
    after = {},
    key,
  }: Outgoing): Promise<string> {
    const { server, session } = this.around;
    const options = { idempotencyKey: key, signal: session.signal() };
    const common = { body, draftUpdatedAt, ...(files.length > 0 && { attachmentIds: files.map(({ id }) => id) }) };
    if (kind === "note") {
      const note = await server.addNote(
        conversationId,
        { ...common, ...(mentions.length > 0 && { mentions }) },
        options,
      );
      return note.id;
    }
    const reply = {
      ...common,
      bodyFormat: "markdown" as const,
      ifLastSequence,
      holdSeconds,
      clientMessageId: key,
      ...(cites.length > 0 && { citations: cites.map(({ kbEntryId, score }) => ({ kbEntryId, score })) }),
      ...given(people),
    };
    const { messageId } = await server
      .reply(conversationId, { ...reply, ...after }, options)
      .catch((error: unknown) => {
        if (!isOver(after) || !(error instanceof ParleyError) || error.status !== 400) throw error;
        // It has waited for the connection for longer than its conversation should sleep. Another body needs another key. If
        // the server has it already, `clientMessageId` says so.
        return server.reply(conversationId, reply, { ...options, idempotencyKey: `${key}-awake` });
      });
    return messageId;
  }
}

/** Waits until the thread has what was sent. An event brings it. Without one, the thread is read. */
export async function arrivalOf(
  client: QueryClient,
  conversationId: string,
  messageId: string,
  { isLive, page }: { isLive: () => boolean; page: Page },
): Promise<void> {
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
    if (attempt) await pause(page, MIN_WAIT_MS * 2 ** attempt);
    await client.refetchQueries({ queryKey: thread });
  }
  if (!isLive()) void client.invalidateQueries({ queryKey: ["conversation", conversationId] });
}

/** The fields of a request about whom a mail goes to. */
const given = ({ to, cc, bcc, subject, quote }: People): People => ({
  ...(to && { to }),
  ...(cc && { cc }),
  ...(bcc?.length && { bcc }),
  ...(subject?.trim() && { subject: subject.trim() }),
  ...(quote && { quote }),
});

const asMessage = ({
  key,
  messageId,
  conversationId,
  kind,
  memberId,
  body,
  people,
  mentions,
  at,
}: Outgoing): Message => ({
  id: messageId ?? key,
  conversationId,
  direction: kind === "note" ? "internal" : "outbound",
  authorType: "member",
  authorId: memberId,
  body,
  bodyFormat: kind === "note" ? "text" : "markdown",
  attachments: [],
  htmlAvailable: false,
  senderProof: null,
  mentions,
  to: people?.to ?? [],
  cc: people?.cc ?? [],
  bcc: people?.bcc ?? [],
  authoredBy: null,
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
