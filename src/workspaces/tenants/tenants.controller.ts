import { Body, Controller, Get, Patch } from "@nestjs/common";
import { AdminsOnly, CurrentMember, MembersOnly, RecentSignIn } from "../../auth/access/access.js";
import type { MemberCaller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers } from "../../platform/http/openapi.js";
import { TenantDto, UpdateTenantDto } from "./tenants.dto.js";
import { TenantsService } from "./tenants.service.js";

@OperationGroup("tenant")
@Tag("Tenant", ["tenant"], { order: 240, description: "The settings of your organisation." })
@Controller("api/tenant")
export class TenantsController {
  constructor(private readonly tenants: TenantsService) {}

  /** Read the tenant. It has the public key that verifies its erasure certificates. */
  @Get()
  @MembersOnly()
  @Answers(TenantDto)
  get(@CurrentMember() caller: MemberCaller): Promise<Json<TenantDto>> {
    return this.tenants.get(caller);
  }

  /**
   * Change the tenant's settings. The name is the same on both sides. The preview of outgoing webhooks is turned on
   * or off for this side.
   */
  @Patch()
  @AdminsOnly()
  @RecentSignIn()
  @Answers(TenantDto)
  update(@CurrentMember() caller: MemberCaller, @Body() body: UpdateTenantDto): Promise<Json<TenantDto>> {
    return this.tenants.update(caller, body);
  }
}
