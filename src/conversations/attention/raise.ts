import { v7 as uuid } from "uuid";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { AttentionItemEntity, type AttentionSeverity, type AttentionType } from "./attention-item.entity.js";
import { RAISE, RAISE_ABOUT, type Subject } from "./attention-items.queries.js";

interface Attention {
  conversationId: string;
  type: AttentionType;
  severity: AttentionSeverity;
  /** For a person to read. */
  reason: string;
}

/**
 * Raises an item about a conversation, in the transaction of its cause. While an item of the same type is open there,
 * that item's `occurrences` goes up instead.
 * @throws NotFoundException: there is no such conversation
 */
export async function raise(tx: Tx, attention: Attention): Promise<void> {
  const raised = await tx.query(RAISE, { ...attention, id: uuid() });
  if (!raised.length) throw notFound();
}

/** The one thing that an item is about, such as `{ channelId }`. */
type About = { [S in Subject]: Record<S, string> }[Subject];

/**
 * The same about something else in a workspace, such as a channel.
 * @throws NotFoundException: there is no such thing
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
