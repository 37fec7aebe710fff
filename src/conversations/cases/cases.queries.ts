import { ADMITTED } from "../../auth/members/members.service.js";
import {
  inReach,
  list,
  one,
  page,
  type PageStatement,
  polled,
  projection,
  REACHABLE,
  time,
} from "../../platform/database/statement.js";
import type { CaseTypeDto } from "./case-types.dto.js";
import type { CaseDto, CaseEventDto } from "./cases.dto.js";

/** A case `r`. */
export const CASE = projection<CaseDto>({
  id: "r.id",
  workspaceId: "r.workspace_id",
  number: "r.number",
  typeId: "r.type_id",
  title: "r.title",
  status: "r.status",
  priority: "r.priority",
  conversationIds:
    "array(select l.conversation_id from case_conversation l where l.tenant_id = r.tenant_id and l.case_id = r.id order by l.conversation_id)",
  contactId: "r.contact_id",
  accountId: "(select co.account_id from contact co where co.tenant_id = r.tenant_id and co.id = r.contact_id)",
  assigneeId: "r.assignee_id",
  fields: "r.fields",
  dueAt: time("r.due_at"),
  createdAt: time("r.created_at"),
  updatedAt: time("r.updated_at"),
});

export const GET_CASE = polled(
  one<CaseDto, { id: string }>(
    "cases.get",
    "workspace",
    `select ${CASE} from support_case r where r.tenant_id = :tenant and r.id = :id and ${inReach("r")}`,
  ),
);

export interface Filters {
  workspaceId?: string;
  status?: string;
  assigneeId?: string;
  contactId?: string;
  conversationId?: string;
}
const CONDITIONS: Record<keyof Filters, string> = {
  workspaceId: "i.workspace_id = :workspaceId",
  status: "i.status = :status",
  assigneeId: "i.assignee_id = :assigneeId",
  contactId: "i.contact_id = :contactId",
  conversationId:
    "i.id in (select l.case_id from case_conversation l where l.tenant_id = :tenant and l.conversation_id = :conversationId)",
};
type ListArgs = Filters & { limit: number; after0?: string; after1?: string };

const lists = new Map<string, PageStatement<ListArgs, CaseDto>>();

/** The list for one set of filters: a text of its own, so that each walks its own index backwards. */
export function listStatement(filters: Filters, continued: boolean): PageStatement<ListArgs, CaseDto> {
  const names = (Object.keys(CONDITIONS) as (keyof Filters)[]).filter((name) => filters[name] !== undefined);
  const name = ["cases.list", ...names, ...(continued ? ["next"] : [])].join(" ");
  let statement = lists.get(name);
  if (!statement) lists.set(name, (statement = polled(makeList(`cases.list ${lists.size}`, names, continued))));
  return statement;
}

/** What somebody or something has is little, and found at once; all else goes workspace by workspace. */
const NARROW: readonly (keyof Filters)[] = ["assigneeId", "contactId", "conversationId"];

function makeList(name: string, filters: (keyof Filters)[], continued: boolean): PageStatement<ListArgs, CaseDto> {
  const conditions = filters.map((filter) => ` and ${CONDITIONS[filter]}`).join("");
  const after = continued ? " and (i.created_at, i.id) < (:after0::timestamptz, :after1::uuid)" : "";
  const order = "order by i.created_at desc, i.id desc limit :limit + 1";
  return page(name, "workspace", {
    list: "cases",
    rows: filters.some((filter) => NARROW.includes(filter))
      ? `select i.* from support_case i where i.tenant_id = :tenant${conditions}${after} and ${inReach("i")} ${order}`
      : `select i.* from workspace w cross join lateral (
          select i.* from support_case i where i.tenant_id = w.tenant_id and i.workspace_id = w.id${conditions}${after} ${order}) i
        where ${REACHABLE} ${order}`,
    position: [time("r.created_at"), "r.id"],
    item: CASE,
    ...(filters.includes("workspaceId") && {
      visible: `exists (select from workspace w where w.id = :workspaceId and ${REACHABLE})`,
    }),
  });
}

/** An event `r` of a case. */
export const CASE_EVENT = projection<CaseEventDto>({
  id: "r.id",
  caseId: "r.case_id",
  type: "r.type",
  actor: `json_build_object('kind', r.actor_kind, 'id', r.actor_id)`,
  from: "r.before",
  to: "r.after",
  occurredAt: time("r.occurred_at"),
});
/** Oldest first. */
export const LIST_EVENTS = polled(
  page<CaseEventDto, { id: string; limit: number; after0?: string; after1?: string }>("cases.events", "workspace", {
    rows: `select e.* from case_event e where e.tenant_id = :tenant and e.case_id = :id
      and (:after0::timestamptz is null or (e.occurred_at, e.id) > (:after0::timestamptz, :after1::uuid))
    order by e.occurred_at, e.id limit :limit + 1`,
    position: [time("r.occurred_at"), "r.id"],
    item: CASE_EVENT,
    visible: `exists (select from support_case c where c.tenant_id = :tenant and c.id = :id and ${inReach("c")})`,
  }),
);

