import { IS_ADMITTED } from "../../auth/members/members.queries.js";
import { BRAND, joined, type Parameters, type Sql, sql, TENANT, WORKSPACES } from "../../platform/database/sql.js";
import {
  inReach,
  list,
  namesUsed,
  one,
  page,
  type PageArgs,
  type PageRead,
  polled,
  positionOr,
  projection,
  query,
  REACHABLE,
  statementFamily,
  time,
} from "../../platform/database/statements.js";
import type { FieldDefinition } from "./case.entity.js";
import type { CaseTypeDto } from "./case-types.dto.js";
import type { CaseDto, CaseEventDto } from "./cases.dto.js";

/** A case `r`. */
export const CASE = projection<CaseDto>({
  id: sql`r.id`,
  workspaceId: sql`r.workspace_id`,
  number: sql`r.number`,
  typeId: sql`r.type_id`,
  title: sql`r.title`,
  status: sql`r.status`,
  priority: sql`r.priority`,
  conversationIds: sql`array(
    select l.conversation_id from case_conversation l where l.tenant_id = ${TENANT} and l.case_id = r.id
    order by l.conversation_id
  )`,
  contactId: sql`r.contact_id`,
  accountId: sql`(select co.account_id from contact co where co.tenant_id = ${TENANT} and co.id = r.contact_id)`,
  assigneeId: sql`r.assignee_id`,
  fields: sql`r.fields`,
  dueAt: time(sql`r.due_at`),
  createdAt: time(sql`r.created_at`),
  updatedAt: time(sql`r.updated_at`),
});

export const GET_CASE = polled(
  one<CaseDto, { id: string }>(
    "cases.get",
    "restricted",
    ({ id }) =>
      sql`select ${CASE} from support_case r where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}`,
  ),
);

interface CaseFilters {
  workspaceId?: string;
  status?: string;
  assigneeId?: string;
  contactId?: string;
  conversationId?: string;
}
type Filter = keyof CaseFilters;
const CONDITIONS: Record<Filter, (p: Parameters<CaseFilters & PageArgs>) => Sql> = {
  workspaceId: (p) => sql`i.workspace_id = ${p.workspaceId}`,
  status: (p) => sql`i.status = ${p.status}`,
  assigneeId: (p) => sql`i.assignee_id = ${p.assigneeId}`,
  contactId: (p) => sql`i.contact_id = ${p.contactId}`,
  conversationId: (p) => sql`i.id in (
    select l.case_id from case_conversation l where l.tenant_id = ${TENANT} and l.conversation_id = ${p.conversationId}
  )`,
};

/**
 * The list with the filter `q`, for every set of filters. Row-level security does not protect the index, but it protects
 * the rows that are returned.
 */
export const SEARCH_CASES = polled(
  page<CaseDto, CaseFilters & { q: string }>("cases.search", "restricted", (p) => {
    const { q, workspaceId, status, assigneeId, contactId, conversationId, limit, after0, after1 } = p;
    const isSearched = sql`${REACHABLE} and (${workspaceId}::uuid is null or w.id = ${workspaceId})`;
    const workspaces = sql`array(select w.id from workspace w where ${isSearched})`;
    const narrow = sql`coalesce(${BRAND}::uuid, ${workspaceId}::uuid) is not null or ${WORKSPACES}::uuid[] is not null`;
    const among = sql`case when ${conversationId}::uuid is not null then array(
      select l.case_id from case_conversation l where l.tenant_id = ${TENANT} and l.conversation_id = ${conversationId}
    ) end`;
    return {
      list: "cases",
      rows: sql`
        select i.* from search_cases(
            ${q}, ${workspaces}, ${narrow}, ${status}, ${assigneeId}::uuid, ${contactId}::uuid, ${among},
            ${after0}::timestamptz, ${after1}::uuid, ${limit} + 1) s
          cross join lateral (
            select c.* from support_case c where c.tenant_id = ${TENANT} and c.id = s.id offset 0
          ) i
          join workspace w on w.id = i.workspace_id and ${isSearched}
        where (${status}::text is null or i.status = ${status})
          and (${assigneeId}::uuid is null or i.assignee_id = ${assigneeId})
          and (${contactId}::uuid is null or i.contact_id = ${contactId})
          and (i.created_at, i.id) < (${positionOr(after0, "infinity")}, ${after1}::uuid)
        order by i.created_at desc, i.id desc limit ${limit} + 1`,
      position: [sql`r.created_at`, sql`r.id`],
      item: CASE,
      visible: sql`${workspaceId}::uuid is null or exists (select from workspace w where ${isSearched})`,
    };
  }),
);

/** The list for one set of filters. Each set has its own SQL text, so that each reads its own index backwards. */
export const listStatement = (filters: CaseFilters, continued: boolean): PageRead<CaseFilters, CaseDto> =>
  LISTS(namesUsed(CONDITIONS, filters), continued);

/** Filters that leave few cases, so that one query finds them. Every other list goes workspace by workspace. */
const NARROW: readonly Filter[] = ["assigneeId", "contactId", "conversationId"];

