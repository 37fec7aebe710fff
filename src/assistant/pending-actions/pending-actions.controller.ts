import { Body, Controller, Get, HttpCode, Param, Post, Query } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Json, Page } from "../../platform/http/json.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers, AnswersPage, Fails } from "../../platform/http/openapi.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { IdPipe } from "../../platform/http/validation.js";
import {
  ApprovePendingActionDto,
  ListPendingActionsDto,
  PendingActionDto,
  RejectPendingActionDto,
} from "./pending-actions.dto.js";
import { GET_PENDING_ACTION, LIST_OF_CONVERSATION, listStatement } from "./pending-actions.queries.js";
import { PendingActionsService } from "./pending-actions.service.js";

@Tag("Attention", ["pendingActions"])
@Controller("api/pending-actions")
export class PendingActionsController {
  constructor(
    private readonly db: Database,
    private readonly actions: PendingActionsService,
  ) {}

  /** List pending actions, newest first. Each is something that an agent wants to do and a person has to approve. */
  @Get()
  @RequireScope("conversations:read")
  @AnswersPage(PendingActionDto)
  list(
    @CurrentCaller() caller: Caller,
    @Query() { limit = 25, cursor, ...filters }: ListPendingActionsDto,
  ): Promise<Json<Page<PendingActionDto>>> {
    return this.db.page(caller, listStatement(filters, cursor !== undefined), filters, { limit, cursor });
  }

  /** Read one pending action. */
  @Get(":id")
  @RequireScope("conversations:read")
  @Answers(PendingActionDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<PendingActionDto>> {
    return this.db.read(caller, GET_PENDING_ACTION, { id });
  }

  /**
   * Approve a pending action, which is then carried out once. Send the `argumentsHash` that you have seen. The policies and
   * the contact's assurance level must still allow it. Who brought in what it rests on cannot approve it: 409.
   */
  @Post(":id/approve")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(PendingActionDto)
  @Fails(409)
  approve(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() { argumentsHash }: ApprovePendingActionDto,
  ): Promise<Json<PendingActionDto>> {
    return this.actions.approve(caller, id, argumentsHash);
  }

  /** Reject a pending action. The contact is told, and people handle the conversation. */
  @Post(":id/reject")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(PendingActionDto)
  @Fails(409)
  reject(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() { reason = null }: RejectPendingActionDto,
  ): Promise<Json<PendingActionDto>> {
    return this.actions.reject(caller, id, reason);
  }
}

@OperationGroup("pendingActions")
@Controller("api/conversations/:id/pending-actions")
export class ConversationPendingActionsController {
  constructor(private readonly db: Database) {}

  /** List the pending actions of a conversation, newest first. */
  @Get()
  @RequireScope("conversations:read")
  @AnswersPage(PendingActionDto)
  listOfConversation(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) conversationId: string,
    @Query() { limit = 25, cursor }: PagingDto,
  ): Promise<Json<Page<PendingActionDto>>> {
    return this.db.page(caller, LIST_OF_CONVERSATION, { conversationId }, { limit, cursor });
  }
}
