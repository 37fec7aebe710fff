import { MEMBERS_OF_TENANT, PRESENCE } from "../../auth/members/members.queries.js";
import { ADMINS, rolesFor } from "../../platform/caller/scope.js";
import {
  joined,
  literal,
  type Parameter,
  type Parameters,
  type Sql,
  sql,
  TENANT,
} from "../../platform/database/sql.js";
import { page, projection, query, REACHABLE } from "../../platform/database/statements.js";
import { conversationChange } from "../conversation-change.js";
import { MAX_LABELS } from "../conversations.dto.js";
import { become, hasEffect, isAllowed } from "../lifecycle/lifecycle.queries.js";
import type { AssigneeDto } from "./actions.dto.js";
import { QUESTION_AND_ANSWER, summarised } from "../summary.js";

const AT = sql`t.at`;
/** Of the conversation `t`, which is resolved. */
export const WITH_SUMMARY = sql`, context_from = t.last_sequence, ${summarised(QUESTION_AND_ANSWER)}`;

export const RESOLVE = conversationChange<{ by: string | null; resolution?: string | null }>()(
  "conversations.resolve",
  ({ by, resolution }) => ({
    set: sql`${become("resolve", AT, { resolvedBy: by, resolution })}${WITH_SUMMARY}`,
    changes: hasEffect("resolve"),
  }),
);

export const REOPEN = conversationChange()("conversations.reopen", () => ({
  set: become("reopen", AT, {}),
  changes: hasEffect("reopen"),
}));

export const WAIT = conversationChange()("conversations.wait", () => ({
  set: become("wait", AT, {}),
  changes: hasEffect("wait"),
  checks: { unresolved: isAllowed("wait") },
}));

export const SNOOZE = conversationChange<{ until: string }>()("conversations.snooze", ({ until }) => ({
  set: become("snooze", AT, { snoozedUntil: until }),
  changes: sql`(t.status, t.snoozed_until) is distinct from ('snoozed', ${until}::timestamptz(3))`,
  checks: { inFuture: sql`${until}::timestamptz > t.at`, unresolved: isAllowed("snooze") },
  also: sql`, due as (
        insert into snooze_due (tenant_id, conversation_id, due_at)
        select m.tenant_id, m.id, m.snoozed_until from changed m
        on conflict (tenant_id, conversation_id) do update set due_at = excluded.due_at
      )`,
}));

export const MARK_READ = conversationChange()("conversations.markRead", () => ({
  set: become("read", AT, {}),
  changes: sql`t.unread_count > 0`,
}));

export const MARK_UNREAD = conversationChange()("conversations.markUnread", () => ({
  set: become("unread", AT, {}),
  changes: sql`t.unread_count = 0`,
}));

/** Labels keep their order, and new ones come last. What a colleague adds at the same time stays. */
export const CHANGE_LABELS = conversationChange<{ add: readonly string[]; remove: readonly string[] }>()(
  "conversations.changeLabels",
  ({ add, remove }) => {
    const kept = sql`array(
          select l from unnest(t.labels) with ordinality o (l, n) where not (l = any(${remove}::text[])) order by n
        )`;
    const added = sql`array(
          select l from unnest(${add}::text[]) with ordinality o (l, n) where not (l = any(t.labels)) order by n
        )`;
    return {
      set: sql`labels = ${kept} || ${added}`,
      changes: sql`(t.labels && ${remove}::text[] or not t.labels @> ${add}::text[])`,
      checks: { few: sql`cardinality(${kept} || ${added}) <= ${literal(String(MAX_LABELS))}::int` },
    };
  },
);

const roles = (names: readonly string[]): Sql => joined(names.map(literal), ", ");
/** `m` is a member of the tenant of the conversation `t`. */
const IS_COLLEAGUE = sql`m.organisation_id = (select o.organisation_id from tenant o where o.id = ${TENANT})
        and m.removed_at is null`;
export const FIND_COLLEAGUE = query<{ memberId: string }>()(
  "conversations.findColleague",
  { unrestricted: "colleagues can see each other" },
  ({ memberId }) => sql`select 1 from member m where ${IS_COLLEAGUE} and m.id = ${memberId}`,
);
/** The colleague `m` can answer in the workspace. */
const worksIn = (workspaceId: Sql | Parameter): Sql => sql`m.deactivated_at is null and (
          m.role in (${roles(ADMINS)})
          or (m.role in (${roles(rolesFor("conversations:write"))}) and exists (
            select from member_workspace mw
            where mw.tenant_id = ${TENANT} and mw.member_id = m.id and mw.workspace_id = ${workspaceId}
          ))
        )`;
const WORKS_HERE = worksIn(sql`t.workspace_id`);
/** A member who was invited but never signed in cannot answer. */
const HAS_COME = sql`(m.invitation_hash is null or m.last_seen_at is not null)`;

/**
 * The conversation, with the member with this email if it can be assigned to them. Nobody else is looked for, so that whoever only
 * assigns does not learn who else is a colleague.
 */