const LISTS = statementFamily("cases.list", (name, filters: readonly Filter[], continued: boolean) =>
  polled(
    page<CaseDto, CaseFilters>(name, "restricted", (p) => {
      const conditions = joined(
        filters.map((filter) => sql` and ${CONDITIONS[filter](p)}`),
        "",
      );
      const after = continued ? sql` and (i.created_at, i.id) < (${p.after0}::timestamptz, ${p.after1}::uuid)` : sql``;
      const order = sql`order by i.created_at desc, i.id desc limit ${p.limit} + 1`;
      return {
        list: "cases",
        rows: filters.some((filter) => NARROW.includes(filter))
          ? sql`
          select i.* from support_case i
          where i.tenant_id = ${TENANT}${conditions}${after} and ${inReach("i")} ${order}`
          : sql`
          select i.* from workspace w cross join lateral (
            select i.* from support_case i
            where i.tenant_id = w.tenant_id and i.workspace_id = w.id${conditions}${after} ${order}
          ) i
          where ${REACHABLE} ${order}`,
        position: [sql`r.created_at`, sql`r.id`],
        item: CASE,
        ...(filters.includes("workspaceId") && {
          visible: sql`exists (select from workspace w where w.id = ${p.workspaceId} and ${REACHABLE})`,
        }),
      };
    }),
  ),
);

/** An event `r` of a case. */
export const CASE_EVENT = projection<CaseEventDto>({
  id: sql`r.id`,
  caseId: sql`r.case_id`,
  type: sql`r.type`,
  actor: sql`json_build_object('kind', r.actor_kind, 'id', r.actor_id)`,
  from: sql`r.before`,
  to: sql`r.after`,
  occurredAt: time(sql`r.occurred_at`),
});
/** Oldest first. */
export const LIST_EVENTS = polled(
  page<CaseEventDto, { id: string }>("cases.events", "restricted", ({ id, limit, after0, after1 }) => ({
    rows: sql`
      select e.* from case_event e
      where e.tenant_id = ${TENANT} and e.case_id = ${id}
        and (e.occurred_at, e.id) > (${positionOr(after0, "-infinity")}, ${after1}::uuid)
      order by e.occurred_at, e.id limit ${limit} + 1`,
    position: [sql`r.occurred_at`, sql`r.id`],
    item: CASE_EVENT,
    visible: sql`exists (
      select from support_case c where c.tenant_id = ${TENANT} and c.id = ${id} and ${inReach("c")}
    )`,
  })),
);

const CASE_TYPE = projection<CaseTypeDto>({ id: sql`t.id`, key: sql`t.key`, name: sql`t.name`, fields: sql`t.fields` });
const OF_TENANT = { unrestricted: "case types belong to the whole tenant" };
export const LIST_TYPES = polled(
  list<CaseTypeDto>(
    "caseTypes.list",
    OF_TENANT,
    () => sql`select ${CASE_TYPE} from case_type t where t.tenant_id = ${TENANT} order by t.key`,
  ),
);
export const GET_TYPE = one<CaseTypeDto, { id: string }>(
  "caseTypes.get",
  OF_TENANT,
  ({ id }) => sql`select ${CASE_TYPE} from case_type t where t.tenant_id = ${TENANT} and t.id = ${id}`,
);

/** Takes the next number in a workspace and locks the counter until the transaction ends. */
export const NEXT_NUMBER = query<{ workspaceId: string }>()(
  "cases.nextNumber",
  "checked",
  ({ workspaceId }) => sql`
    insert into case_counter as c (tenant_id, workspace_id, last) values (${TENANT}, ${workspaceId}, 1)
    on conflict (tenant_id, workspace_id) do update set last = c.last + 1
    returning last as number`,
);

/** The content of a case that an update may change. */
export type CaseState = Pick<
  CaseDto,
  "title" | "status" | "priority" | "contactId" | "assigneeId" | "fields" | "dueAt"
>;
export interface LockedCase extends CaseState {
  workspaceId: string;
  archived: boolean;
  definitions: FieldDefinition[];
}
/** A case that the caller has access to, locked until the transaction ends. */
export const LOCK = query<{ id: string }, LockedCase>()(
  "cases.lock",
  "restricted",
  ({ id }) => sql`
    select c.workspace_id as "workspaceId", c.title, c.status, c.priority, c.contact_id as "contactId",
      c.assignee_id as "assigneeId", c.fields, ${time(sql`c.due_at`)} as "dueAt", w.status = 'archived' as archived,
      coalesce(t.fields, '[]') as definitions
    from support_case c
      join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id
      left join case_type t on t.tenant_id = c.tenant_id and t.id = c.type_id
    where c.tenant_id = ${TENANT} and c.id = ${id} and ${REACHABLE}
    for update of c`,
);

