import { Body, Controller, Delete, Get, Param, Post, Query } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers, AnswersList, AnswersOk } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { AddParticipantDto, ParticipantDto, RemoveParticipantsDto } from "./participants.dto.js";
import { ParticipantsService } from "./participants.service.js";

@OperationGroup("conversations")
@Controller("api/conversations/:id/participants")
export class ParticipantsController {
  constructor(private readonly participants: ParticipantsService) {}

  /** List who takes part besides the contact. A reply goes to all of them, unless it names others. */
  @Get()
  @RequireScope("conversations:read")
  @AnswersList(ParticipantDto)
  listParticipants(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<ParticipantDto[]>> {
    return this.participants.list(caller, id);
  }

  /** Add somebody to a conversation by mail. There are at most 50. */
  @Post()
  @RequireScope("conversations:write")
  @Answers(ParticipantDto, { status: 201 })
  @Answers(ParticipantDto, { description: "They take part already" })
  addParticipant(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: AddParticipantDto,
  ): Promise<Json<ParticipantDto>> {
    return this.participants.add(caller, id, body);
  }

  /** Take somebody out of a conversation, or everybody. Mails that others send do not bring them back. */
  @Delete()
  @RequireScope("conversations:write")
  @AnswersOk()
  removeParticipants(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Query() query: RemoveParticipantsDto,
  ): Promise<Json<Ok>> {
    return this.participants.remove(caller, id, query);
  }
}
