import type { Tx } from "../database/transaction.js";

/** What people are shown of something that leaves: in the lists of the outbox and, on the test side, of captured messages. */
export interface Mail {
  to: string;
  subject: string;
  body: string;
  /** The text as HTML, if it leaves with both. */
  html?: string;
}

/** Something that leaves, without what it says. */
export interface OutboxEntry {
  id: string;
  /** The name of its `OutboxKind`. */
  kind: string;
  /** The channel name that the API shows. */
  channel: string;
  /** What it leaves through. Entries of a channel can be parked until the channel works again. */
  channelId: string | null;
  /** Export and erasure of the contact find the entry by its conversation. */
  conversationId: string | null;
  /** For a message to the contact: it is sent after the conversation's entries with lower positions, and later ones wait for it. */
  position: number | null;
}

/** An entry as it is added. */
export interface NewOutboxEntry extends Omit<OutboxEntry, "kind"> {
  /** For how long it can still be taken back with `OutboxService.withdraw`. It is not sent before. */
  holdSeconds?: number;
  /** Who takes it, where that is neither the channel nor the same for all entries of the kind. Each receiver has a limit of its own. */
  receiver?: string;
}

/** Sends an entry. @returns the receiver's own id of it, where it gives one, or something for `settle` */
export type Send = () => Promise<string | object | void>;

/** What an entry keeps, encrypted. Its recipient is found by `to`. */
export interface OutboxPayload {
  to: string;
}

/** A kind of outgoing thing. Register it once with `OutboxService.register`, and add its entries with `OutboxService.add`. */
export interface OutboxKind<Payload extends OutboxPayload> {
  /** Is stored with each entry. */
  readonly name: string;
  /** While this is false, entries of the kind wait. */
  readonly available: boolean;
  show(payload: Payload): Mail;
  /**
   * Reads what it takes to send an entry, in the transaction that begins an attempt.
   * @param triedAt when the first attempt began, if there was one: perhaps the entry arrived
   * @returns what sends it, within 30 seconds; undefined parks it until `OutboxService.resume`. What it returns may throw
   *   `Undeliverable` or `TooSoon`; after any other error it is tried again.
   */
  prepare(tx: Tx, entry: OutboxEntry, payload: Payload, triedAt: Date | null): Promise<Send | undefined>;
  /**
   * Seconds until the next attempt, or undefined to give the entry up. By default as in `retry-schedule.ts`.
   * @param attempts so far, with the one that failed
   */
  retryAfterSeconds?(attempts: number, error: unknown): number | undefined;
  /** Runs in the transaction that begins the first attempt of an entry that was held: it can no longer be taken back. */
  released?(tx: Tx, id: string): Promise<void>;
  /** On the test side: an entry that was held would be sent now. */
  captured?(tx: Tx, id: string): Promise<void>;
  /**
   * Runs in the transaction that records the outcome of an attempt.
   * @param result what sending returned, or what it threw
   */
  settle?(tx: Tx, entry: OutboxEntry, outcome: "sent" | "postponed" | "dead", result?: unknown): Promise<void>;
  /** An admin queued an entry again that was given up. */
  requeued?(tx: Tx, id: string): Promise<void>;
}
