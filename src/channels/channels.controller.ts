import { Body, Controller, Get, HttpCode, Param, Patch, Post, Put } from "@nestjs/common";
import { AdminsOnly, CurrentCaller, RequireScope } from "../auth/access/access.js";
import type { Caller } from "../platform/caller/caller.js";
import type { Json, Ok } from "../platform/http/json.js";
import { Answers, AnswersOk, Fails } from "../platform/http/openapi.js";
import { Tag } from "../platform/http/openapi/tags.js";
import { IdPipe } from "../platform/http/validation.js";
import { ChannelDto } from "../workspaces/channel.dto.js";
import { ChannelTestedDto, CreateChannelDto, SetChannelCredentialsDto, UpdateChannelDto } from "./channels.dto.js";
import { ChannelTestsService } from "./channel-tests.service.js";
import { ChannelsService } from "./channels.service.js";

@Tag("Channels", ["channels", "channelWebhooks"], {
  order: 120,
  description: "The ways in which contacts reach a workspace: web chat, email, SMS, voice, contact form and API.",
})
@Controller("api")
export class ChannelsController {
  constructor(
    private readonly channels: ChannelsService,
    private readonly tests: ChannelTestsService,
  ) {}

  /** Read a channel. Its credentials are never shown. */
  @Get("channels/:id")
  @RequireScope("channels:read")
  @Answers(ChannelDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<ChannelDto>> {
    return this.channels.get(caller, id);
  }

  /** Create a channel. A channel that needs to be set up at a provider has the status `provisioning` until that succeeds; failed attempts are repeated automatically. */
  @Post("workspaces/:workspaceId/channels")
  @AdminsOnly()
  @Answers(ChannelDto, { status: 201 })
  @Fails(409)
  create(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: CreateChannelDto,
  ): Promise<Json<ChannelDto>> {
    return this.channels.create(caller, workspaceId, body);
  }

  /**
   * Change, disable or enable a channel. A new address or new settings start provisioning again. `settings.imap` or
   * `settings.graph` says which mails count as proven, so a restricted caller that changes it gets 403. The same holds for the address of such a mailbox, or
   * of a telephone number.
   */
  @Patch("channels/:id")
  @RequireScope("channels:write")
  @Answers(ChannelDto)
  @Fails(409)
  update(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateChannelDto,
  ): Promise<Json<ChannelDto>> {
    return this.channels.update(caller, id, body);
  }

  /**
   * Store the credentials of a channel. The channel signs in with them, and is provisioned with them. Whoever has those
   * of a web chat, a telephone number or a mailbox that mails are read from says who a contact is in the whole tenant, so a
   * restricted caller gets 403.
   */
  @Put("channels/:id/credentials")
  @RequireScope("channels:write")
  @Answers(ChannelDto)
  @Fails(409)
  setCredentials(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() { credentials }: SetChannelCredentialsDto,
  ): Promise<Json<ChannelDto>> {
    return this.channels.putCredentials(caller, id, credentials);
  }

  /**
   * Test whether a channel works. This takes at most 10 seconds. Nothing is sent. A channel in `error` that
   * passes is set up again. On the test side no other server is called.
   */
  @Post("channels/:id/test")
  @HttpCode(200)
  @RequireScope("channels:write")
  @Answers(ChannelTestedDto)
  test(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<ChannelTestedDto>> {
    return this.tests.test(caller, id);
  }

  /** Provision a channel again now. It starts with the first attempt. An active channel does not change. */
  @Post("channels/:id/retry-provisioning")
  @HttpCode(200)
  @RequireScope("channels:write")
  @AnswersOk("Provisioning has started")
  @Fails(409)
  retryProvisioning(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.channels.retryProvisioning(caller, id);
  }
}