export const FIND_ASSIGNEE_BY_EMAIL = query<{ conversationId: string; email: string }>()(
  "conversations.findAssigneeByEmail",
  "restricted",
  ({ conversationId, email }) => sql`
    select m.id as "memberId"
    from conversation t join workspace w on w.tenant_id = t.tenant_id and w.id = t.workspace_id
      left join member m on ${IS_COLLEAGUE} and m.email = ${email} and ${WORKS_HERE} and ${HAS_COME}
    where t.tenant_id = ${TENANT} and t.id = ${conversationId} and ${REACHABLE}`,
);

/** Whom a conversation of the workspace can be assigned to. Presence runs out by itself, so this list must not be `polled`. */
export const LIST_ASSIGNEES = page<AssigneeDto, { workspaceId: string }>(
  "conversations.listAssignees",
  "restricted",
  ({ workspaceId, limit, after0, after1 }) => ({
    rows: sql`
      select m.id, m.name, ${PRESENCE} as presence
      from ${MEMBERS_OF_TENANT}
      where t.id = ${TENANT} and m.removed_at is null and ${worksIn(workspaceId)} and ${HAS_COME}
        and (${after0}::text is null or (m.name, m.id) > (${after0}::text, ${after1}::uuid))
      order by m.name, m.id limit ${limit} + 1`,
    position: [sql`r.name`, sql`r.id`],
    item: projection<AssigneeDto>({ id: sql`r.id`, name: sql`r.name`, presence: sql`r.presence` }),
    visible: sql`exists (select from workspace w where w.id = ${workspaceId} and ${REACHABLE})`,
  }),
);

interface MemberArgs {
  memberId: string | null;
  /** The member who acts: null for an API key. */
  self: string | null;
}
/** Whether the conversation can be assigned to the member. Null if there is no such member. The calling member's access was already checked. */
const able = ({ memberId, self }: Parameters<MemberArgs>): Sql => sql`
        case when ${memberId}::uuid is null or ${memberId} = ${self}::uuid then true else (
          select ${WORKS_HERE} and ${HAS_COME}
          from member m where ${IS_COLLEAGUE} and m.id = ${memberId}
        ) end`;
/** Whether no colleague has the conversation. A member who was removed, or now works elsewhere, does not count. */
const free = ({ memberId, force }: Parameters<MemberArgs & { force: boolean }>): Sql => sql`
        (${force} or ${memberId}::uuid is null or t.assignee_id is null or t.assignee_id = ${memberId} or not exists (
          select from member m where ${IS_COLLEAGUE} and m.id = t.assignee_id and ${WORKS_HERE}
        ))`;

/** Without a member, as for an API key, the assignee does not change. */
export const TAKE_OVER = conversationChange<MemberArgs & { force: boolean }>()("conversations.takeOver", (p) => ({
  set: become("takeOver", AT, { assigneeId: sql`coalesce(${p.memberId}::uuid, t.assignee_id)` }),
  changes: sql`(t.handling_mode <> 'human' or t.assignee_id is distinct from coalesce(${p.memberId}::uuid, t.assignee_id))`,
  checks: { able: able(p), free: free(p) },
}));

export const RELEASE = conversationChange()("conversations.release", () => ({
  set: become("release", AT, {}),
  changes: sql`t.handling_mode <> 'assistant'`,
}));

export const ASSIGN = conversationChange<MemberArgs>()("conversations.assign", (p) => ({
  set: become("assign", AT, { assigneeId: p.memberId }),
  changes: sql`t.assignee_id is distinct from ${p.memberId}::uuid`,
  checks: { able: able(p) },
}));

export const UNASSIGN = conversationChange()("conversations.unassign", () => ({
  set: become("unassign", AT, {}),
  changes: sql`t.assignee_id is not null`,
}));

/**
 * Opens a conversation whose snooze has ended. Several processes may try. No row means that the snooze was already
 * ended or moved, or has not ended yet: the clock may have gone back since the job found it. Then it is due again when it ends.
 */
export const END_SNOOZE = query<{ conversationId: string; until: string }>()(
  "conversations.endSnooze",
  "checked",
  ({ conversationId, until }) => sql`
    with opened as (
      update conversation c set ${become("snoozeEnds", sql`n.at`, {})}, last_activity_at = n.at, updated_at = n.at
      from (select clock_timestamp() as at) n
      where c.tenant_id = ${TENANT} and c.id = ${conversationId} and c.status = 'snoozed' and c.snoozed_until <= n.at
      returning c.workspace_id
    ), later as (
      update snooze_due d set due_at = c.snoozed_until from conversation c
      where d.tenant_id = ${TENANT} and d.conversation_id = ${conversationId} and d.due_at = ${until}::timestamptz
        and c.tenant_id = ${TENANT} and c.id = d.conversation_id and c.status = 'snoozed'
        and not exists (select from opened)
      returning 1
    ), done as (
      delete from snooze_due d
      where d.tenant_id = ${TENANT} and d.conversation_id = ${conversationId} and d.due_at = ${until}::timestamptz
        and not exists (select from later)
    )
    select workspace_id as "workspaceId" from opened`,
);
