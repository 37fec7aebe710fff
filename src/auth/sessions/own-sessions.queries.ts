import { sql, TENANT } from "../../platform/database/sql.js";
import { list, projection, time } from "../../platform/database/statements.js";
import type { OwnSessionDto } from "./own-sessions.dto.js";

/** `current`: null for tokens of an external issuer, which have no session. */
export const LIST_OWN_SESSIONS = list<OwnSessionDto, { memberId: string; current: string | null }>(
  "sessions.listOwn",
  { unrestricted: "a member sees all of their own sessions" },
  ({ memberId, current }) => sql`
    select ${projection<OwnSessionDto>({
      id: sql`s.id`,
      current: sql`coalesce(s.id = ${current}, false)`,
      environment: sql`s.environment`,
      device: sql`s.device`,
      address: sql`s.address`,
      createdAt: time(sql`s.created_at`),
      lastUsedAt: time(sql`s.last_used_at`),
      expiresAt: time(sql`s.expires_at`),
    })}
    from tenant t join member_session s on s.organisation_id = t.organisation_id
    where t.id = ${TENANT} and s.member_id = ${memberId} and s.ended_at is null and s.expires_at > now()
    order by s.last_used_at desc, s.id`,
);
