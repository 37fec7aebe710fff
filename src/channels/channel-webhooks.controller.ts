import { Controller, HttpCode, Param, Post, Query, Req, Res } from "@nestjs/common";
import { RouteConfig } from "@nestjs/platform-fastify";
import { ApiBody, ApiConsumes, ApiHeader, ApiProduces, ApiQuery, ApiResponse } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { Public } from "../auth/access/access.js";
import { Config } from "../platform/config/config.js";
import { FORM } from "../platform/http/body-reader.js";
import { Fails } from "../platform/http/openapi.js";
import type { Request } from "../platform/http/request.js";
import { IdPipe } from "../platform/http/validation.js";
import { ChannelWebhooksService } from "./channel-webhooks.service.js";

@Controller("api/webhooks/channels")
export class ChannelWebhooksController {
  constructor(
    private readonly webhooks: ChannelWebhooksService,
    private readonly config: Config,
  ) {}

  /**
   * Receive a webhook from a channel's provider. It is a message, a call, or the delivery status of a message that
   * you sent. SMS and voice channels expect Twilio's format, signed in `X-Twilio-Signature`, and answer with TwiML.
   * The body is a form in which each field comes once, or JSON whose hash is in the signed URL (`bodySHA256`). A
   * repeated webhook changes nothing. An unknown channel answers like a wrong signature: 401.
   */
  @Post(":channelId")
  @HttpCode(200)
  @RouteConfig(FORM)
  @Public("the signature is the credential")
  @Fails(401, 409)
  @ApiConsumes("application/x-www-form-urlencoded")
  @ApiBody({
    schema: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "The form that the provider sends. Unknown fields are ignored",
    },
  })
  @ApiHeader({ name: "X-Twilio-Signature", required: true })
  @ApiQuery({
    name: "event",
    required: false,
    type: String,
    description:
      "The event, if it is not a new message or call. Part of the callback addresses that Parley gives to the provider",
  })
  @ApiProduces("text/xml")
  @ApiResponse({
    status: 200,
    description: "What the provider does next",
    content: { "text/xml": { schema: { type: "string" } } },
  })
  async receive(
    @Param("channelId", IdPipe) id: string,
    @Query() query: Record<string, string | undefined>,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { protocol, host, headers, rawBody, originalUrl } = request;
    const { type, text } = await this.webhooks.receive(id, {
      base: this.config.PUBLIC_URL ?? `${protocol}://${host}`,
      path: originalUrl,
      query,
      headers,
      body: rawBody!,
    });
    void reply.type(type).header("Cache-Control", "no-store");
    return text;
  }
}
