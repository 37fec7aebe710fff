import { v7 as uuid } from "uuid";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { AttentionItemEntity, type AttentionSeverity, type AttentionType } from "./attention-item.entity.js";
import { RAISE, RAISE_ABOUT, type Subject } from "./attention-items.queries.js";

interface Attention {
  conversationId: string;
  type: AttentionType;
  severity: AttentionSeverity;
  /** The reason, for people to read. */
  reason: string;
}

/**
 * Raises an item about a conversation, in the transaction of its cause. If an item of the same type is already open
 * for the conversation, its `occurrences` goes up instead.
 * @throws NotFoundException: there is no such conversation
 */
export async function raise(tx: Tx, attention: Attention): Promise<void> {
  const raised = await tx.query(RAISE, { ...attention, id: uuid() });
  if (!raised.length) throw notFound();
}

/** The one thing that an item is about, such as `{ channelId }`. */
type About = { [S in Subject]: Record<S, string> }[Subject];

/**
 * Raises an item about something other than a conversation, such as a channel.
 * @throws NotFoundException: it does not exist
 */
export async function raiseAbout(tx: Tx, about: About, attention: Omit<Attention, "conversationId">): Promise<void> {
  const [[subject, subjectId]] = Object.entries(about) as [[Subject, string]];
  const raised = await tx.query(RAISE_ABOUT[subject], { ...attention, subjectId, id: uuid() });
  if (!raised.length) throw notFound();
}

/** Resolves the open item of this type, because its cause is gone. */
export async function settleAbout(tx: Tx, about: About, type: AttentionType): Promise<void> {
  await tx.update(
    AttentionItemEntity,
    { ...about, type, status: "open" },
    { status: "resolved", resolvedAt: () => "clock_timestamp()" },
  );
}
