import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Tx } from "../platform/database/transaction.js";

/** `conversationId` and what continues it, each with its distance. */
const CHAIN = `with recursive chain as (
    select c.*, 0 as depth from conversation c where c.tenant_id = :tenant and c.id = :conversationId
    union all
    select n.*, chain.depth + 1 from conversation n join chain on n.tenant_id = chain.tenant_id and n.previous_conversation_id = chain.id)`;

/** Where a message belongs that comes long after its conversation was resolved. */
@Injectable()
export class Succession {
  /**
   * The newest conversation in the chain that continues `conversationId`; where that one is over too, a new one.
   * The caller's transaction holds the lock on `conversationId`, so that two messages at once make one successor.
   */
  async successorOf(tx: Tx, conversationId: string): Promise<string> {
    const [last] = await tx.query<{ id: string; over: boolean }>(
      `${CHAIN}
      select id, status = 'resolved' and resolved_at < now() - interval '7 days' as over from chain order by depth desc limit 1`,
      { conversationId },
    );
    if (!last!.over) return last!.id;
    const id = uuid();
    await tx.query(
      `insert into conversation (tenant_id, id, workspace_id, brand_id, channel_id, contact_id, subject, language, delivers, previous_conversation_id)
      select c.tenant_id, :id, c.workspace_id, c.brand_id, c.channel_id, c.contact_id, c.subject, c.language, c.delivers, c.id
      from conversation c where c.tenant_id = :tenant and c.id = :last`,
      { id, last: last!.id },
    );
    return id;
  }

  /** The message that had this externalId in one of the chain's conversations: a late repeat is still the same message. */
  async messageOf(tx: Tx, conversationId: string, externalId: string): Promise<string | undefined> {
    const [message] = await tx.query<{ id: string }>(
      `${CHAIN}
      select m.id from chain join message m on m.tenant_id = chain.tenant_id and m.conversation_id = chain.id and m.external_id = :externalId limit 1`,
      { conversationId, externalId },
    );
    return message?.id;
  }
}
