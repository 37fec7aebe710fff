import { Controller, Get, Query } from "@nestjs/common";
import { AdminsOnly, CurrentCaller } from "../auth/access/access.js";
import type { Caller } from "../platform/caller/caller.js";
import type { Json, Page } from "../platform/http/json.js";
import { AnswersPage } from "../platform/http/openapi.js";
import { Tag } from "../platform/http/openapi/tags.js";
import { AuditEntryDto, ListAuditLogDto } from "./audit-log.dto.js";
import { AuditLogService } from "./audit-log.service.js";

@Tag("Audit log", ["auditLog"], { order: 260, description: "Who changed what, and when." })
@Controller("api/audit-log")
export class AuditLogController {
  constructor(private readonly log: AuditLogService) {}

  /**
   * List who changed what, newest first. Entries name ids and fields, never values, and are kept for 24 months. Both sides
   * share the members, so changes of members are in the log of the live side.
   */
  @Get()
  @AdminsOnly()
  @AnswersPage(AuditEntryDto)
  list(@CurrentCaller() caller: Caller, @Query() query: ListAuditLogDto): Promise<Json<Page<AuditEntryDto>>> {
    return this.log.list(caller, query);
  }
}
