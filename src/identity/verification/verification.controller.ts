import { Body, Controller, Get, HttpCode, Param, Post } from "@nestjs/common";
import { ApiTags } from "@nestjs/swagger";
import { AdminsOnly, CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { Answers, AnswersOk, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import {
  AnsweredDto,
  AnswerDto,
  AskedQuestionsDto,
  AskQuestionsDto,
  AssuranceDto,
  RequireDto,
} from "./verification.dto.js";
import { VerificationService } from "./verification.service.js";

@ApiTags("Identity")
@Controller("api/conversations")
export class VerificationController {
  constructor(private readonly verification: VerificationService) {}

  /** Put questions to the caller, out of the workspace's sources. Somebody unknown is asked the same ones. 409 while verification is locked, or where no source is attached. */
  @Post(":id/verification/questions")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(AskedQuestionsDto)
  @Fails(409)
  ask(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: AskQuestionsDto,
  ): Promise<Json<AskedQuestionsDto>> {
    return this.verification.ask(caller, id, body);
  }

  /** Give the caller's answer to one question. Each question is answered once. At a cap of wrong answers nothing is compared any more: 409. */
  @Post(":id/verification/answers")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(AnsweredDto)
  @Fails(409)
  answer(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: AnswerDto,
  ): Promise<Json<AnsweredDto>> {
    return this.verification.answer(caller, id, body);
  }

  /** Ask, before something that needs it, whether the caller is proven well enough: 200, or 409 saying what is missing. */
  @Post(":id/verification/require")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk()
  @Fails(409)
  require(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: RequireDto,
  ): Promise<Json<Ok>> {
    return this.verification.require(caller, id, body);
  }

  /** Forgive the wrong answers that lock this conversation, its contact and its caller ID. */
  @Post(":id/verification/unlock")
  @HttpCode(200)
  @AdminsOnly()
  @AnswersOk()
  unlock(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.verification.unlock(caller, id);
  }

  /** Read how well the caller of a conversation is proven, by which factors, and what is locked. */
  @Get(":id/assurance")
  @RequireScope("conversations:read")
  @Answers(AssuranceDto)
  assurance(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<AssuranceDto>> {
    return this.verification.assurance(caller, id);
  }
}
