import { Body, Controller, Get, HttpCode, Param, Post } from "@nestjs/common";
import { AdminsOnly, CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { Answers, AnswersOk, Fails } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { IdPipe } from "../../platform/http/validation.js";
import {
  AnswerResultDto,
  SubmitAnswerDto,
  AskedQuestionsDto,
  AskQuestionsDto,
  AssuranceDto,
  RequireVerificationDto,
} from "./verification.dto.js";
import { VerificationService } from "./verification.service.js";

@Tag(
  "Identity",
  [
    "verification",
    "identityEvents",
    "identitySettings",
    "retentionSettings",
    "verificationSources",
    "eidSchemes",
    "verificationPages",
    "eidPages",
  ],
  {
    order: 80,
    description:
      "Proves who a contact is: questions, codes, links and electronic identities, and the log of each step.",
  },
)
@Controller("api/conversations")
export class VerificationController {
  constructor(private readonly verification: VerificationService) {}

  /**
   * Get questions to put to the caller. They come from the workspace's sources. A person of whom nothing is on file
   * is asked the same ones. Returns 409 while verification is locked, or if no source is attached.
   */
  @Post(":id/verification/questions")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(AskedQuestionsDto)
  @Fails(409)
  askQuestions(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: AskQuestionsDto,
  ): Promise<Json<AskedQuestionsDto>> {
    return this.verification.ask(caller, id, body);
  }

  /** Give the caller's answer to one question. Each question can be answered once. Returns 409, and compares nothing, once a cap on wrong answers is reached. */
  @Post(":id/verification/answers")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(AnswerResultDto)
  @Fails(409)
  submitAnswer(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: SubmitAnswerDto,
  ): Promise<Json<AnswerResultDto>> {
    return this.verification.answer(caller, id, body);
  }

  /**
   * Require an assurance level of a conversation. Do this before an action that needs it. Returns 409 with what is
   * missing if the conversation does not have the level.
   */
  @Post(":id/verification/require")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk()
  @Fails(409)
  require(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: RequireVerificationDto,
  ): Promise<Json<Ok>> {
    return this.verification.require(caller, id, body);
  }

  /**
   * Forgive the wrong answers that lock verification. They are those of this conversation, its contact and its caller
   * ID.
   */
  @Post(":id/verification/unlock")
  @HttpCode(200)
  @AdminsOnly()
  @AnswersOk()
  unlock(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.verification.unlock(caller, id);
  }

  /** Read the assurance level of a conversation. You get the factors behind it, and which locks apply. */
  @Get(":id/assurance")
  @RequireScope("conversations:read")
  @Answers(AssuranceDto)
  getAssurance(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<AssuranceDto>> {
    return this.verification.assurance(caller, id);
  }
}
