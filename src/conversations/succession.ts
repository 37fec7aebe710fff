import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Tx } from '../database/transaction.js';

/** Where a message belongs that comes long after its conversation was resolved. */
@Injectable()
export class Succession {
  /**
   * The newest conversation in the chain that continues `conversationId`; where that one is over too, a new one.
   * The caller's transaction holds the lock on `conversationId`, so that two messages at once make one successor.
   */
  async successorOf(tx: Tx, conversationId: string): Promise<string> {
    const [last] = await tx.query<{ id: string; over: boolean }>(`with recursive chain as (
        select c.*, 0 as depth from conversation c where c.tenant_id = :tenant and c.id = :conversationId
        union all
        select n.*, chain.depth + 1 from conversation n join chain on n.tenant_id = chain.tenant_id and n.previous_conversation_id = chain.id)
      select id, status = 'resolved' and resolved_at < now() - interval '7 days' as over from chain order by depth desc limit 1`, { conversationId });
    if (!last!.over) return last!.id;
    const id = uuid();
    await tx.query(`insert into conversation (tenant_id, id, workspace_id, brand_id, channel_id, contact_id, subject, language, previous_conversation_id)
      select c.tenant_id, :id, c.workspace_id, c.brand_id, c.channel_id, c.contact_id, c.subject, c.language, c.id
      from conversation c where c.tenant_id = :tenant and c.id = :last`, { id, last: last!.id });
    return id;
  }
}
