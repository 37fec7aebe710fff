import type { Environment } from "../../platform/caller/caller.js";
import type { Role } from "../../platform/caller/scope.js";
import { literal, sql, TENANT } from "../../platform/database/sql.js";
import { globalQuery, one, query } from "../../platform/database/statements.js";
import { IS_ADMITTED } from "../members/members.queries.js";

/** Days without use after which a session ends. */
export const SESSION_DAYS = 14;
const SESSION_LIFETIME = sql`interval ${literal(`${SESSION_DAYS} days`)}`;
/** Two tabs may refresh at the same time. For this long, reuse of a replaced refresh token is not a sign of theft. */
const ROTATION_GRACE = sql`interval '10 seconds'`;

const BEFORE_SIGN_IN = { unrestricted: "a sign-in has no reach yet, and it is the member's own row" };

export const FIND_MEMBER_BY_EMAIL = globalQuery<
  { email: string; environment: Environment },
  { organisationId: string; memberId: string; tenantId: string }
>(
  "sessions.findMemberByEmail",
  ({ email, environment }) => sql`
    select e.organisation_id as "organisationId", e.member_id as "memberId", t.id as "tenantId"
    from member_email e join tenant t on t.organisation_id = e.organisation_id and t.environment = ${environment}
    where e.email = ${email}`,
);

export const GET_PASSWORD_HASH = one<{ hash: string | null }, { organisationId: string; memberId: string }>(
  "sessions.getPasswordHash",
  BEFORE_SIGN_IN,
  ({ organisationId, memberId }) => sql`
    select (
      select m.password_hash from member m
      where m.organisation_id = ${organisationId} and m.id = ${memberId} and ${IS_ADMITTED}
    ) as hash
    from tenant t where t.id = ${TENANT}`,
);

/** Replaces the refresh token of a session. The live side, which refreshes, has the organisation's id. */
export const ROTATE_REFRESH_TOKEN = query<
  { id: string; hash: string; nextHash: string },
  { memberId: string; environment: Environment; tenantId: string }
>(
  "sessions.rotateRefreshToken",
  BEFORE_SIGN_IN,
  ({ id, hash, nextHash }) => sql`
    update member_session s
    set refresh_hash = ${nextHash}, rotated_at = now(), expires_at = now() + ${SESSION_LIFETIME}
    from tenant t, member m
    where s.organisation_id = ${TENANT} and s.id = ${id} and s.refresh_hash = ${hash}
      and s.ended_at is null and s.expires_at > now()
      and t.organisation_id = ${TENANT} and t.environment = s.environment
      and m.organisation_id = ${TENANT} and m.id = s.member_id and ${IS_ADMITTED}
    returning s.member_id as "memberId", s.environment, t.id as "tenantId"`,
);

/** An older refresh token was stolen, or is the member's own after a theft. Either way the session ends. */
export const END_STOLEN_SESSION = query<{ id: string; hash: string }>(
  "sessions.endStolen",
  BEFORE_SIGN_IN,
  ({ id, hash }) => sql`
    update member_session s set ended_at = now()
    where s.organisation_id = ${TENANT} and s.id = ${id} and s.ended_at is null
      and s.refresh_hash <> ${hash} and s.rotated_at < now() - ${ROTATION_GRACE}`,
);

/** What a member may do. */
export interface MemberCredential {
  /** Both sides of the tenant. */
  tenantIds: string[];
  role: Role;
  workspaceIds: string[];
}

/** No row if the member was removed or deactivated, or if the session has ended. */
export const GET_MEMBER_CREDENTIAL = one<MemberCredential, { memberId: string; sessionId: string | null }>(
  "sessions.getMemberCredential",
  { unrestricted: "it looks up the caller's reach" },
  ({ memberId, sessionId }) => sql`
    select
      array(select side.id from tenant side where side.organisation_id = t.organisation_id) as "tenantIds",
      m.role,
      array(
        select mw.workspace_id from member_workspace mw
        where mw.tenant_id = ${TENANT} and mw.member_id = m.id
      ) as "workspaceIds"
    from tenant t join member m on m.organisation_id = t.organisation_id
    where t.id = ${TENANT} and m.id = ${memberId} and ${IS_ADMITTED}
      and (${sessionId}::uuid is null or exists (
        select from member_session s
        where s.organisation_id = t.organisation_id and s.id = ${sessionId} and s.member_id = m.id
          and s.ended_at is null and s.expires_at > now()
      ))`,
);

/**
 * Records that members made requests, and accepts the invitation of those who signed in at an external issuer. It sets the
 * tenant, and the actor for the audit log, in the same statement. Other processes are not notified: polled answers do
 * not show who is online.
 */
export const NOTE_SEEN = globalQuery<{ tenantId: string; memberIds: string[]; signedInExternally: string[] }>(
  "sessions.noteSeen",
  ({ tenantId, memberIds, signedInExternally }) => sql`
    with ctx as materialized (
      select set_config('app.tenant_id', ${tenantId}::uuid::text, true) as tenant,
        set_config('app.actor', 'system', true), set_config('app.action', 'seen', true)
    )
    update member m set
      last_seen_at = now(),
      invitation_hash = case when m.id = any(${signedInExternally}::uuid[]) then null else m.invitation_hash end
    where (select tenant from ctx) is not null
      and m.organisation_id = (select t.organisation_id from tenant t where t.id = ${tenantId})
      and m.id = any(${memberIds}::uuid[])
      and (m.last_seen_at is null or m.last_seen_at < now() - interval '1 minute')`,
);
