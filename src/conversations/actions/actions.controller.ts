import { Body, Controller, HttpCode, Param, Post } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { AnswersOk } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import {
  AssignConversationDto,
  ChangeLabelsDto,
  ResolveConversationDto,
  SnoozeConversationDto,
  TakeOverConversationDto,
} from "./actions.dto.js";
import { ActionsService } from "./actions.service.js";

@OperationGroup("conversations")
@Controller("api/conversations/:id")
export class ActionsController {
  constructor(private readonly actions: ActionsService) {}

  /**
   * Resolve a conversation. The contact no longer waits for an answer in it. If it is already resolved, nothing
   * changes.
   */
  @Post("resolve")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk("Resolved")
  resolve(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: ResolveConversationDto,
  ): Promise<Json<Ok>> {
    return this.actions.act(caller, id, { ...body, type: "resolve" });
  }

  /** Open a conversation that is pending, snoozed or resolved. It does not matter how long ago it was resolved. */
  @Post("reopen")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk("Open")
  reopen(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.actions.act(caller, id, { type: "reopen" });
  }

  /**
   * Wait for the contact. The conversation is `pending` until they write, and nobody waits for an answer of yours. A resolved
   * conversation is 409.
   */
  @Post("wait")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk("Pending")
  wait(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.actions.act(caller, id, { type: "wait" });
  }

  /**
   * Snooze a conversation. It opens by itself at the given time, to the minute, or earlier if the contact writes. A
   * resolved conversation is 409.
   */
  @Post("snooze")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk("Snoozed")
  snooze(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: SnoozeConversationDto,
  ): Promise<Json<Ok>> {
    return this.actions.act(caller, id, { ...body, type: "snooze" });
  }

  /**
   * Take a conversation over from the assistant. You become its assignee, and the assistant pauses in this
   * conversation. If it is assigned to a colleague, the answer is 409 unless `force` is true.
   */
  @Post("take-over")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk("Taken over")
  takeOver(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: TakeOverConversationDto,
  ): Promise<Json<Ok>> {
    return this.actions.takeOver(caller, id, body);
  }

  /** Give a conversation back to the assistant. It then has no assignee. */
  @Post("release")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk("Released")
  release(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.actions.release(caller, id);
  }

  /**
   * Assign a conversation to a member who works in its workspace. You name the member by `memberId` or by `email`. This
   * replaces the current assignee. It does not change who answers, the assistant or a human.
   */
  @Post("assign")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk("Assigned")
  assign(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: AssignConversationDto,
  ): Promise<Json<Ok>> {
    return this.actions.assign(caller, id, body);
  }

  /** Remove the assignee of a conversation. This does not change who answers, the assistant or a human. */
  @Post("unassign")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk("Assigned to nobody")
  unassign(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.actions.act(caller, id, { type: "unassign" });
  }

  /** Mark a conversation as read. Nothing in it is unread until the contact writes again. */
  @Post("read")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk("Read")
  markRead(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.actions.act(caller, id, { type: "read" });
  }

  /** Mark a conversation as unread, to come back to it. Its `unreadCount` is 1, if it was 0. */
  @Post("unread")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk("Unread")
  markUnread(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.actions.act(caller, id, { type: "unread" });
  }

  /**
   * Add and remove labels of a conversation. Others stay, also those that somebody else adds at the same time. To replace
   * all of them, send `labels` with PATCH. More than 50 labels are 409.
   */
  @Post("labels")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk("Changed")
  changeLabels(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: ChangeLabelsDto,
  ): Promise<Json<Ok>> {
    return this.actions.act(caller, id, { ...body, type: "label" });
  }
}