/** Writes events with the time of the case's last change. `events` is JSON. */
export const RECORD = query<{ id: string; kind: string; actorId: string | null; events: string }>()(
  "cases.record",
  "checked",
  ({ id, kind, actorId, events }) => sql`
    insert into case_event (tenant_id, id, case_id, type, actor_kind, actor_id, before, after, occurred_at)
    select c.tenant_id, e.id, c.id, e.type, ${kind}, ${actorId}::uuid, e."from", e."to", c.updated_at
    from support_case c, jsonb_to_recordset(${events}::jsonb) as e (id uuid, type text, "from" jsonb, "to" jsonb)
    where c.tenant_id = ${TENANT} and c.id = ${id}`,
);

/**
 * Whether the member's role allows the work. No row means that the member is not in the workspace. Waits for a
 * transaction that is removing the member.
 */
export const FIND_ASSIGNEE = query<{ workspaceId: string; assigneeId: string }, { works: boolean }>()(
  "cases.findAssignee",
  "checked",
  ({ workspaceId, assigneeId }) => sql`
    select m.role in ('owner', 'admin', 'agent') as works
    from member m
    where m.organisation_id = (select t.organisation_id from tenant t where t.id = ${TENANT}) and m.id = ${assigneeId}
      and ${IS_ADMITTED} and (m.role in ('owner', 'admin') or exists (
        select from member_workspace mw
        where mw.tenant_id = ${TENANT} and mw.workspace_id = ${workspaceId} and mw.member_id = m.id
      ))
    for share of m`,
);

/** Locked, so that an erasure waits and then finds the link. */
export const LOCK_CONVERSATIONS = query<{ workspaceId: string; linked: readonly string[] }>()(
  "cases.lockConversations",
  "checked",
  ({ workspaceId, linked }) => sql`
    select c.redacted_at is not null as erased from conversation c
    where c.tenant_id = ${TENANT} and c.workspace_id = ${workspaceId} and c.id = any(${linked}::uuid[])
    order by c.id for share`,
);

/**
 * The ids of a person's cases: those of the contacts, and those without a contact that are about one of the
 * conversations. Both arguments are SQL for an array.
 */
export const casesOf = (contacts: Sql, conversations: Sql): Sql => sql`
    select c.id from support_case c where c.tenant_id = ${TENANT} and c.contact_id = any(${contacts})
    union
    select c.id from support_case c join case_conversation l on l.tenant_id = c.tenant_id and l.case_id = c.id
    where c.tenant_id = ${TENANT} and c.contact_id is null and c.redacted_at is null
      and l.conversation_id = any(${conversations})`;

/** Moves the cases of a merged contact to the survivor and adds this to their history. */
export const MOVE_TO_CONTACT = query<{ from: string; to: string; kind: string; actorId: string | null }>()(
  "cases.moveToContact",
  { unrestricted: "a merge concerns all cases of the contact" },
  ({ from, to, kind, actorId }) => sql`
    with moved as (
      update support_case c set contact_id = ${to}, updated_at = clock_timestamp()
      where c.tenant_id = ${TENANT} and c.contact_id = ${from}
      returning c.id, c.updated_at
    )
    insert into case_event (tenant_id, id, case_id, type, actor_kind, actor_id, before, after, occurred_at)
    select ${TENANT}, gen_random_uuid(), id, 'contact', ${kind}, ${actorId}::uuid, to_jsonb(${from}::text),
      to_jsonb(${to}::text), updated_at
    from moved
    returning 1`,
);

/** Removes the text of the person's cases. */
export const REDACT = query<{ contactIds: readonly string[]; conversationIds: readonly string[] }>()(
  "cases.redact",
  { unrestricted: "an erasure concerns all cases of the contact" },
  ({ contactIds, conversationIds }) => sql`
    with theirs as (${casesOf(sql`${contactIds}::uuid[]`, sql`${conversationIds}::uuid[]`)}
    ), redacted as (
      update support_case c set title = '', fields = '{}', contact_id = null,
        redacted_at = coalesce(c.redacted_at, now()), updated_at = now()
      from theirs t where c.tenant_id = ${TENANT} and c.id = t.id
      returning c.id
    ), emptied as (
      update case_event e set before = null, after = null
      from redacted r where e.tenant_id = ${TENANT} and e.case_id = r.id and e.type in ('title', 'contact')
    )
    select count(*)::int as cases from redacted`,
);

/** Removes a member who has left from unresolved cases. */
export const RELEASE = query<{ memberId: string; batch: number }>()(
  "cases.release",
  { unrestricted: "only the job that releases the work of members who left runs it" },
  ({ memberId, batch }) => sql`
    with released as (
      update support_case c set assignee_id = null, updated_at = clock_timestamp()
      where c.tenant_id = ${TENANT} and c.id in (
        select s.id from support_case s
        where s.tenant_id = ${TENANT} and s.assignee_id = ${memberId} and s.status <> 'resolved'
        order by s.id limit ${batch} for no key update
      )
      returning c.id
    )
    insert into case_event (tenant_id, id, case_id, type, actor_kind, before)
    select ${TENANT}, gen_random_uuid(), id, 'assignee', 'system', to_jsonb(${memberId}::text) from released
    returning 1`,
);
