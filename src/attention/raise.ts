import { v7 as uuid } from 'uuid';
import type { Tx } from '../database/transaction.js';
import { notFound } from '../http/errors.js';
import type { AttentionSeverity, AttentionType } from './attention-item.entity.js';
import { RAISE } from './attention-items.queries.js';

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
