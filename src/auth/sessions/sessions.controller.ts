import { Body, Controller, Get, HttpCode, Post, Put, Req, Res } from "@nestjs/common";
import { ApiSecurity } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import type { Caller, Environment, MemberCaller } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import type { HostCookie } from "../../platform/http/host-cookie.js";
import { Json, type Ok, ok } from "../../platform/http/json.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { OperationId } from "../../platform/http/operation-id.js";
import { Answers, AnswersEither, AnswersOk, Fails, SetsCookie } from "../../platform/http/openapi.js";
import { type Request, senderOf } from "../../platform/http/request.js";
import { AnyCaller, BeforeSecondFactor, CurrentCaller, CurrentMember, MembersOnly, Public } from "../access/access.js";
import { MemberDto } from "../members/members.dto.js";
import { SecondFactorSignIn } from "../second-factors/second-factor-sign-in.js";
import { CompleteSignInDto, SecondFactorNeededDto } from "../second-factors/second-factors.dto.js";
import { MeService } from "./me.service.js";
import { refreshCookies } from "./refresh-cookies.js";
import { ReauthenticationService } from "./reauthentication.service.js";
import type { SignedIn } from "./session-opener.js";
import { LoginDto, MeDto, ReauthenticateDto, RefreshDto, SessionDto, SetPresenceDto } from "./sessions.dto.js";
import { SESSION_DAYS } from "./sessions.queries.js";
import { SessionsService } from "./sessions.service.js";

@Tag("Session", ["auth", "me"], {
  order: 230,
  description: "Signing in, and what concerns the caller: password, second factors and sessions.",
})
@Controller("api")
export class SessionsController {
  private readonly cookies: Record<Environment, HostCookie>;

  constructor(
    private readonly sessions: SessionsService,
    private readonly secondFactors: SecondFactorSignIn,
    private readonly reauthentication: ReauthenticationService,
    private readonly me: MeService,
    config: Config,
  ) {
    this.cookies = refreshCookies(config);
  }

  /**
   * Sign in with email and password. The refresh token is set as an HttpOnly cookie. If you have a second factor, the answer has
   * `secondFactor` instead of a session: complete the sign-in with `POST /api/auth/second-factor`.
   */
  @Post("auth/login")
  @HttpCode(200)
  @Public("the password is the credential")
  @AnswersEither(
    "LoginResult",
    "A session, or the second factor that the sign-in still needs.",
    SessionDto,
    SecondFactorNeededDto,
  )
  @Fails(401)
  @SetsCookie()
  @OperationId("auth.login")
  async login(
    @Body() body: LoginDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json<SessionDto | SecondFactorNeededDto>> {
    const answer = await this.sessions.login(body, senderOf(request));
    return answer instanceof Json ? answer : this.signedIn(answer, reply);
  }

  /**
   * Complete a sign-in with a second factor. That is a code of your authenticator app, a passkey or a recovery code.
   * You get the session.
   */
  @Post("auth/second-factor")
  @HttpCode(200)
  @Public("the token of the sign-in is the credential")
  @Answers(SessionDto)
  @Fails(401)
  @SetsCookie()
  @OperationId("auth.completeSecondFactor")
  async secondFactor(
    @Body() body: CompleteSignInDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json<SessionDto>> {
    return this.signedIn(await this.secondFactors.complete(body, senderOf(request)), reply);
  }

  /**
   * Exchange the refresh cookie for a new access token. Each side has a cookie of its own, which is replaced, too. If the
   * answer is lost, send the same cookie again: you get the same new cookie.
   */
  @Post("auth/refresh")
  @HttpCode(200)
  @Public("the refresh cookie is the credential")
  // Decorators apply from the bottom: the document names the live side's first.
  @ApiSecurity("testRefreshCookie")
  @ApiSecurity("refreshCookie")
  @Answers(SessionDto)
  @Fails(401)
  @SetsCookie()
  @OperationId("auth.refresh")
  async refresh(
    @Body() { environment = "live" }: RefreshDto,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json<SessionDto>> {
    const presented = this.cookies[environment].read(request);
    return this.signedIn(await this.sessions.refresh(presented, environment, senderOf(request)), reply);
  }

  /**
   * Prove again who you are. Give your password or a code of your authenticator app. For the next 15 minutes (a
   * setting of the tenant) you can manage keys and members, export and erase.
   */
  @Post("auth/reauthenticate")
  @HttpCode(200)
  @MembersOnly()
  @BeforeSecondFactor()
  @AnswersOk()
  @OperationId("auth.reauthenticate")
  reauthenticate(@CurrentMember() caller: MemberCaller, @Body() body: ReauthenticateDto): Promise<Json<Ok>> {
    return this.reauthentication.renew(caller, body);
  }

  /** End this session. Its refresh cookie is cleared; the other side's stays. */
  @Post("auth/logout")
  @HttpCode(200)
  @MembersOnly()
  @BeforeSecondFactor()
  @AnswersOk()
  @SetsCookie()
  @OperationId("auth.logout")
  async logout(
    @CurrentMember() caller: MemberCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json<Ok>> {
    await this.sessions.logout(caller);
    this.setCookie(reply, caller.environment, "", 0);
    return ok();
  }

  /** Read who you are. You get the caller behind the credential, its scopes or role, and its reach. */
  @Get("me")
  @AnyCaller()
  @BeforeSecondFactor()
  @Answers(MeDto)
  @OperationId("me.get")
  whoAmI(@CurrentCaller() caller: Caller): Promise<Json<MeDto>> {
    return this.me.describe(caller);
  }

  /** Set your presence, on both sides. After five minutes without a request you are shown as `offline`. */
  @Put("me/presence")
  @MembersOnly()
  @Answers(MemberDto)
  @OperationId("me.setPresence")
  setPresence(@CurrentMember() caller: MemberCaller, @Body() { presence }: SetPresenceDto): Promise<Json<MemberDto>> {
    return this.me.setPresence(caller, presence);
  }

  private signedIn({ session, environment, refreshToken }: SignedIn, reply: FastifyReply): Json<SessionDto> {
    this.setCookie(reply, environment, refreshToken, SESSION_DAYS * 86_400);
    return session;
  }

  private setCookie(reply: FastifyReply, environment: Environment, value: string, maxAge: number): void {
    void reply.header("Set-Cookie", this.cookies[environment].write(value, maxAge));
  }
}
