import { Controller, Get, Query } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import type { Json } from "../../platform/http/json.js";
import { Answers } from "../../platform/http/openapi.js";
import { ConversationCountsDto, CountConversationsDto } from "./counts.dto.js";
import { COUNT_CONVERSATIONS } from "./counts.queries.js";

@OperationGroup("conversations")
@Controller("api/conversation-counts")
export class CountsController {
  constructor(private readonly db: Database) {}

  /** Count the conversations of an inbox. You get a count for each view, up to 1,000. Poll it like a list. */
  @Get()
  @RequireScope("conversations:read")
  @Answers(ConversationCountsDto)
  count(
    @CurrentCaller() caller: Caller,
    @Query() { workspaceId }: CountConversationsDto,
  ): Promise<Json<ConversationCountsDto>> {
    const memberId = caller.kind === "member" ? callerId(caller) : null;
    return this.db.read(caller, COUNT_CONVERSATIONS, { workspaceId, memberId });
  }
}
