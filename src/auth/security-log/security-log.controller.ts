import { Controller, Get, Query } from "@nestjs/common";
import type { MemberCaller } from "../../platform/caller/caller.js";
import type { Json, Page } from "../../platform/http/json.js";
import { AnswersPage } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { AdminsOnly, CurrentMember } from "../access/access.js";
import { ListSecurityLogDto, SecurityEventDto } from "./security-log.dto.js";
import { SecurityLogService } from "./security-log.service.js";

@Tag("Security log", ["securityLog"], { order: 270, description: "Sign-ins, and changes to credentials." })
@Controller("api/security-log")
export class SecurityLogController {
  constructor(private readonly log: SecurityLogService) {}

  /**
   * List security events, newest first. These are sign-ins, failed sign-ins, changes of credentials, members and
   * keys, exports and erasures. Events are kept for 24 months. Both sides share the members, so events about members
   * are in the log of the live side.
   */
  @Get()
  @AdminsOnly()
  @AnswersPage(SecurityEventDto)
  list(
    @CurrentMember() caller: MemberCaller,
    @Query() query: ListSecurityLogDto,
  ): Promise<Json<Page<SecurityEventDto>>> {
    return this.log.list(caller, query);
  }
}
