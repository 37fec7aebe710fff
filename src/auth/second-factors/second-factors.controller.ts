import { Body, Controller, Delete, Get, HttpCode, Param, Post } from "@nestjs/common";
import type { MemberCaller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers, AnswersOk, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { BeforeSecondFactor, CurrentMember, MembersOnly, RecentSignIn } from "../access/access.js";
import {
  AddSecondFactorDto,
  ConfirmSecondFactorDto,
  NewSecondFactorDto,
  RecoveryCodesDto,
  SecondFactorDto,
  SecondFactorsDto,
} from "./second-factors.dto.js";
import { SecondFactorsService } from "./second-factors.service.js";

@OperationGroup("me")
@Controller("api/me/second-factors")
export class SecondFactorsController {
  constructor(private readonly factors: SecondFactorsService) {}

  /** List your second factors. These are your authenticator app and passkeys, and how many recovery codes are left. */
  @Get()
  @MembersOnly()
  @BeforeSecondFactor()
  @Answers(SecondFactorsDto)
  listSecondFactors(@CurrentMember() caller: MemberCaller): Promise<Json<SecondFactorsDto>> {
    return this.factors.list(caller);
  }

  /**
   * Begin to add an authenticator app or a passkey. It replaces one of the same type that you did not confirm. Sign-ins ask for it
   * only after you have confirmed it.
   */
  @Post()
  @MembersOnly()
  @RecentSignIn()
  @BeforeSecondFactor()
  @Answers(NewSecondFactorDto, { status: 201 })
  addSecondFactor(
    @CurrentMember() caller: MemberCaller,
    @Body() body: AddSecondFactorDto,
  ): Promise<Json<NewSecondFactorDto>> {
    return this.factors.add(caller, body);
  }

  /** Make ten recovery codes. Each replaces the second factor of one sign-in. The codes that you had no longer work. */
  @Post("recovery-codes")
  @MembersOnly()
  @RecentSignIn()
  @BeforeSecondFactor()
  @Answers(RecoveryCodesDto, { status: 201 })
  createRecoveryCodes(@CurrentMember() caller: MemberCaller): Promise<Json<RecoveryCodesDto>> {
    return this.factors.makeRecoveryCodes(caller);
  }

  /**
   * Confirm a new second factor. Give a code of the app, or the passkey that the browser made. Every sign-in asks for
   * it from now on.
   */
  @Post(":id/confirm")
  @HttpCode(200)
  @MembersOnly()
  @RecentSignIn()
  @BeforeSecondFactor()
  @Answers(SecondFactorDto)
  confirmSecondFactor(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() body: ConfirmSecondFactorDto,
  ): Promise<Json<SecondFactorDto>> {
    return this.factors.confirm(caller, id, body);
  }

  /**
   * Remove a second factor. With the last one, your recovery codes go too. If your tenant requires a second factor,
   * the last one stays.
   */
  @Delete(":id")
  @MembersOnly()
  @RecentSignIn()
  @BeforeSecondFactor()
  @AnswersOk()
  @Fails(409)
  removeSecondFactor(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.factors.remove(caller, id);
  }
}
