import { identifier, joined, type Parameters, sql, TENANT } from "../../platform/database/sql.js";
import {
  inReach,
  namesUsed,
  one,
  page,
  type PageArgs,
  type PageRead,
  polled,
  projection,
  type Query,
  query,
  REACHABLE,
  statementFamily,
  time,
} from "../../platform/database/statements.js";
import type { AttentionSeverity, AttentionType } from "./attention-item.entity.js";
import type { AttentionItemDto } from "./attention-items.dto.js";

/** An attention item `r`. */
export const ATTENTION_ITEM = projection<AttentionItemDto>({
  id: sql`r.id`,
  workspaceId: sql`r.workspace_id`,
  conversationId: sql`r.conversation_id`,
  channelId: sql`r.channel_id`,
  calendarConnectionId: sql`r.calendar_connection_id`,
  circuitBreakerId: sql`r.circuit_breaker_id`,
  assistantTestId: sql`r.assistant_test_id`,
  type: sql`r.type`,
  severity: sql`r.severity`,
  reason: sql`r.reason`,
  status: sql`r.status`,
  occurrences: sql`r.occurrences`,
  assigneeId: sql`(
    select c.assignee_id from conversation c where c.tenant_id = ${TENANT} and c.id = r.conversation_id
  )`,
  resolvedBy: sql`r.resolved_by`,
  resolvedAt: time(sql`r.resolved_at`),
  createdAt: time(sql`r.created_at`),
});

export const GET_ATTENTION_ITEM = polled(
  one<AttentionItemDto, { id: string }>(
    "attentionItems.get",
    "restricted",
    ({ id }) => sql`
      select ${ATTENTION_ITEM} from attention_item r where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}`,
  ),
);

interface AttentionFilters {
  workspaceId?: string;
  conversationId?: string;
  status?: string;
  type?: string;
}
type Filter = keyof AttentionFilters;
const CONDITIONS: Record<Filter, (p: Parameters<AttentionFilters & PageArgs>) => ReturnType<typeof sql>> = {
  workspaceId: (p) => sql`i.workspace_id = ${p.workspaceId}`,
  conversationId: (p) => sql`i.conversation_id = ${p.conversationId}`,
  status: (p) => sql`i.status = ${p.status}`,
  type: (p) => sql`i.type = ${p.type}`,
};

/** The list for one set of filters. Each has a text of its own, so that each walks its own index backwards. */
export const listStatement = (
  filters: AttentionFilters,
  continued: boolean,
): PageRead<AttentionFilters, AttentionItemDto> => LISTS(namesUsed(CONDITIONS, filters), continued);

const LISTS = statementFamily("attentionItems.list", (name, filters: readonly Filter[], continued: boolean) =>
  polled(
    page<AttentionItemDto, AttentionFilters>(name, "restricted", (p) => {
      const conditions = joined(
        filters.map((filter) => sql` and ${CONDITIONS[filter](p)}`),
        "",
      );
      const after = continued ? sql` and (i.created_at, i.id) < (${p.after0}::timestamptz, ${p.after1}::uuid)` : sql``;
      const order = sql`order by i.created_at desc, i.id desc limit ${p.limit} + 1`;
      return {
        list: "attention-items",
        rows: sql`
        select i.* from workspace w cross join lateral (
          select i.* from attention_item i
          where i.tenant_id = w.tenant_id and i.workspace_id = w.id${conditions}${after} ${order}
        ) i
        where ${REACHABLE} ${order}`,
        position: [sql`r.created_at`, sql`r.id`],
        item: ATTENTION_ITEM,
        ...(filters.includes("workspaceId") && {
          visible: sql`exists (select from workspace w where w.id = ${p.workspaceId} and ${REACHABLE})`,
        }),
      };
    }),
  ),
);

interface RaiseArgs {
  id: string;
  type: AttentionType;
  severity: AttentionSeverity;
  reason: string;
}
const SYSTEM_RAISES = { unrestricted: "the system raises items, about things in any workspace" };

/**
 * Locks the conversation first, as every change of a conversation does, so that two transactions never wait for each
 * other's item and conversation. What ends with the conversation is not raised about one that is resolved.
 */
