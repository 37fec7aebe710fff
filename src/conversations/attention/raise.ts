import { v7 as uuid } from "uuid";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import type { AttentionSeverity, AttentionType } from "./attention-item.entity.js";
import { RAISE, raiseAboutA, type Subject, SUBJECTS } from "./attention-items.queries.js";

interface Attention {
  conversationId: string;
  type: AttentionType;
  severity: AttentionSeverity;
  /** For a person to read. */
  reason: string;
}

/**
 * Asks for a person's attention, in the transaction of what causes it. While an item of the same type is open in the
 * conversation, that one is counted up and stays otherwise as it is.
 * @throws NotFoundException: there is no such conversation
 */
export async function raise(tx: Tx, attention: Attention): Promise<void> {
  const raised = await tx.query(RAISE, { ...attention, id: uuid() });
  if (!raised.length) throw notFound();
}

/** One thing that an item is about: `{ channelId }`. */
type About = { [S in Subject]: Record<S, string> }[Subject];
const split = (about: About): [table: string, subjectId: string] => {
  const [[subject, subjectId]] = Object.entries(about) as [[Subject, string]];
  return [SUBJECTS[subject], subjectId];
};

/**
 * The same about something else of a workspace's, and for its members.
 * @throws NotFoundException: there is no such thing
 */
export async function raiseAbout(tx: Tx, about: About, attention: Omit<Attention, "conversationId">): Promise<void> {
  const [table, subjectId] = split(about);
  const raised = await tx.query(raiseAboutA(table), { ...attention, subjectId, id: uuid() });
  if (!raised.length) throw notFound();
}

/** What it was in want of is no longer so: nobody need look any more. */
export async function settleAbout(tx: Tx, about: About, type: AttentionType): Promise<void> {
  const [table, subjectId] = split(about);
  await tx.query(
    `update attention_item set status = 'resolved', resolved_at = clock_timestamp() where tenant_id = :tenant and ${table}_id = :subjectId and type = :type and status = 'open'`,
    { subjectId, type },
  );
}
