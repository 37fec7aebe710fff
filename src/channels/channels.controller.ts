import { Body, Controller, Get, HttpCode, Param, Patch, Post, Put } from "@nestjs/common";
import { ApiTags } from "@nestjs/swagger";
import { AdminsOnly, CurrentCaller, RequireScope } from "../auth/access/access.js";
import type { Caller } from "../platform/caller/caller.js";
import type { Json, Ok } from "../platform/http/json.js";
import { Answers, AnswersOk, Fails } from "../platform/http/openapi.js";
import { IdPipe } from "../platform/http/validation.js";
import { ChannelDto } from "../workspaces/channel.dto.js";
import { ChannelTestedDto, CreateChannelDto, PutCredentialsDto, UpdateChannelDto } from "./channels.dto.js";
import { ChannelTests } from "./channel-tests.service.js";
import { ChannelsService } from "./channels.service.js";

@ApiTags("Channels")
@Controller("api")
export class ChannelsController {
  constructor(
    private readonly channels: ChannelsService,
    private readonly tests: ChannelTests,
  ) {}

  /** Read a channel. Its credentials are never shown. */
  @Get("channels/:id")
  @RequireScope("channels:read")
  @Answers(ChannelDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<ChannelDto>> {
    return this.channels.get(caller, id);
  }

  /** Make a channel. What has to be made ready is `provisioning` until it is, and tried again by itself. */
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

  /** Change, disable or enable a channel. With another address or other settings it is made ready again. */
  @Patch("channels/:id")
  @RequireScope("channels:write")
  @Answers(ChannelDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateChannelDto,
  ): Promise<Json<ChannelDto>> {
    return this.channels.update(caller, id, body);
  }

  /** Store what the channel signs in with, and make it ready with that. */
  @Put("channels/:id/credentials")
  @RequireScope("channels:write")
  @Answers(ChannelDto)
  putCredentials(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() { credentials }: PutCredentialsDto,
  ): Promise<Json<ChannelDto>> {
    return this.channels.putCredentials(caller, id, credentials);
  }

  /** Try whether the channel works, for 10 seconds at most. Nothing is sent, and its status stays as it is. On the test side nothing outside is called. */
  @Post("channels/:id/test")
  @HttpCode(200)
  @RequireScope("channels:write")
  @Answers(ChannelTestedDto)
  test(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<ChannelTestedDto>> {
    return this.tests.test(caller, id);
  }

  /** Make a channel ready now that is not, from the first attempt on. Of one that is active nothing changes. */
  @Post("channels/:id/retry-provisioning")
  @HttpCode(200)
  @RequireScope("channels:write")
  @AnswersOk("It is under way")
  @Fails(409)
  retryProvisioning(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.channels.retryProvisioning(caller, id);
  }
}