const CASE_TYPE = projection<CaseTypeDto>({ id: "t.id", key: "t.key", name: "t.name", fields: "t.fields" });
const OF_TENANT = { none: "case types are the whole tenant's" };
export const LIST_TYPES = polled(
  list<CaseTypeDto>(
    "case-types.list",
    OF_TENANT,
    `select ${CASE_TYPE} from case_type t where t.tenant_id = :tenant order by t.key`,
  ),
);
export const GET_TYPE = one<CaseTypeDto, { id: string }>(
  "case-types.get",
  OF_TENANT,
  `select ${CASE_TYPE} from case_type t where t.tenant_id = :tenant and t.id = :id`,
);

/** The next number in a workspace; whoever takes it has the counter until the transaction ends. */
export const NEXT_NUMBER = `insert into case_counter as c (tenant_id, workspace_id, last) values (:tenant, :workspaceId, 1)
  on conflict (tenant_id, workspace_id) do update set last = c.last + 1 returning last as number`;

/** The case within reach, held until the transaction ends. */
export const HOLD = `select c.workspace_id as "workspaceId", c.title, c.status, c.priority, c.contact_id as "contactId", c.assignee_id as "assigneeId", c.fields,
    ${time("c.due_at")} as "dueAt", w.status = 'archived' as archived, coalesce(t.fields, '[]') as definitions
  from support_case c join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id left join case_type t on t.tenant_id = c.tenant_id and t.id = c.type_id
  where c.tenant_id = :tenant and c.id = :id and ${REACHABLE} for update of c`;

export const UPDATE = `update support_case set title = :title, status = :status, priority = :priority, contact_id = :contactId::uuid, assignee_id = :assigneeId::uuid,
    fields = :fields::jsonb, due_at = :dueAt::timestamptz, updated_at = clock_timestamp() where tenant_id = :tenant and id = :id`;

/** Events at the moment at which the case was last written. */
export const RECORD = `insert into case_event (tenant_id, id, case_id, type, actor_kind, actor_id, before, after, occurred_at)
  select c.tenant_id, e.id, c.id, e.type, :kind, :actorId::uuid, e."from", e."to", c.updated_at
  from support_case c, jsonb_to_recordset(:events::jsonb) as e (id uuid, type text, "from" jsonb, "to" jsonb) where c.tenant_id = :tenant and c.id = :id`;

/** Whether the member's role lets them work; no row: nobody who is in the workspace. One who is being removed is waited for. */
export const WORKS_THERE = `select m.role in ('owner', 'admin', 'agent') as works
  from member m where m.organisation_id = (select t.organisation_id from tenant t where t.id = :tenant) and m.id = :assigneeId and ${ADMITTED}
    and (m.role in ('owner', 'admin') or exists (select from member_workspace mw where mw.tenant_id = :tenant and mw.workspace_id = :workspaceId and mw.member_id = m.id)) for share of m`;

/** Held against an erasure, which then finds the link. */
export const LINKABLE = `select c.redacted_at is not null as erased from conversation c
  where c.tenant_id = :tenant and c.workspace_id = :workspaceId and c.id = any(:linked::uuid[]) order by c.id for share`;
export const LINK =
  "insert into case_conversation (tenant_id, case_id, conversation_id) select :tenant, :id, l from unnest(:linked::uuid[]) as l";
export const UNLINK =
  "delete from case_conversation where tenant_id = :tenant and case_id = :id and conversation_id = any(:unlinked::uuid[])";

/**
 * The ids of a person's cases: those that name one of the contacts, and those that name nobody and are about one of the
 * conversations; both as SQL for an array.
 */
export const casesOf = (
  contacts: string,
  conversations: string,
): string => `select c.id from support_case c where c.tenant_id = :tenant and c.contact_id = any(${contacts})
    union
    select c.id from support_case c join case_conversation l on l.tenant_id = c.tenant_id and l.case_id = c.id
    where c.tenant_id = :tenant and c.contact_id is null and c.redacted_at is null and l.conversation_id = any(${conversations})`;

/** Those of a contact that was merged name the survivor from now on, and say so in their history. */
export const MOVE = `with moved as (
    update support_case set contact_id = :to, updated_at = clock_timestamp() where tenant_id = :tenant and contact_id = :from returning id, updated_at
  ) insert into case_event (tenant_id, id, case_id, type, actor_kind, actor_id, before, after, occurred_at)
    select :tenant, gen_random_uuid(), id, 'contact', :kind, :actorId::uuid, to_jsonb(:from::text), to_jsonb(:to::text), updated_at from moved returning 1`;

/** The words of the person's cases. */
export const ERASE = `with theirs as (
    ${casesOf(":contactIds::uuid[]", ":conversationIds::uuid[]")}
  ), redacted as (
    update support_case c set title = '', fields = '{}', contact_id = null, redacted_at = coalesce(c.redacted_at, now()), updated_at = now()
    from theirs t where c.tenant_id = :tenant and c.id = t.id returning c.id
  ), silenced as (
    update case_event e set before = null, after = null from redacted r where e.tenant_id = :tenant and e.case_id = r.id and e.type in ('title', 'contact')
  )
  select count(*)::int as cases from redacted`;

export const RELEASE = `with released as (
    update support_case set assignee_id = null, updated_at = clock_timestamp() where tenant_id = :tenant and id in (
      select s.id from support_case s where s.tenant_id = :tenant and s.assignee_id = :memberId and s.status <> 'resolved' order by s.id limit :batch for no key update)
    returning id
  ) insert into case_event (tenant_id, id, case_id, type, actor_kind, before)
    select :tenant, gen_random_uuid(), id, 'assignee', 'system', to_jsonb(:memberId::text) from released returning 1`;
