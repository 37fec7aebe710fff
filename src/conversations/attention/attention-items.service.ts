import { Injectable } from "@nestjs/common";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok, type Page } from "../../platform/http/json.js";
import type { AttentionItemDto, ListAttentionItemsDto } from "./attention-items.dto.js";
import { GET_ATTENTION_ITEM, listStatement, RESOLVE } from "./attention-items.queries.js";

@Injectable()
export class AttentionItemsService {
  constructor(private readonly db: Database) {}

  /** Newest first. */
  list(
    caller: Caller,
    { limit = 25, cursor, ...filters }: ListAttentionItemsDto,
  ): Promise<Json<Page<AttentionItemDto>>> {
    return this.db.page(caller, listStatement(filters, cursor !== undefined), filters, { limit, cursor });
  }

  get(caller: Caller, id: string): Promise<Json<AttentionItemDto>> {
    return this.db.read(caller, GET_ATTENTION_ITEM, { id });
  }

  resolve(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const [item] = await tx.query<{ workspaceId: string }>(RESOLVE, { id, by: callerId(caller) });
      if (!item) throw notFound();
      tx.within(item.workspaceId);
      return ok();
    });
  }

  /** Deletes the items of erased contacts' conversations: their reasons may tell what was asked for. */
  async eraseContact(tx: Tx, conversationIds: readonly string[]): Promise<{ attentionItems: number }> {
    const [erased] = await tx.query<{ attentionItems: number }>(
      `with gone as (
        delete from attention_item where tenant_id = :tenant and conversation_id = any(:conversationIds::uuid[]) returning conversation_id
      ), counted as (
        update conversation c set open_attention_count = 0 from gone where c.tenant_id = :tenant and c.id = gone.conversation_id
      ) select count(*)::int as "attentionItems" from gone`,
      { conversationIds },
    );
    return erased!;
  }
}
