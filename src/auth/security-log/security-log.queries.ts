import { joined, type Parameters, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import {
  namesUsed,
  page,
  type PageArgs,
  type PageRead,
  projection,
  query,
  statementFamily,
  time,
} from "../../platform/database/statements.js";
import type { ListSecurityLogDto, SecurityEventDto } from "./security-log.dto.js";

const SECURITY_EVENT = projection<SecurityEventDto>({
  id: sql`r.id`,
  at: time(sql`r.at`),
  type: sql`r.type`,
  actor: sql`json_build_object('kind', r.actor_kind, 'id', r.actor_id)`,
  address: sql`r.address`,
  userAgent: sql`r.user_agent`,
  detail: sql`jsonb_build_object('memberId', r.member_id) || r.detail`,
});

export interface NewSecurityEvent {
  type: string;
  actorKind: string;
  actorId: string | null;
  memberId: string | null;
  address: string | null;
  userAgent: string | null;
  detail: string;
}

export const RECORD_SECURITY_EVENT = query<NewSecurityEvent>()(
  "securityLog.record",
  { unrestricted: "it writes to the log and reads nothing" },
  ({ type, actorKind, actorId, memberId, address, userAgent, detail }) => sql`
    select security_note(${type}, ${actorKind}, ${actorId}::uuid, ${memberId}::uuid, ${address}, ${userAgent},
      ${detail}::jsonb)
    where ${TENANT}::uuid is not null`,
);

export type SecurityLogFilters = Pick<ListSecurityLogDto, "type" | "actorId" | "memberId">;
type Condition = (parameters: Parameters<SecurityLogFilters & PageArgs>) => Sql;
const CONDITIONS: Record<keyof SecurityLogFilters, Condition> = {
  type: ({ type }) => sql`e.type = ${type}`,
  actorId: ({ actorId }) => sql`e.actor_id = ${actorId}`,
  memberId: ({ memberId }) => sql`e.member_id = ${memberId}`,
};

/** One statement for each set of filters, so that each can walk its own index backwards. */
export function listSecurityLog(
  filters: SecurityLogFilters,
  continued: boolean,
): PageRead<SecurityLogFilters, SecurityEventDto> {
  return LISTS(namesUsed(CONDITIONS, filters), continued);
}

const LISTS = statementFamily(
  "securityLog.list",
  (name, used: readonly (keyof SecurityLogFilters)[], continued: boolean) =>
    page<SecurityEventDto, SecurityLogFilters>(
      name,
      { unrestricted: "only owners and admins read the security log, and they see the whole tenant" },
      (parameters) => {
        const conditions = [
          sql`e.tenant_id = ${TENANT}`,
          ...used.map((filter) => CONDITIONS[filter](parameters)),
          ...(continued ? [sql`e.id < ${parameters.after0}`] : []),
        ];
        return {
          list: "security-log",
          rows: sql`
          select e.* from security_event e
          where ${joined(conditions, " and ")}
          order by e.id desc limit ${parameters.limit} + 1`,
          position: [sql`r.id`],
          item: SECURITY_EVENT,
        };
      },
    ),
);
