import { sql, TENANT } from "../../platform/database/sql.js";
import { page, positionOr, projection, time } from "../../platform/database/statements.js";
import type { OwnSessionDto } from "./own-sessions.dto.js";

/** `current`: null for tokens of an external issuer, which have no session. */
export const LIST_OWN_SESSIONS = page<OwnSessionDto, { memberId: string; current: string | null }>(
  "sessions.listOwn",
  { unrestricted: "a member sees all of their own sessions" },
  ({ memberId, current, limit, after0, after1 }) => ({
    rows: sql`
      select s.* from tenant t join member_session s on s.organisation_id = t.organisation_id
      where t.id = ${TENANT} and s.member_id = ${memberId} and s.ended_at is null and s.expires_at > now()
        and (s.last_used_at, s.id) < (${positionOr(after0, "infinity")}, ${after1}::uuid)
      order by s.last_used_at desc, s.id desc limit ${limit} + 1`,
    position: [sql`r.last_used_at`, sql`r.id`],
    item: projection<OwnSessionDto>({
      id: sql`r.id`,
      current: sql`coalesce(r.id = ${current}, false)`,
      environment: sql`r.environment`,
      device: sql`r.device`,
      address: sql`r.address`,
      createdAt: time(sql`r.created_at`),
      lastUsedAt: time(sql`r.last_used_at`),
      expiresAt: time(sql`r.expires_at`),
    }),
  }),
);
