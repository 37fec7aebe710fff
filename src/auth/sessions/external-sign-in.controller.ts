import { Controller, Get, Query, Req, Res } from "@nestjs/common";
import { ApiQuery, ApiResponse } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { Config } from "../../platform/config/config.js";
import { HostCookie } from "../../platform/http/host-cookie.js";
import { Json } from "../../platform/http/json.js";
import { OperationId } from "../../platform/http/operation-id.js";
import { Answers, Fails, SetsCookie } from "../../platform/http/openapi.js";
import { type Request, senderOf } from "../../platform/http/request.js";
import { Public } from "../access/access.js";
import { BeginExternalSignInDto, ExternalSignInDto } from "./external-sign-in.dto.js";
import { ExternalSignInService, HANDSHAKE_SECONDS, type Refusal } from "./external-sign-in.service.js";
import { refreshCookies } from "./refresh-cookies.js";
import { SESSION_DAYS } from "./sessions.queries.js";

const CALLBACK = "/api/auth/external/callback";
/** The page that resumes the session, or says why there is none. It takes no address to go on to: that would be anybody's. */
const PAGE = "/sign-in";
/** The query of these addresses has the code. */
const HEADERS = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" };

/** Signing in at the configured provider, as a browser does it: it only follows redirects. */
@Controller("api/auth/external")
export class ExternalSignInController {
  private readonly handshake: HostCookie;
  private readonly sessions: ReturnType<typeof refreshCookies>;

  constructor(
    private readonly signIn: ExternalSignInService,
    config: Config,
  ) {
    // The provider sends the browser back with a plain link, so the cookie must be lax.
    this.handshake = new HostCookie("parley_external", CALLBACK, "lax", config);
    this.sessions = refreshCookies(config);
  }

  /** Read what the button of the sign-in page names. It is null if no external provider is configured for browsers. */
  @Get()
  @Public("it is on the sign-in page")
  @Answers(ExternalSignInDto)
  @OperationId("auth.getExternalProvider")
  provider(): Json<ExternalSignInDto> {
    return Json.of({ name: this.signIn.providerName });
  }

  /** Go to the external provider. For browsers: they come back to Parley's sign-in page, with a session or with a reason. */
  @Get("start")
  @Public("it only leads to the provider")
  @ApiResponse({ status: 303, description: "To the provider, with a cookie for this browser" })
  @Fails(404)
  @SetsCookie()
  @OperationId("auth.beginExternalSignIn")
  async begin(
    @Query() { environment = "live", again = false }: BeginExternalSignInDto,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const begun = await this.signIn.begin(environment, again);
    if (typeof begun === "string") refuse(reply, begun);
    else go(reply, begun.url, this.handshake.write(begun.kept, HANDSHAKE_SECONDS));
  }

  /** Come back from the external provider. Its answer counts once, in the browser that went there. */
  @Get("callback")
  @Public("the code, and the cookie of the browser that went to the provider, are the credential")
  @ApiQuery({ name: "state", required: false, schema: { type: "string" } })
  @ApiQuery({ name: "code", required: false, schema: { type: "string" } })
  @ApiQuery({ name: "error", required: false, schema: { type: "string" } })
  @ApiResponse({ status: 303, description: "To the sign-in page, with a session or with a reason" })
  @Fails(404)
  @SetsCookie()
  @OperationId("auth.completeExternalSignIn")
  async complete(@Req() request: Request, @Res() reply: FastifyReply): Promise<void> {
    const at = request.url.indexOf("?");
    const kept = this.handshake.read(request);
    const answer = await this.signIn.complete(at < 0 ? "" : request.url.slice(at), kept, senderOf(request));
    // Without its cookie, the code of this sign-in opens nothing any more.
    const forget = kept === undefined ? [] : [this.handshake.write("", 0)];
    if (typeof answer === "string") return refuse(reply, answer, ...forget);
    const { environment, refreshToken } = answer;
    go(reply, PAGE, ...forget, this.sessions[environment].write(refreshToken, SESSION_DAYS * 86_400));
  }
}

const refuse = (reply: FastifyReply, reason: Refusal, ...cookies: string[]): void =>
  go(reply, `${PAGE}?external=${reason}`, ...cookies);

function go(reply: FastifyReply, url: string, ...cookies: string[]): void {
  void reply
    .status(303)
    .headers({ ...HEADERS, ...(cookies.length > 0 && { "Set-Cookie": cookies }), Location: url })
    .send();
}