export const RAISE = query<RaiseArgs & { conversationId: string }>()(
  "attentionItems.raise",
  SYSTEM_RAISES,
  ({ id, conversationId, type, severity, reason }) => sql`
    with target as (
      select c.tenant_id, c.id, c.workspace_id, c.status from conversation c
      where c.tenant_id = ${TENANT} and c.id = ${conversationId} for no key update
    ), raised as (
      insert into attention_item (tenant_id, id, workspace_id, conversation_id, type, severity, reason, created_at)
      select t.tenant_id, ${id}::uuid, t.workspace_id, t.id, ${type}, ${severity}, ${reason}, clock_timestamp()
      from target t
      where t.status <> 'resolved' or not ends_with_conversation(${type})
      on conflict (tenant_id, conversation_id, type) where status = 'open'
      do update set occurrences = attention_item.occurrences + 1
      returning *
    ), counted as (
      update conversation c set open_attention_count = c.open_attention_count + 1, last_activity_at = r.created_at,
        updated_at = r.created_at
      from raised r where r.occurrences = 1 and c.tenant_id = ${TENANT} and c.id = r.conversation_id
    )
    select id from target`,
);

/**
 * The objects besides conversations that an item can be about. Each value is a table, and the column has its name.
 */
const SUBJECT_TABLES = {
  channelId: "channel",
  calendarConnectionId: "calendar_connection",
  circuitBreakerId: "circuit_breaker",
  assistantTestId: "assistant_test",
} as const;
export type Subject = keyof typeof SUBJECT_TABLES;

function raiseAbout(subject: Subject): Query<RaiseArgs & { subjectId: string }, { id: string }> {
  const table = identifier(SUBJECT_TABLES[subject]);
  const column = identifier(`${SUBJECT_TABLES[subject]}_id`);
  return query<RaiseArgs & { subjectId: string }, { id: string }>()(
    `attentionItems.raiseAbout ${subject}`,
    SYSTEM_RAISES,
    ({ id, subjectId, type, severity, reason }) => sql`
      insert into attention_item (tenant_id, id, workspace_id, ${column}, type, severity, reason, created_at)
      select s.tenant_id, ${id}::uuid, s.workspace_id, s.id, ${type}, ${severity}, ${reason}, clock_timestamp()
      from ${table} s where s.tenant_id = ${TENANT} and s.id = ${subjectId}
      on conflict (tenant_id, ${column}, type) where status = 'open' and ${column} is not null
      do update set occurrences = attention_item.occurrences + 1
      returning id`,
  );
}
/** Raises an item about something other than a conversation. */
export const RAISE_ABOUT = {
  channelId: raiseAbout("channelId"),
  calendarConnectionId: raiseAbout("calendarConnectionId"),
  circuitBreakerId: raiseAbout("circuitBreakerId"),
  assistantTestId: raiseAbout("assistantTestId"),
} as const satisfies Record<Subject, unknown>;

/** No row means that there is no such item. An item that is already resolved does not change. */
export const RESOLVE = query<{ id: string; by: string | null }>()(
  "attentionItems.resolve",
  "restricted",
  ({ id, by }) => sql`
    with target as (
      select i.tenant_id, i.id, i.workspace_id from attention_item i
      where i.tenant_id = ${TENANT} and i.id = ${id} and ${inReach("i")}
    ), locked as (
      select c.id
      from target t
        join attention_item i on i.tenant_id = ${TENANT} and i.id = t.id
        join conversation c on c.tenant_id = ${TENANT} and c.id = i.conversation_id
      for update of c
    ), resolved as (
      update attention_item i set status = 'resolved', resolved_by = ${by}::uuid, resolved_at = clock_timestamp()
      from target t, (select count(*) from locked) l
      where i.tenant_id = ${TENANT} and i.id = t.id and i.status = 'open'
      returning i.*
    ), counted as (
      update conversation c set open_attention_count = c.open_attention_count - 1, last_activity_at = r.resolved_at,
        updated_at = r.resolved_at
      from resolved r where c.tenant_id = ${TENANT} and c.id = r.conversation_id
    )
    select workspace_id as "workspaceId" from target`,
);

/** Deletes the items of these conversations: their reasons may contain what the contact asked for. */
export const ERASE = query<{ conversationIds: readonly string[] }>()(
  "attentionItems.erase",
  { unrestricted: "an erasure concerns all conversations of the contact" },
  ({ conversationIds }) => sql`
    with deleted as (
      delete from attention_item i
      where i.tenant_id = ${TENANT} and i.conversation_id = any(${conversationIds}::uuid[])
      returning i.conversation_id
    ), counted as (
      update conversation c set open_attention_count = 0 from deleted d
      where c.tenant_id = ${TENANT} and c.id = d.conversation_id
    )
    select count(*)::int as items from deleted`,
);
