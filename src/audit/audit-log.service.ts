import { BadRequestException, Injectable } from "@nestjs/common";
import type { Caller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Json, Page } from "../platform/http/json.js";
import type { AuditEntryDto, ListAuditLogDto } from "./audit-log.dto.js";
import { type AuditLogFilters, listAuditLog } from "./audit-log.queries.js";

/** Smaller than every UUID of version 7 that is made at this time or later. */
function smallestIdAt(name: string, instant: string): string {
  const milliseconds = Date.parse(instant);
  if (Number.isNaN(milliseconds)) throw new BadRequestException(`${name} must be a valid date`);
  const hex = Math.max(milliseconds, 0).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

@Injectable()
export class AuditLogService {
  constructor(private readonly db: Database) {}

  /** Newest first. */
  list(
    caller: Caller,
    { limit = 25, cursor, from, to, ...others }: ListAuditLogDto,
  ): Promise<Json<Page<AuditEntryDto>>> {
    const filters: AuditLogFilters = {
      ...others,
      firstId: from && smallestIdAt("from", from),
      beforeId: to && smallestIdAt("to", to),
    };
    return this.db.page(caller, listAuditLog(filters, cursor !== undefined), filters, { limit, cursor });
  }
}
