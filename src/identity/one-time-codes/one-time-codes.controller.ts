import { Body, Controller, HttpCode, Param, Post } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { CodeSentDto, CodeVerifiedDto, SendCodeDto, VerifyCodeDto } from "./one-time-codes.dto.js";
import { OneTimeCodesService } from "./one-time-codes.service.js";

@OperationGroup("verification")
@Controller("api/conversations")
export class OneTimeCodesController {
  constructor(private readonly codes: OneTimeCodesService) {}

  /**
   * Send the contact a code of six digits by email or SMS. This works while questions are locked too. A new code replaces the
   * conversation's earlier one of the same channel. At most 5 links and codes are sent to one contact in 10 minutes, and 20
   * codes in 24 hours; then 429.
   */
  @Post(":id/verification/codes")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(CodeSentDto)
  @Fails(409)
  sendCode(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: SendCodeDto,
  ): Promise<Json<CodeSentDto>> {
    return this.codes.send(caller, id, body);
  }

  /**
   * Check the code that the person received. A right one proves that the address is theirs. It raises the level if
   * the contact was created with the address, or has had it for `addressCoolOffHours`. A code can be tried five
   * times; then 409.
   */
  @Post(":id/verification/codes/verify")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(CodeVerifiedDto)
  @Fails(409)
  verifyCode(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: VerifyCodeDto,
  ): Promise<Json<CodeVerifiedDto>> {
    return this.codes.verify(caller, id, body);
  }
}
