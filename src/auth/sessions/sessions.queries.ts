import type { Environment } from "../../platform/caller/caller.js";
import type { Role } from "../../platform/caller/scope.js";
import { literal, type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { globalQuery, one, query } from "../../platform/database/statements.js";
import { IS_ADMITTED } from "../members/members.queries.js";

/** Days without use after which a session ends. */
export const SESSION_DAYS = 14;
const SESSION_LIFETIME = sql`interval ${literal(`${SESSION_DAYS} days`)}`;
/** Two tabs may refresh at the same time. For this long, the refresh token that was just replaced gives the new one again. */
const ROTATION_GRACE = sql`interval '1 minute'`;
/** Sessions are kept for as long after their last use. */
const DEVICE_MEMORY = sql`interval '90 days'`;

const BEFORE_SIGN_IN = { unrestricted: "a sign-in has no reach yet, and it is the member's own row" };

/** A member whom a sign-in could mean. */
export interface Candidate {
  organisationId: string;
  memberId: string;
  /** The side that is asked for. */
  tenantId: string;
}

/** Several tenants may have members with an email that nobody has proven. The oldest are tried. */
export const MAX_CANDIDATES = 3;

/** The member who has proven the email comes first. */
export const FIND_MEMBERS_BY_EMAIL = globalQuery<
  { email: string; environment: Environment },
  Candidate & { proven: boolean }
>()(
  "sessions.findMembersByEmail",
  "everywhere",
  ({ email, environment }) => sql`
    select e.organisation_id as "organisationId", e.member_id as "memberId", t.id as "tenantId",
      e.proven_at is not null as proven
    from member_email e join tenant t on t.organisation_id = e.organisation_id and t.environment = ${environment}
    where e.email = ${email}
    order by e.proven_at is null, e.created_at, e.member_id limit ${literal(`${MAX_CANDIDATES}`)}`,
);

export const FIND_MEMBER_BY_IDENTITY = globalQuery<
  { issuer: string; subject: string; environment: Environment },
  Candidate
>()(
  "sessions.findMemberByIdentity",
  "everywhere",
  ({ issuer, subject, environment }) => sql`
    select i.organisation_id as "organisationId", i.member_id as "memberId", t.id as "tenantId"
    from member_identity i join tenant t on t.organisation_id = i.organisation_id and t.environment = ${environment}
    where i.issuer = ${issuer} and i.subject = ${subject}`,
);

/** A row if the account at the issuer is bound to a member of the organisation. */
export const HOLDS_IDENTITY = globalQuery<{ organisationId: string; issuer: string; subject: string }>()(
  "sessions.holdsIdentity",
  "tenant",
  ({ organisationId, issuer, subject }) => sql`
    select i.member_id as "memberId" from member_identity i
    where i.issuer = ${issuer} and i.subject = ${subject} and i.organisation_id = ${organisationId}`,
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

export const GET_OWN_PASSWORD = query<{ memberId: string }>()(
  "sessions.getOwnPassword",
  { unrestricted: "it is the member's own row" },
  ({ memberId }) => sql`
    select m.email, m.password_hash as "passwordHash"
    from tenant t join member m on m.organisation_id = t.organisation_id
    where t.id = ${TENANT} and m.id = ${memberId} and ${IS_ADMITTED}`,
);

/**
 * A row if the member signed in from this network with this device before, or is about to sign in for the first time.
 * Browser and network together: nearly everybody has one of a few browsers, so a thief often has the member's too.
 */
export const KNOWS_DEVICE = query<{ memberId: string; device: string; network: string }>()(
  "sessions.knowsDevice",
  BEFORE_SIGN_IN,
  ({ memberId, device, network }) => sql`
    select from tenant t join member m on m.organisation_id = t.organisation_id
    where t.id = ${TENANT} and m.id = ${memberId} and (m.last_seen_at is null or exists (
      select from member_session s
      where s.organisation_id = t.organisation_id and s.member_id = ${memberId}
        and s.device = ${device} and s.network = ${network} and s.last_used_at > now() - ${DEVICE_MEMORY}))`,
);

interface Rotation {
  memberId: string;
  environment: Environment;
  tenantId: string;
  number: number;
}

/** How many hours after the sign-in a session ends, however much it is used. */
export interface LongestHours {
  ofAdmins: number;
  ofOthers: number;
}
/** By the role that the member has now, which may be another one than at the sign-in. */
const endAtLatest = (ofAdmins: Parameter, ofOthers: Parameter): Sql =>
  sql`s.created_at + make_interval(hours => case when m.role in ('owner', 'admin') then ${ofAdmins}::int else ${ofOthers}::int end)`;

/**
 * One statement decides, so two tabs that refresh at the same time both go on. The newest token gives the next one. The one
 * before it gives the newest again until that was used, because the answer may have been lost, and for a minute, because
 * two tabs may ask together. The live side, which refreshes, has the organisation's id.
 */
export const ROTATE_REFRESH_TOKEN = query<
  { id: string; environment: Environment; number: number; device: string; address: string } & LongestHours,
  Rotation
>()(
  "sessions.rotateRefreshToken",
  BEFORE_SIGN_IN,
  ({ id, environment, number, device, address, ofAdmins, ofOthers }) => sql`
    update member_session s set
      refresh_number = ${number}::int + 1,
      rotated_at = case when s.refresh_number = ${number}::int then now() else s.rotated_at end,
      expires_at = least(now() + ${SESSION_LIFETIME}, ${endAtLatest(ofAdmins, ofOthers)}), last_used_at = now(), device = ${device}, address = ${address}
    from tenant t, member m
    where s.organisation_id = ${TENANT} and s.id = ${id} and s.environment = ${environment}
      and s.ended_at is null and s.expires_at > now()
      and (s.refresh_number = ${number}::int or (
        s.refresh_number = ${number}::int + 1
        and (s.used_number < s.refresh_number or s.rotated_at > now() - ${ROTATION_GRACE})
      ))
      and t.organisation_id = ${TENANT} and t.environment = s.environment
      and m.organisation_id = ${TENANT} and m.id = s.member_id and ${IS_ADMITTED}
      and ${endAtLatest(ofAdmins, ofOthers)} > now()
    returning s.member_id as "memberId", s.environment, t.id as "tenantId", s.refresh_number as number`,
);

/** A replaced refresh token was stolen, or is the member's own after a theft. Either way the session ends. */
export const END_STOLEN_SESSION = query<{ id: string; number: number }>()(
  "sessions.endStolen",
  BEFORE_SIGN_IN,
  ({ id, number }) => sql`
    update member_session s set ended_at = now()
    where s.organisation_id = ${TENANT} and s.id = ${id} and s.ended_at is null and s.refresh_number > ${number}::int
    returning s.member_id as "memberId"`,
);

/** The member proved again who they are. The database's clock at this moment, not at the start of the transaction. */
export const RENEW_SIGN_IN = query<{ memberId: string; sessionId: string }>()(
  "sessions.renewSignIn",
  { unrestricted: "it is the member's own session" },
  ({ memberId, sessionId }) => sql`
    update member_session s set authenticated_at = clock_timestamp()
    from tenant t
    where t.id = ${TENANT} and s.organisation_id = t.organisation_id and s.id = ${sessionId}
      and s.member_id = ${memberId} and s.ended_at is null and s.expires_at > now()
    returning s.id`,
);

/** What a member may do. */
export interface MemberCredential {
  /** Both sides of the tenant. */
  tenantIds: string[];
  organisationId: string;
  role: Role;
  workspaceIds: string[];
  /** For how many milliseconds a sign-in counts as recent. */
  recentMs: number;
  /** Milliseconds since the member last proved who they are in this session; null for tokens of an external issuer. */
  signedInMsAgo: number | null;
  /** Whether the tenant requires a second factor and the member has none. */
  lacksSecondFactor: boolean;
}

/** No row if the member was removed or deactivated, or if the session has ended. */
export const GET_MEMBER_CREDENTIAL = one<MemberCredential, { memberId: string; sessionId: string | null }>(
  "sessions.getMemberCredential",
  { unrestricted: "it looks up the caller's reach" },
  ({ memberId, sessionId }) => sql`
    select
      array(select side.id from tenant side where side.organisation_id = t.organisation_id) as "tenantIds",
      t.organisation_id as "organisationId",
      m.role,
      array(
        select mw.workspace_id from member_workspace mw
        where mw.tenant_id = ${TENANT} and mw.member_id = m.id
      ) as "workspaceIds",
      t.sign_in_valid_minutes * 60000 as "recentMs",
      extract(epoch from clock_timestamp() - s.authenticated_at)::float8 * 1000 as "signedInMsAgo",
      t.require_second_factor and s.external is not true and not exists (
        select from second_factor f
        where f.organisation_id = t.organisation_id and f.member_id = m.id and f.confirmed_at is not null
      ) as "lacksSecondFactor"
    from tenant t join member m on m.organisation_id = t.organisation_id
      left join member_session s on s.organisation_id = t.organisation_id and s.id = ${sessionId}
        and s.member_id = m.id and s.ended_at is null and s.expires_at > now()
    where t.id = ${TENANT} and m.id = ${memberId} and ${IS_ADMITTED}
      and (${sessionId}::uuid is null or s.id is not null)`,
);

/**
 * Records that members made requests. It sets the tenant, and the actor for the audit log, in the same statement. Other
 * processes are not notified: polled answers do not show who is online.
 */
export const NOTE_SEEN = globalQuery<{ tenantId: string; memberIds: string[] }>()(
  "sessions.noteSeen",
  "tenant",
  ({ tenantId, memberIds }) => sql`
    with ctx as materialized (
      select set_config('app.tenant_id', ${tenantId}::uuid::text, true) as tenant,
        set_config('app.actor', 'system', true), set_config('app.action', 'seen', true)
    )
    update member m set last_seen_at = now()
    where (select tenant from ctx) is not null
      and m.organisation_id = (select t.organisation_id from tenant t where t.id = ${tenantId})
      and m.id = any(${memberIds}::uuid[])
      and (m.last_seen_at is null or m.last_seen_at < now() - interval '1 minute')`,
);

/** A session that was used, with the newest of its refresh tokens whose access token was used. */
export interface UsedSession {
  id: string;
  number: number;
}

/** Records that sessions were used, as `NOTE_SEEN` does for members. `used`: JSON of `UsedSession[]`. */
export const NOTE_SESSIONS_USED = globalQuery<{ tenantId: string; used: string }>()(
  "sessions.noteUsed",
  "tenant",
  ({ tenantId, used }) => sql`
    with ctx as materialized (
      select set_config('app.tenant_id', ${tenantId}::uuid::text, true) as tenant,
        set_config('app.actor', 'system', true), set_config('app.action', 'seen', true)
    )
    update member_session s set last_used_at = now(), used_number = greatest(s.used_number, u.number)
    from jsonb_to_recordset(${used}::jsonb) as u (id uuid, number int)
    where (select tenant from ctx) is not null
      and s.organisation_id = (select t.organisation_id from tenant t where t.id = ${tenantId}) and s.id = u.id
      and (s.used_number < u.number or s.last_used_at < now() - interval '1 minute')`,
);
