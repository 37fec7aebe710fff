import { Controller, Get, HttpCode, Param, Post } from "@nestjs/common";
import { CurrentCaller, RecentSignIn, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import { ADMINS } from "../../platform/caller/scope.js";
import type { Json } from "../../platform/http/json.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { OperationId } from "../../platform/http/operation-id.js";
import { Answers, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { ErasureDto } from "./erasure.dto.js";
import { ErasureService } from "./erasure.service.js";

@Tag("Privacy", ["erasureRequests"], {
  order: 250,
  description: "Certificates of erasures, which prove what was erased.",
})
@Controller("api")
export class ErasureController {
  constructor(private readonly erasures: ErasureService) {}

  /**
   * Erase a person (GDPR, Article 17). Every contact that was merged into the person is erased too, in all workspaces
   * of the tenant. When you get the answer, all data about the person is gone. Conversations stay as anonymous
   * statistics. Erasing the same person again gives the first certificate. A person who also appears in workspaces that you do
   * not reach is 409.
   */
  @Post("contacts/:id/erasure")
  @HttpCode(200)
  @RequireScope("contacts:write", ADMINS)
  @RecentSignIn()
  @Answers(ErasureDto)
  @Fails(409)
  @OperationId("contacts.erase")
  erase(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<ErasureDto>> {
    return this.erasures.erase(caller, id);
  }

  /** Read an erasure again, with its certificate. */
  @Get("erasure-requests/:id")
  @RequireScope("contacts:read")
  @Answers(ErasureDto)
  @OperationId("erasureRequests.get")
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<ErasureDto>> {
    return this.erasures.get(caller, id);
  }
}
