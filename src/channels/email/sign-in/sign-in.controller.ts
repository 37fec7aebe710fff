import { Controller, Get, Param, Req, Res } from "@nestjs/common";
import { ApiQuery, ApiResponse } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { CurrentCaller, Public, RequireScope } from "../../../auth/access/access.js";
import type { Caller } from "../../../platform/caller/caller.js";
import { Config } from "../../../platform/config/config.js";
import { HostCookie } from "../../../platform/http/host-cookie.js";
import { Json } from "../../../platform/http/json.js";
import { Answers, Fails, SetsCookie } from "../../../platform/http/openapi.js";
import { OperationId } from "../../../platform/http/operation-id.js";
import { type Request, senderOf } from "../../../platform/http/request.js";
import { IdPipe } from "../../../platform/http/validation.js";
import { ChannelSignInLinkDto } from "./sign-in.dto.js";
import { CALLBACK, HANDSHAKE_SECONDS, MailboxSignInService } from "./sign-in.service.js";

/** The query of the address has the code. */
const HEADERS = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" };

/** Signing in to a mailbox at its provider. */
@Controller("api")
export class MailboxSignInController {
  private readonly handshake: HostCookie;

  constructor(
    private readonly signIn: MailboxSignInService,
    config: Config,
  ) {
    // The provider sends the browser back with a plain link, so the cookie must be lax.
    this.handshake = new HostCookie("parley_mailbox", CALLBACK, "lax", config);
  }

  /**
   * Get the address at which a mailbox is signed in to. Open it in the same browser: a cookie that comes with this answer lets it
   * come back, once and within 10 minutes. `settings.signIn` names the provider.
   */
  @Get("channels/:id/sign-in")
  @RequireScope("channels:write")
  @Answers(ChannelSignInLinkDto)
  @Fails(409)
  @SetsCookie()
  @OperationId("channels.beginSignIn")
  async begin(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json<ChannelSignInLinkDto>> {
    const { url, kept } = await this.signIn.begin(caller, id);
    void reply.headers({ ...HEADERS, "Set-Cookie": this.handshake.write(kept, HANDSHAKE_SECONDS) });
    return Json.of({ url });
  }

  /** Come back from the provider of a mailbox. Its answer counts once, in the browser that went there. */
  @Get("public/channels/sign-in/callback")
  @Public("the code, and the cookie of the browser that went to the provider, are the credential")
  @ApiQuery({ name: "state", required: false, schema: { type: "string" } })
  @ApiQuery({ name: "code", required: false, schema: { type: "string" } })
  @ApiQuery({ name: "error", required: false, schema: { type: "string" } })
  @ApiResponse({ status: 303, description: "To the channel's settings, which say how it ended" })
  @SetsCookie()
  @OperationId("channels.completeSignIn")
  async complete(@Req() request: Request, @Res() reply: FastifyReply): Promise<void> {
    const at = request.url.indexOf("?");
    const kept = this.handshake.read(request);
    const query = new URLSearchParams(at < 0 ? "" : request.url.slice(at));
    const { channelId, result } = await this.signIn.complete(query, kept, senderOf(request));
    void reply
      .status(303)
      .headers({
        ...HEADERS,
        ...(kept !== undefined && { "Set-Cookie": this.handshake.write("", 0) }),
        Location: `/settings/channels${channelId === undefined ? "" : `/${channelId}`}?signIn=${result}`,
      })
      .send();
  }
}
