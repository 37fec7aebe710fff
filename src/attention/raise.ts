import { v7 as uuid } from 'uuid';
import type { Tx } from '../database/transaction.js';
import { notFound } from '../http/errors.js';
import type { AttentionSeverity, AttentionType } from './attention-item.entity.js';
import { RAISE, RAISE_OF_CHANNEL } from './attention-items.queries.js';

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

/**
 * The same about a channel, and for the members of its workspace.
 * @throws NotFoundException: there is no such channel
 */
export async function raiseOfChannel(tx: Tx, attention: Omit<Attention, 'conversationId'> & { channelId: string }): Promise<void> {
  const raised = await tx.query(RAISE_OF_CHANNEL, { ...attention, id: uuid() });
  if (!raised.length) throw notFound();
}

/** What a channel was in want of is no longer so: nobody need look any more. */
export async function settleOfChannel(tx: Tx, channelId: string, type: AttentionType): Promise<void> {
  await tx.query(`update attention_item set status = 'resolved', resolved_at = clock_timestamp() where tenant_id = :tenant and channel_id = :channelId and type = :type and status = 'open'`, { channelId, type });
}
