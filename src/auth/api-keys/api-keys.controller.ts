import { Body, Controller, Get, HttpCode, Param, Patch, Post } from "@nestjs/common";
import type { MemberCaller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { Answers, AnswersList, AnswersOk } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { IdPipe } from "../../platform/http/validation.js";
import { AdminsOnly, CurrentMember, RecentSignIn } from "../access/access.js";
import { ApiKeyDto, CreateApiKeyDto, NewApiKeyDto, RotateApiKeyDto, UpdateApiKeyDto } from "./api-keys.dto.js";
import { ApiKeysService } from "./api-keys.service.js";

@Tag("API keys", ["apiKeys"], { order: 220, description: "The keys of your integrations, with scopes and an expiry." })
@Controller("api/api-keys")
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /** List the keys of this side (live or test), newest first. */
  @Get()
  @AdminsOnly()
  @AnswersList(ApiKeyDto)
  list(@CurrentMember() caller: MemberCaller): Promise<Json<ApiKeyDto[]>> {
    return this.keys.list(caller);
  }

  /** Create a key for the side of your session, live or test. The raw key is in this answer and is never shown again. */
  @Post()
  @AdminsOnly()
  @RecentSignIn()
  @Answers(NewApiKeyDto, { status: 201 })
  create(@CurrentMember() caller: MemberCaller, @Body() body: CreateApiKeyDto): Promise<Json<NewApiKeyDto>> {
    return this.keys.create(caller, body);
  }

  /**
   * Change a key's name, scopes or expiry. Its data scope cannot change. An expired or revoked key can only be renamed.
   * Changes take effect on every process within a second.
   */
  @Patch(":id")
  @AdminsOnly()
  @RecentSignIn()
  @Answers(ApiKeyDto)
  update(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateApiKeyDto,
  ): Promise<Json<ApiKeyDto>> {
    return this.keys.update(caller, id, body);
  }

  /** Replace a key without downtime. You get a new key, and the old one stays valid for the overlap. */
  @Post(":id/rotate")
  @AdminsOnly()
  @RecentSignIn()
  @Answers(NewApiKeyDto, { status: 201 })
  rotate(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() body: RotateApiKeyDto,
  ): Promise<Json<NewApiKeyDto>> {
    return this.keys.rotate(caller, id, body);
  }

  /** Revoke a key permanently. Every process refuses it within a second. */
  @Post(":id/revoke")
  @HttpCode(200)
  @AdminsOnly()
  @RecentSignIn()
  @AnswersOk()
  revoke(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.keys.revoke(caller, id);
  }
}
