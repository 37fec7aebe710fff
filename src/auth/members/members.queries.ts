import { sql, TENANT } from "../../platform/database/sql.js";
import { list, type NoArgs, one, projection, query, time } from "../../platform/database/statements.js";
import type { MemberDto, MemberStatus } from "./members.dto.js";

/** The member `m` may sign in. */
export const IS_ADMITTED = sql`m.removed_at is null and m.deactivated_at is null`;

/** A dashboard that was closed reports nothing, so a member who was not seen for five minutes is offline. */
export const PRESENCE = sql`
  case
    when m.deactivated_at is null and m.last_seen_at > now() - interval '5 minutes' then m.presence
    else 'offline'
  end`;

const STATUS = sql`
  case
    when m.deactivated_at is not null then 'deactivated'
    when m.invitation_hash is not null then 'invited'
    else 'active'
  end`;

/** A member `m`. */
export const MEMBER = projection<MemberDto>({
  id: sql`m.id`,
  email: sql`m.email`,
  name: sql`m.name`,
  role: sql`m.role`,
  workspaceIds: sql`array(
    select mw.workspace_id from member_workspace mw
      join workspace w on w.tenant_id = ${TENANT} and w.id = mw.workspace_id and w.deleted_at is null
    where mw.tenant_id = ${TENANT} and mw.member_id = m.id
    order by mw.workspace_id
  )`,
  status: STATUS,
  presence: PRESENCE,
  lastSeenAt: time(sql`m.last_seen_at`),
});

/** The members `m` of the tenant, who belong to both of its sides. */
export const MEMBERS_OF_TENANT = sql`tenant t join member m on m.organisation_id = t.organisation_id`;

const WHOLE_TENANT = { unrestricted: "members see all other members of their tenant" };

export const LIST_MEMBERS = list<MemberDto>(
  "members.list",
  WHOLE_TENANT,
  () => sql`
    select ${MEMBER} from ${MEMBERS_OF_TENANT}
    where t.id = ${TENANT} and m.removed_at is null
    order by m.created_at, m.id`,
);

export const GET_MEMBER = one<MemberDto, { id: string }>(
  "members.get",
  WHOLE_TENANT,
  ({ id }) => sql`
    select ${MEMBER} from ${MEMBERS_OF_TENANT}
    where t.id = ${TENANT} and m.id = ${id} and m.removed_at is null`,
);

/** The live and the test side of the tenant. */
export const LIST_SIDES = query<NoArgs>()(
  "members.listSides",
  { unrestricted: "members belong to both sides" },
  () => sql`
    select side.id from tenant t join tenant side on side.organisation_id = t.organisation_id
    where t.id = ${TENANT}`,
);

/** In one order, so that two requests cannot wait for each other. */
export const LOCK_OWNERS = query<NoArgs, { id: string; status: MemberStatus }>()(
  "members.lockOwners",
  WHOLE_TENANT,
  () => sql`
    select m.id, ${STATUS} as status from ${MEMBERS_OF_TENANT}
    where t.id = ${TENANT} and m.role = 'owner' and m.removed_at is null
    order by m.id
    for update of m`,
);

export const LOCK_MEMBER = query<{ id: string }, { status: MemberStatus; hasOpenInvitation: boolean }>()(
  "members.lock",
  WHOLE_TENANT,
  ({ id }) => sql`
    select ${STATUS} as status, m.invitation_hash is not null as "hasOpenInvitation" from ${MEMBERS_OF_TENANT}
    where t.id = ${TENANT} and m.id = ${id} and m.removed_at is null
    for update of m`,
);

const ADMINS_ONLY = { unrestricted: "only owners and admins change members, and they see the whole tenant" };

/** For the job that takes the conversations of both sides off the member. */
export const QUEUE_RELEASE = query<{ id: string }>()(
  "members.queueRelease",
  ADMINS_ONLY,
  ({ id }) => sql`
    insert into release_queue (tenant_id, member_id)
    select side.id, ${id} from tenant t join tenant side on side.organisation_id = t.organisation_id
    where t.id = ${TENANT}
    on conflict (tenant_id, member_id) do update set queued_at = excluded.queued_at`,
);

export const CANCEL_RELEASE = query<{ id: string }>()(
  "members.cancelRelease",
  ADMINS_ONLY,
  ({ id }) => sql`
    delete from release_queue q using tenant t, tenant side
    where t.id = ${TENANT} and side.organisation_id = t.organisation_id
      and q.tenant_id = side.id and q.member_id = ${id}`,
);

export const UNASSIGN_WORKSPACES = query<{ memberId: string }>()(
  "members.unassignWorkspaces",
  ADMINS_ONLY,
  ({ memberId }) => sql`delete from member_workspace where tenant_id = ${TENANT} and member_id = ${memberId}`,
);

/** Gives a row for each workspace that exists. */
export const ASSIGN_WORKSPACES = query<{ memberId: string; organisationId: string; workspaceIds: string[] }>()(
  "members.assignWorkspaces",
  ADMINS_ONLY,
  ({ memberId, organisationId, workspaceIds }) => sql`
    insert into member_workspace (tenant_id, member_id, workspace_id, organisation_id)
    select w.tenant_id, ${memberId}, w.id, ${organisationId} from workspace w
    where w.tenant_id = ${TENANT} and w.id = any(${workspaceIds}::uuid[]) and w.deleted_at is null
    returning workspace_id`,
);

/** Of a member who is removed. */
export const FORGET_PREFERENCES = query<{ memberId: string }>()(
  "members.forgetPreferences",
  { unrestricted: "only owners and admins remove members" },
  ({ memberId }) => sql`
    delete from member_preferences p using tenant t
    where t.id = ${TENANT} and p.organisation_id = t.organisation_id and p.member_id = ${memberId}`,
);
