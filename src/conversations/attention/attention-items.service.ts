import { Injectable } from "@nestjs/common";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
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
      const [item] = await tx.query(RESOLVE, { id, by: callerId(caller) });
      if (!item) throw notFound();
      tx.changesWorkspace(item.workspaceId);
      return ok();
    });
  }
}
