import { joined, type Parameters, type Sql, sql, TENANT } from "../platform/database/sql.js";
import {
  namesUsed,
  page,
  type PageArgs,
  type PageRead,
  projection,
  statementFamily,
  time,
} from "../platform/database/statements.js";
import type { AuditEntryDto } from "./audit-log.dto.js";

const AUDIT_ENTRY = projection<AuditEntryDto>({
  id: sql`r.id`,
  at: time(sql`r.at`),
  actor: sql`json_build_object('kind', r.actor_kind, 'id', r.actor_id)`,
  action: sql`r.action`,
  change: sql`r.change`,
  resourceType: sql`r.resource_type`,
  resourceId: sql`r.resource_id`,
  workspaceId: sql`r.workspace_id`,
  conversationId: sql`r.conversation_id`,
  fields: sql`r.fields`,
  counts: sql`r.counts`,
});

/** Ids are ordered by time, so times are filtered as ids. */
export interface AuditLogFilters {
  actorId?: string;
  resourceType?: string;
  resourceId?: string;
  firstId?: string;
  beforeId?: string;
}
type Condition = (parameters: Parameters<AuditLogFilters & PageArgs>) => Sql;
const CONDITIONS: Record<keyof AuditLogFilters, Condition> = {
  actorId: ({ actorId }) => sql`e.actor_id = ${actorId}`,
  resourceType: ({ resourceType }) => sql`e.resource_type = ${resourceType}`,
  resourceId: ({ resourceId }) => sql`e.resource_id = ${resourceId}`,
  firstId: ({ firstId }) => sql`e.id >= ${firstId}`,
  beforeId: ({ beforeId }) => sql`e.id < ${beforeId}`,
};

/** One statement for each set of filters, so that each can walk its own index backwards. */
export function listAuditLog(filters: AuditLogFilters, continued: boolean): PageRead<AuditLogFilters, AuditEntryDto> {
  const isPartial = filters.resourceType !== undefined && filters.resourceType !== "message";
  return LISTS(namesUsed(CONDITIONS, filters), isPartial, continued);
}

const LISTS = statementFamily(
  "auditLog.list",
  (name, used: readonly (keyof AuditLogFilters)[], isPartial: boolean, continued: boolean) =>
    page<AuditEntryDto, AuditLogFilters>(
      name,
      { unrestricted: "only owners and admins read the audit log, and they see the whole tenant" },
      (parameters) => {
        const conditions = [
          sql`e.tenant_id = ${TENANT}`,
          ...used.map((filter) => CONDITIONS[filter](parameters)),
          // The index by type leaves messages out, because most entries are about messages.
          ...(isPartial ? [sql`e.resource_type <> 'message'`] : []),
          ...(continued ? [sql`e.id < ${parameters.after0}`] : []),
        ];
        return {
          list: "audit-log",
          rows: sql`
          select e.* from audit_entry e
          where ${joined(conditions, " and ")}
          order by e.id desc limit ${parameters.limit} + 1`,
          position: [sql`r.id`],
          item: AUDIT_ENTRY,
        };
      },
    ),
);
