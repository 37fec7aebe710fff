import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { type Parameter, type Sql, sql, TENANT } from "../platform/database/sql.js";
import { query } from "../platform/database/statements.js";
import { isClosed } from "./lifecycle/lifecycle.queries.js";
import { COPY_PEOPLE } from "./participants/participants.queries.js";
import type { Tx } from "../platform/database/transaction.js";

/** This conversation and those that continue it, each with its distance from this one. */
const chain = (conversationId: Parameter): Sql => sql`with recursive chain as (
    select c.*, 0 as depth from conversation c where c.tenant_id = ${TENANT} and c.id = ${conversationId}
    union all
    select n.*, chain.depth + 1
    from conversation n join chain on n.previous_conversation_id = chain.id
    where n.tenant_id = ${TENANT}
  )`;

const FIND_LAST = query<{ conversationId: string }, { id: string; closed: boolean }>()(
  "conversations.lastInChain",
  "checked",
  ({ conversationId }) => sql`
    ${chain(conversationId)}
    select id, ${isClosed("chain")} as closed
    from chain order by depth desc limit 1`,
);

const CONTINUE = query<{ id: string; last: string }>()(
  "conversations.continue",
  "checked",
  ({ id, last }) => sql`
    insert into conversation (tenant_id, id, workspace_id, brand_id, channel_id, contact_id, subject, language, delivers,
      metadata, previous_conversation_id)
    select c.tenant_id, ${id}, c.workspace_id, c.brand_id, c.channel_id, c.contact_id, c.subject, c.language, c.delivers,
      -- Where a conversation by mail is answered to.
      case when c.metadata ? 'email' then jsonb_build_object('email', c.metadata -> 'email') else '{}' end, c.id
    from conversation c where c.tenant_id = ${TENANT} and c.id = ${last}`,
);

const FIND_MESSAGE = query<{ conversationId: string; externalId: string }>()(
  "messages.findInChain",
  "checked",
  ({ conversationId, externalId }) => sql`
    ${chain(conversationId)}
    select m.id
    from chain join message m on m.conversation_id = chain.id
    where m.tenant_id = ${TENANT} and m.external_id = ${externalId} limit 1`,
);

/**
 * Finds the conversation for a message that comes too late to reopen the one it was sent to. It names the one before as
 * `previousConversationId`.
 */
@Injectable()
export class FollowUpConversations {
  /**
   * The newest conversation in the chain that continues `conversationId`, or a new one if that is closed too. The
   * caller's transaction holds the lock on `conversationId`, so two concurrent messages create only one follow-up.
   */
  async findOrStart(tx: Tx, conversationId: string): Promise<string> {
    const [last] = await tx.query(FIND_LAST, { conversationId });
    if (!last!.closed) return last!.id;
    const id = uuid();
    await tx.query(CONTINUE, { id, last: last!.id });
    await tx.query(COPY_PEOPLE, { from: last!.id, to: id });
    return id;
  }

  /**
   * The existing message with this externalId in any conversation of the chain. A late repeat gets the same message.
   */
  async findMessage(tx: Tx, conversationId: string, externalId: string): Promise<string | undefined> {
    const [message] = await tx.query(FIND_MESSAGE, { conversationId, externalId });
    return message?.id;
  }
}
