import { BadRequestException, Injectable } from "@nestjs/common";
import type { Caller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { page, type PageStatement, projection, time } from "../platform/database/statement.js";
import type { Json, Page } from "../platform/http/json.js";
import type { AuditEntryDto, ListAuditLogDto } from "./audit-log.dto.js";

const AUDIT_ENTRY = projection<AuditEntryDto>({
  id: "r.id",
  at: time("r.at"),
  actor: `json_build_object('kind', r.actor_kind, 'id', r.actor_id)`,
  action: "r.action",
  change: "r.change",
  resourceType: "r.resource_type",
  resourceId: "r.resource_id",
  workspaceId: "r.workspace_id",
  conversationId: "r.conversation_id",
  fields: "r.fields",
  counts: "r.counts",
});

/** Times are asked for as the ids that could have been made then. */
interface Filters {
  actorId?: string;
  resourceType?: string;
  resourceId?: string;
  notBefore?: string;
  before?: string;
}
const CONDITIONS: Record<keyof Filters, string> = {
  actorId: "e.actor_id = :actorId",
  resourceType: "e.resource_type = :resourceType",
  resourceId: "e.resource_id = :resourceId",
  notBefore: "e.id >= :notBefore",
  before: "e.id < :before",
};
type ListArgs = Filters & { limit: number; after0?: string };

const lists = new Map<string, PageStatement<ListArgs, AuditEntryDto>>();

/** A text for each set of filters, so that each walks its own index backwards. */
function listStatement(filters: Filters, continued: boolean): PageStatement<ListArgs, AuditEntryDto> {
  const conditions = (Object.keys(CONDITIONS) as (keyof Filters)[])
    .filter((name) => filters[name] !== undefined)
    .map((name) => CONDITIONS[name]);
  // Messages, most of the log, are left out of the index by type.
  if (filters.resourceType !== undefined && filters.resourceType !== "message")
    conditions.push(`e.resource_type <> 'message'`);
  if (continued) conditions.push("e.id < :after0");
  const name = conditions.join(" and ");
  let statement = lists.get(name);
  if (!statement) lists.set(name, (statement = makeList(`audit-log.list ${lists.size}`, conditions)));
  return statement;
}

const makeList = (name: string, conditions: string[]): PageStatement<ListArgs, AuditEntryDto> =>
  page(
    name,
    { none: "for owners and admins, who reach everything" },
    {
      list: "audit-log",
      rows: `select e.* from audit_entry e where ${["e.tenant_id = :tenant", ...conditions].join(" and ")} order by e.id desc limit :limit + 1`,
      position: ["r.id"],
      item: AUDIT_ENTRY,
    },
  );

/** Smaller than every id of version 7 that is made at this moment or later. */
function firstIdAt(name: string, instant: string): string {
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
    { limit = 25, cursor, from, to, ...named }: ListAuditLogDto,
  ): Promise<Json<Page<AuditEntryDto>>> {
    const filters: Filters = {
      ...named,
      notBefore: from && firstIdAt("from", from),
      before: to && firstIdAt("to", to),
    };
    return this.db.page(caller, listStatement(filters, cursor !== undefined), filters, { limit, cursor });
  }
}
