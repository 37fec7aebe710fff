import { Body, Controller, Get, Patch } from "@nestjs/common";
import { ApiTags } from "@nestjs/swagger";
import { AdminsOnly, CurrentMember, MembersOnly, RecentSignIn } from "../../auth/access/access.js";
import type { MemberCaller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { Answers } from "../../platform/http/openapi.js";
import { TenantDto, UpdateTenantDto } from "./tenants.dto.js";
import { TenantsService } from "./tenants.service.js";

@ApiTags("Tenant")
@Controller("api/tenant")
export class TenantsController {
  constructor(private readonly tenants: TenantsService) {}

  /** Read the tenant, with the public key that verifies its erasure certificates. */
  @Get()
  @MembersOnly()
  @Answers(TenantDto)
  get(@CurrentMember() caller: MemberCaller): Promise<Json<TenantDto>> {
    return this.tenants.get(caller);
  }

  /** Rename the tenant on both sides, or turn the preview of outgoing webhooks on or off for this side. */
  @Patch()
  @AdminsOnly()
  @RecentSignIn()
  @Answers(TenantDto)
  update(@CurrentMember() caller: MemberCaller, @Body() body: UpdateTenantDto): Promise<Json<TenantDto>> {
    return this.tenants.update(caller, body);
  }
}
