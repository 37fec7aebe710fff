import { Controller, Get, Param, Query } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Json, Page } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { AnswersPage } from "../../platform/http/openapi.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { IdPipe } from "../../platform/http/validation.js";
import { AgentRunDto } from "./activity.dto.js";
import { LIST_RUNS } from "./activity.queries.js";

@OperationGroup("conversations")
@Controller("api/conversations/:id/agent-activity")
export class ActivityController {
  constructor(private readonly db: Database) {}

  /**
   * List what the assistant did in a conversation. The newest comes first: for each message of the contact that it handled, what
   * it found, what it decided and what it sent.
   */
  @Get()
  @RequireScope("conversations:read")
  @AnswersPage(AgentRunDto)
  listAgentActivity(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) conversationId: string,
    @Query() { limit = 25, cursor }: PagingDto,
  ): Promise<Json<Page<AgentRunDto>>> {
    return this.db.page(caller, LIST_RUNS, { conversationId }, { limit, cursor });
  }
}
