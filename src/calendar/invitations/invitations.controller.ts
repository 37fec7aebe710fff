import { Body, Controller, Get, HttpCode, Param, Post } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import { ReplySentDto } from "../../conversations/messages.dto.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { AnswerInvitationDto, InvitationDto } from "./invitations.dto.js";
import { InvitationsService } from "./invitations.service.js";

@OperationGroup("conversations")
@Controller("api/messages")
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  /** Read the invitation that came with a message. It is the message's first calendar file; without one the answer is 404. */
  @Get(":id/invitation")
  @RequireScope("conversations:read")
  @Answers(InvitationDto)
  @Fails(409)
  invitation(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<InvitationDto>> {
    return this.invitations.get(caller, id);
  }

  /**
   * Answer an invitation. The organizer gets the answer from the mailbox, and their calendar understands it. The conversation
   * keeps a note of it, `messageId`. The same answer again changes nothing.
   */
  @Post(":id/invitation")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(ReplySentDto)
  @Fails(409)
  answerInvitation(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() { answer }: AnswerInvitationDto,
  ): Promise<Json<ReplySentDto>> {
    return this.invitations.answer(caller, id, answer);
  }
}
