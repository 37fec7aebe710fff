import { ADMINS, rolesFor } from "../../platform/caller/scope.js";
import { change } from "./change.js";

export const RESOLVE = change({
  set: `status = 'resolved', resolved_at = t.at, resolved_by = :by::uuid, resolution = :resolution::text, snoozed_until = null, waiting_since = null`,
  moves: `t.status <> 'resolved'`,
});

export const REOPEN = change({
  set: `status = 'open', snoozed_until = null, resolved_at = null, resolved_by = null, resolution = null`,
  moves: `t.status <> 'open'`,
});

export const SNOOZE = change({
  set: `status = 'snoozed', snoozed_until = :until::timestamptz`,
  moves: `(t.status, t.snoozed_until) is distinct from ('snoozed', :until::timestamptz(3))`,
  checks: { ahead: ":until::timestamptz > t.at", unresolved: `t.status <> 'resolved'` },
  also: `, awaited as (
    insert into snooze_due (tenant_id, conversation_id, due_at) select m.tenant_id, m.id, m.snoozed_until from moved m
    on conflict (tenant_id, conversation_id) do update set due_at = excluded.due_at
  )`,
});

export const READ = change({ set: "unread_count = 0", moves: "t.unread_count > 0" });

const quoted = (roles: readonly string[]): string => roles.map((role) => `'${role}'`).join(", ");
const COLLEAGUE =
  "m.organisation_id = (select organisation_id from tenant where id = t.tenant_id) and m.removed_at is null";
/** Whether the colleague `m` can answer in the workspace of the conversation `t`. */
const WORKS_HERE = `m.deactivated_at is null and (m.role in (${quoted(ADMINS)}) or (m.role in (${quoted(rolesFor("conversations:write"))})
  and exists (select from member_workspace mw where mw.tenant_id = t.tenant_id and mw.member_id = m.id and mw.workspace_id = t.workspace_id)))`;
/**
 * Whether the conversation can be given to the member `:memberId`: null where there is no such member. Whoever acts has
 * been let in, and is not asked again; one who was invited and never came cannot answer.
 */
const ABLE = `case when :memberId::uuid is null or :memberId = :self::uuid then true else (
    select ${WORKS_HERE} and (m.invitation_hash is null or m.last_seen_at is not null) from member m where ${COLLEAGUE} and m.id = :memberId) end`;
/** Nobody else has the conversation; whoever was removed, or works elsewhere now, has nothing here. */
const FREE = `:force or :memberId::uuid is null or t.assignee_id is null or t.assignee_id = :memberId
    or not exists (select from member m where ${COLLEAGUE} and m.id = t.assignee_id and ${WORKS_HERE})`;

/** Without a member, as of a key, the assignee stays. */
export const TAKE_OVER = change({
  set: `handling_mode = 'human', assignee_id = coalesce(:memberId::uuid, t.assignee_id)`,
  moves: `t.handling_mode <> 'human' or t.assignee_id is distinct from coalesce(:memberId::uuid, t.assignee_id)`,
  checks: { able: ABLE, free: FREE },
});

export const RELEASE = change({
  set: `handling_mode = 'assistant', assignee_id = null`,
  moves: `t.handling_mode <> 'assistant'`,
});

export const ASSIGN = change({
  set: "assignee_id = :memberId::uuid",
  moves: "t.assignee_id is distinct from :memberId::uuid",
  checks: { able: ABLE },
});

export const UNASSIGN = change({ set: "assignee_id = null", moves: "t.assignee_id is not null" });

/** Ends a snooze whose time has come, on whichever node gets there first. No row: it had ended otherwise, or was moved. */
export const WAKE = `with woken as (
    update conversation c set status = 'open', snoozed_until = null, last_activity_at = n.at, updated_at = n.at from (select clock_timestamp() as at) n
    where c.tenant_id = :tenant and c.id = :conversationId and c.status = 'snoozed' and c.snoozed_until <= n.at returning c.workspace_id
  ), done as (
    delete from snooze_due where tenant_id = :tenant and conversation_id = :conversationId and due_at = :until::timestamptz
  )
  select workspace_id as "workspaceId" from woken`;
