import { BadRequestException, Body, Controller, HttpCode, Post, Put, Req, UnauthorizedException } from "@nestjs/common";
import type { MemberCaller } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import { OperationId } from "../../platform/http/operation-id.js";
import { AnswersOk, Fails } from "../../platform/http/openapi.js";
import { type Request, senderOf } from "../../platform/http/request.js";
import { CurrentMember, MembersOnly, Public } from "../access/access.js";
import { EmailProofService } from "../members/email-proof.service.js";
import { MembersService } from "../members/members.service.js";
import { ChangePasswordDto, ProveEmailDto, RequestPasswordResetDto, SetPasswordDto } from "./passwords.dto.js";
import { PasswordsService } from "./passwords.service.js";

@Controller("api")
export class PasswordsController {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly members: MembersService,
    private readonly emails: EmailProofService,
    private readonly config: Config,
  ) {}

  /**
   * Ask for a link to set a new password. It is mailed if a member has proven this email, is valid for 30 minutes and works
   * once. The answer is the same in any case.
   */
  @Post("auth/password-reset")
  @HttpCode(200)
  @Public("it tells nothing, and mails only to proven addresses")
  @AnswersOk()
  @OperationId("auth.requestPasswordReset")
  requestReset(@Body() { email }: RequestPasswordResetDto, @Req() request: Request): Json<Ok> {
    this.passwords.requestReset(email, senderOf(request));
    return ok();
  }

  /**
   * Set your password with a mailed token. The token comes from an invitation or a reset. A reset ends all your
   * sessions.
   */
  @Post("auth/password")
  @HttpCode(200)
  @Public("the token of the mailed link is the credential")
  @AnswersOk()
  @Fails(401, 409)
  @OperationId("auth.setPassword")
  async setPassword(@Body() { token, password }: SetPasswordDto, @Req() request: Request): Promise<Json<Ok>> {
    if (password === undefined && !this.config.OIDC_ISSUER) throw new BadRequestException("password is missing");
    const sender = senderOf(request);
    const done =
      (await this.members.acceptInvitation(token, password, sender)) ||
      (password !== undefined && (await this.passwords.reset(token, password, sender)));
    if (!done) throw new UnauthorizedException();
    return ok();
  }

  /** Change your password. Your other sessions end within a second. */
  @Put("me/password")
  @MembersOnly()
  @AnswersOk()
  @Fails(409)
  @OperationId("me.changePassword")
  change(
    @CurrentMember() caller: MemberCaller,
    @Body() { currentPassword, newPassword }: ChangePasswordDto,
  ): Promise<Json<Ok>> {
    return this.passwords.change(caller, currentPassword, newPassword);
  }

  /** Have a link mailed that proves your email. Until it is proven, it serves no reset and no external sign-in. */
  @Post("me/email-proof")
  @HttpCode(200)
  @MembersOnly()
  @AnswersOk()
  @Fails(409)
  @OperationId("me.sendEmailProof")
  sendEmailProof(@CurrentMember() caller: MemberCaller): Promise<Json<Ok>> {
    return this.emails.send(caller);
  }

  /**
   * Prove your email with the token of the mailed link. A token works once, for a day, and only the newest one does: otherwise
   * the answer is 401. If another member has proven the email, it is 409.
   */
  @Post("auth/email-proof")
  @HttpCode(200)
  @Public("the token of the mailed link is the credential")
  @AnswersOk()
  @Fails(401, 409)
  @OperationId("auth.proveEmail")
  async proveEmail(@Body() { token }: ProveEmailDto, @Req() request: Request): Promise<Json<Ok>> {
    if (!(await this.emails.redeem(token, senderOf(request)))) throw new UnauthorizedException();
    return ok();
  }
}
