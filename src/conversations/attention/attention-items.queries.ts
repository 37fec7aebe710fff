import {
  inReach,
  one,
  page,
  type PageStatement,
  polled,
  projection,
  REACHABLE,
  time,
} from "../../platform/database/statement.js";
import type { AttentionItemDto } from "./attention-items.dto.js";

/** An attention item `r`. */
export const ATTENTION_ITEM = projection<AttentionItemDto>({
  id: "r.id",
  workspaceId: "r.workspace_id",
  conversationId: "r.conversation_id",
  channelId: "r.channel_id",
  calendarConnectionId: "r.calendar_connection_id",
  circuitBreakerId: "r.circuit_breaker_id",
  type: "r.type",
  severity: "r.severity",
  reason: "r.reason",
  status: "r.status",
  occurrences: "r.occurrences",
  assigneeId: "(select c.assignee_id from conversation c where c.tenant_id = r.tenant_id and c.id = r.conversation_id)",
  resolvedBy: "r.resolved_by",
  resolvedAt: time("r.resolved_at"),
  createdAt: time("r.created_at"),
});

export const GET_ATTENTION_ITEM = polled(
  one<AttentionItemDto, { id: string }>(
    "attention-items.get",
    "workspace",
    `select ${ATTENTION_ITEM} from attention_item r where r.tenant_id = :tenant and r.id = :id and ${inReach("r")}`,
  ),
);

interface Filters {
  workspaceId?: string;
  conversationId?: string;
  status?: string;
  type?: string;
}
const CONDITIONS: Record<keyof Filters, string> = {
  workspaceId: "i.workspace_id = :workspaceId",
  conversationId: "i.conversation_id = :conversationId",
  status: "i.status = :status",
  type: "i.type = :type",
};
type ListArgs = Filters & { limit: number; after0?: string; after1?: string };

const lists = new Map<string, PageStatement<ListArgs, AttentionItemDto>>();

/** The list for one set of filters: a text of its own, so that each walks its own index of each workspace backwards. */
export function listStatement(filters: Filters, continued: boolean): PageStatement<ListArgs, AttentionItemDto> {
  const names = (Object.keys(CONDITIONS) as (keyof Filters)[]).filter((name) => filters[name] !== undefined);
  const name = ["attention-items.list", ...names, ...(continued ? ["next"] : [])].join(" ");
  let statement = lists.get(name);
  // PostgreSQL tells prepared statements apart by 63 characters.
  if (!statement)
    lists.set(name, (statement = polled(makeList(`attention-items.list ${lists.size}`, names, continued))));
  return statement;
}

function makeList(
  name: string,
  filters: (keyof Filters)[],
  continued: boolean,
): PageStatement<ListArgs, AttentionItemDto> {
  const conditions = filters.map((filter) => ` and ${CONDITIONS[filter]}`).join("");
  const after = continued ? " and (i.created_at, i.id) < (:after0::timestamptz, :after1::uuid)" : "";
  const order = "order by i.created_at desc, i.id desc limit :limit + 1";
  return page(name, "workspace", {
    list: "attention-items",
    rows: `select i.* from workspace w cross join lateral (
        select i.* from attention_item i where i.tenant_id = w.tenant_id and i.workspace_id = w.id${conditions}${after} ${order}) i
      where ${REACHABLE} ${order}`,
    position: [time("r.created_at"), "r.id"],
    item: ATTENTION_ITEM,
    ...(filters.includes("workspaceId") && {
      visible: `exists (select from workspace w where w.id = :workspaceId and ${REACHABLE})`,
    }),
  });
}

/**
 * The lock on the conversation comes first, as in everything that changes one: so nobody waits for an item while
 * holding what another needs.
 */
export const RAISE = `with target as (
    select c.tenant_id, c.id, c.workspace_id from conversation c where c.tenant_id = :tenant and c.id = :conversationId for no key update
  ), raised as (
    insert into attention_item (tenant_id, id, workspace_id, conversation_id, type, severity, reason, created_at)
    select t.tenant_id, :id::uuid, t.workspace_id, t.id, :type, :severity, :reason, clock_timestamp() from target t
    on conflict (tenant_id, conversation_id, type) where status = 'open' do update set occurrences = attention_item.occurrences + 1
    returning *
  ), counted as (
    update conversation c set open_attention_count = c.open_attention_count + 1, last_activity_at = r.created_at, updated_at = r.created_at
    from raised r where r.occurrences = 1 and c.tenant_id = r.tenant_id and c.id = r.conversation_id
  )
  select id from raised`;

/** What of a workspace's, beside its conversations, an item can be about: the table, which the column is named after. */
export const SUBJECTS = {
  channelId: "channel",
  calendarConnectionId: "calendar_connection",
  circuitBreakerId: "circuit_breaker",
} as const;
export type Subject = keyof typeof SUBJECTS;

/** The same about something else. */
export const raiseAboutA = (
  table: string,
): string => `insert into attention_item (tenant_id, id, workspace_id, ${table}_id, type, severity, reason, created_at)
  select s.tenant_id, :id::uuid, s.workspace_id, s.id, :type, :severity, :reason, clock_timestamp() from ${table} s where s.tenant_id = :tenant and s.id = :subjectId
  on conflict (tenant_id, ${table}_id, type) where status = 'open' and ${table}_id is not null do update set occurrences = attention_item.occurrences + 1
  returning id`;

/** No row: there is no such item. An item that is resolved already stays as it is. */
export const RESOLVE = `with target as (
    select i.tenant_id, i.id, i.workspace_id from attention_item i where i.tenant_id = :tenant and i.id = :id and ${inReach("i")}
  ), held as (
    select c.id from target t join attention_item i on i.tenant_id = t.tenant_id and i.id = t.id join conversation c on c.tenant_id = i.tenant_id and c.id = i.conversation_id for update of c
  ), resolved as (
    update attention_item i set status = 'resolved', resolved_by = :by::uuid, resolved_at = clock_timestamp()
    from target t, (select count(*) from held) h where i.tenant_id = t.tenant_id and i.id = t.id and i.status = 'open'
    returning i.*
  ), counted as (
    update conversation c set open_attention_count = c.open_attention_count - 1, last_activity_at = r.resolved_at, updated_at = r.resolved_at
    from resolved r where c.tenant_id = r.tenant_id and c.id = r.conversation_id
  )
  select workspace_id as "workspaceId" from target`;
