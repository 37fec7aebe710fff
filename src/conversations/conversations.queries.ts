import type { Caller } from "../platform/caller/caller.js";
import {
  columnOf,
  identifier,
  joined,
  type Parameters,
  type Sql,
  sql,
  TENANT,
  BRAND,
  WORKSPACES,
} from "../platform/database/sql.js";
import {
  inReach,
  namesUsed,
  one,
  page,
  type PageArgs,
  type PageRead,
  polled,
  projection,
  query,
  REACHABLE,
  statementFamily,
  time,
} from "../platform/database/statements.js";
import { conversationChange } from "./conversation-change.js";
import type { ConversationDto, UpdateConversationDto } from "./conversations.dto.js";

/** A conversation `r`. */
export const CONVERSATION = projection<ConversationDto>({
  id: sql`r.id`,
  workspaceId: sql`r.workspace_id`,
  brandId: sql`r.brand_id`,
  channelId: sql`r.channel_id`,
  channelType: sql`r.channel_type`,
  contactId: sql`r.contact_id`,
  accountId: sql`r.account_id`,
  externalId: sql`r.external_id`,
  subject: sql`r.subject`,
  status: sql`r.status`,
  handlingMode: sql`r.handling_mode`,
  assigneeId: sql`r.assignee_id`,
  priority: sql`r.priority`,
  labels: sql`r.labels`,
  language: sql`r.language`,
  summary: sql`r.summary`,
  messageCount: sql`r.message_count`,
  unreadCount: sql`r.unread_count`,
  lastMessagePreview: sql`r.last_message_preview`,
  lastActivityAt: time(sql`r.last_activity_at`),
  waitingSince: time(sql`r.waiting_since`),
  firstReplyAt: time(sql`r.first_reply_at`),
  snoozedUntil: time(sql`r.snoozed_until`),
  resolvedAt: time(sql`r.resolved_at`),
  resolvedBy: sql`r.resolved_by`,
  resolution: sql`r.resolution`,
  assuranceLevel: sql`r.assurance_level`,
  csatScore: sql`to_json(r.csat_score)`,
  pendingActionCount: sql`r.pending_action_count`,
  openAttentionCount: sql`r.open_attention_count`,
  previousConversationId: sql`r.previous_conversation_id`,
  metadata: sql`r.metadata`,
  createdAt: time(sql`r.created_at`),
  updatedAt: time(sql`r.updated_at`),
});

export const GET_CONVERSATION = polled(
  one<ConversationDto, { id: string }>(
    "conversations.get",
    "restricted",
    ({ id }) => sql`
      select ${CONVERSATION} from conversation r where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}`,
  ),
);

export interface ConversationFilters {
  workspaceId?: string;
  status?: string;
  assigneeId?: string;
  contactId?: string;
  label?: string;
  updatedSince?: string;
  externalId?: string;
}
type Filter = keyof ConversationFilters;
type ListParameters = Parameters<ConversationFilters & PageArgs>;

/**
 * Conditions on a conversation `c`. `o` is the row that the list reads: the conversation itself, or one of its
 * labels.
 */
const CONDITIONS: Record<Filter, (o: Sql, p: ListParameters) => Sql> = {
  workspaceId: (o, p) => sql`${o}.workspace_id = ${p.workspaceId}`,
  status: (_, p) => sql`c.status = ${p.status}`,
  assigneeId: (_, p) => sql`c.assignee_id = ${p.assigneeId}`,
  contactId: (_, p) => sql`c.contact_id = ${p.contactId}`,
  label: (o, p) => sql`${o}.label = ${p.label}`,
  updatedSince: (o, p) => sql`${o}.last_activity_at >= ${p.updatedSince}::timestamptz`,
  externalId: (_, p) => sql`c.external_id = ${p.externalId}`,
};
/** Filters that have an index by workspace and one by tenant. */
const INDEXED: readonly Filter[] = ["status", "assigneeId", "contactId", "label"];

/** How far a caller reaches. A caller of one workspace, like most API keys, has statements that look at no other. */
export type Level = Caller["reach"]["level"] | "workspace";
export const levelOf = ({ reach }: Caller): Level =>
  reach.level === "workspaces" && reach.workspaceIds.length === 1 ? "workspace" : reach.level;
const NO_WORKSPACES = sql`${WORKSPACES}::uuid[] is null`;
const ONLY_WORKSPACE = sql`(${WORKSPACES}::uuid[])[1]`;

/**
 * The list for one level of access and one set of filters. Each has its own SQL text, so that each reads its own
 * index backwards and every page costs the same.
 */
export function listStatement(
  level: Level,
  filters: ConversationFilters,
  continued: boolean,
): PageRead<ConversationFilters, ConversationDto> {
  return LISTS(level, namesUsed(CONDITIONS, filters), continued);
}

const LISTS = statementFamily("conversations.list", makeList);

function makeList(
  name: string,
  level: Level,
  filters: readonly Filter[],
  continued: boolean,
): PageRead<ConversationFilters, ConversationDto> {
  const partsOf = (p: ListParameters) => {
    const byLabel = filters.includes("label");
    const o = identifier(byLabel ? "l" : "c");
    const id = byLabel ? sql`l.conversation_id` : sql`c.id`;
    const from = byLabel
      ? sql`conversation_label l join conversation c on c.tenant_id = l.tenant_id and c.id = l.conversation_id`
      : sql`conversation c`;
    const conditions = joined(
      filters.map((filter) => sql` and ${CONDITIONS[filter](o, p)}`),
      "",
    );
    const after = continued
      ? sql` and (${o}.last_activity_at, ${id}) < (${p.after0}::timestamptz, ${p.after1}::uuid)`
      : sql``;
    const order = sql`order by ${o}.last_activity_at desc, ${id} desc limit ${p.limit} + 1`;
    const rowsOf = (place: Sql): Sql => sql`
      select c.* from ${from} where ${o}.tenant_id = ${TENANT}${place}${conditions}${after} ${order}`;
    const byWorkspace = sql`
      select c.* from workspace w cross join lateral (
        select c.* from ${from}
        where ${o}.tenant_id = w.tenant_id and ${o}.workspace_id = w.id${conditions}${after} ${order}
      ) c
      where ${REACHABLE} order by c.last_activity_at desc, c.id desc limit ${p.limit} + 1`;
    const parts = {
      list: "conversations",
      position: [sql`r.last_activity_at`, sql`r.id`],
      item: CONVERSATION,
      rows: byWorkspace,
    };
    return { o, rowsOf, parts };
  };
  const byWorkspace = (suffix = "") =>
    page<ConversationDto, ConversationFilters>(name + suffix, "restricted", (p) => partsOf(p).parts);
  // A brand has few workspaces. Reading them one by one is cheaper than an index by brand for each filter.
  const narrow =
    filters.includes("externalId") || (level === "brand" && filters.some((filter) => INDEXED.includes(filter)));
  const ofOne = level === "workspace" || filters.includes("workspaceId");
  if (!ofOne && (level === "workspaces" || narrow)) return polled(byWorkspace());
  const direct = page<ConversationDto, ConversationFilters>(name, "restricted", (p) => {
    const { o, rowsOf, parts } = partsOf(p);
    if (filters.includes("workspaceId")) {
      const visible = sql`exists (select from workspace w where w.id = ${p.workspaceId} and ${REACHABLE})`;
      return { ...parts, rows: rowsOf(sql``), visible };
    }
    if (level === "workspace") {
      const own = rowsOf(sql` and ${o}.workspace_id = ${ONLY_WORKSPACE}`);
      const reached = sql`exists (select from workspace w where w.id = ${ONLY_WORKSPACE} and ${REACHABLE})`;
      return { ...parts, rows: sql`select c.* from (${own}) c where ${reached}` };
    }
    const ofBrand = (alias: Sql): Sql => (level === "brand" ? sql` and ${alias}.brand_id = ${BRAND}` : sql``);
    const purging = sql`exists (
      select from workspace w where w.tenant_id = ${TENANT} and w.deleted_at is not null${ofBrand(sql`w`)}
    )`;
    // Only for callers that reach all of it.
    const whole = level === "brand" ? NO_WORKSPACES : sql`${BRAND}::uuid is null and ${NO_WORKSPACES}`;
    return { ...parts, rows: rowsOf(ofBrand(sql`c`)), visible: sql`${whole} and not ${purging}` };
  });
  // While a deleted workspace waits for its purge, its rows would have to be skipped, however many there are. In
  // that case the list goes workspace by workspace instead. That is a statement of its own: as the other branch of one
  // statement, PostgreSQL would prepare it at each call, which takes 100 µs.
  return polled(ofOne ? direct : { ...direct, otherwise: byWorkspace(" by workspace") });
}

/** The fields that PATCH may change, with their types in the database. */
export const CHANGEABLE: Record<keyof UpdateConversationDto, Sql> = {
  subject: sql`text`,
  priority: sql`text`,
  labels: sql`text[]`,
  language: sql`text`,
  summary: sql`text`,
  metadata: sql`jsonb`,
};
type Changeable = keyof UpdateConversationDto;
export const changedIn = (body: UpdateConversationDto): Changeable[] => namesUsed(CHANGEABLE, body);

type UpdateArgs = Partial<Record<Changeable, unknown>>;

/** The change of these fields, each to the argument of its name. */
export const updateStatement = statementFamily("conversations.update", (name, names: readonly Changeable[]) =>
  conversationChange<UpdateArgs>(name, (p) => {
    const value = (field: Changeable): Sql => sql`${p[field]}::${CHANGEABLE[field]}`;
    const column = (field: Changeable): Sql => identifier(columnOf(field));
    const each = (part: (field: Changeable) => Sql): Sql => joined(names.map(part), ", ");
    return {
      set: each((field) => sql`${column(field)} = ${value(field)}`),
      changes: sql`(${each((field) => sql`t.${column(field)}`)}) is distinct from (${each(value)})`,
    };
  }),
);

/** Locked against an erasure, which would not see the answer that is stored for repeated requests. */
export const LOCK_BY_EXTERNAL_ID = query<{ workspaceId: string; externalId: string }, { id: string }>(
  "conversations.lockByExternalId",
  "checked",
  ({ workspaceId, externalId }) => sql`
    select c.id from conversation c
    where c.tenant_id = ${TENANT} and c.workspace_id = ${workspaceId} and c.external_id = ${externalId}
    for share`,
);

/**
 * The channel of a new conversation: the named one, or the workspace's first channel that an API key fetches from.
 */
export const FIND_CHANNEL = query<{ workspaceId: string; channelId?: string }, { id: string; delivers: boolean }>(
  "conversations.findChannel",
  "checked",
  ({ workspaceId, channelId }) => sql`
    select ch.id, ch.delivers from channel ch
    where ch.tenant_id = ${TENANT} and ch.workspace_id = ${workspaceId}
      and (ch.id = ${channelId}::uuid or (${channelId}::uuid is null and ch.fetched))
    order by ch.created_at limit 1`,
);

const OF_CONTACT = { unrestricted: "a merge or an erasure concerns all conversations of the contact" };

export const LOCK_OF_CONTACTS = query<{ contactIds: readonly string[] }>(
  "conversations.lockOfContacts",
  OF_CONTACT,
  ({ contactIds }) => sql`
    select 1 from conversation c
    where c.tenant_id = ${TENANT} and c.contact_id = any(${contactIds}::uuid[]) and c.redacted_at is null
    order by c.id for no key update`,
);

export const FIND_OF_CONTACTS = query<{ contactIds: readonly string[] }, { id: string }>(
  "conversations.findOfContacts",
  OF_CONTACT,
  ({ contactIds }) => sql`
    select c.id from conversation c where c.tenant_id = ${TENANT} and c.contact_id = any(${contactIds}::uuid[])`,
);

export const MOVE_TO_CONTACT = query<{ from: string; to: string }>(
  "conversations.moveToContact",
  OF_CONTACT,
  ({ from, to }) => sql`
    update conversation c set contact_id = ${to}, last_activity_at = now(), updated_at = now()
    where c.tenant_id = ${TENANT} and c.contact_id = ${from}
    returning 1`,
);

/** Empties the conversations and messages of these contacts, and closes the conversations. */
export const REDACT = query<{ contactIds: readonly string[] }, { conversations: number; messages: number }>(
  "conversations.redact",
  OF_CONTACT,
  ({ contactIds }) => sql`
    with redacted as (
      update conversation c set
        external_id = null, subject = null, caller_id = null, summary = null, last_message_preview = null, labels = '{}',
        metadata = '{}', resolution = case when c.status = 'resolved' then c.resolution else 'abandoned' end,
        status = 'resolved', resolved_at = coalesce(c.resolved_at, now()), snoozed_until = null, waiting_since = null,
        unread_count = 0, redacted_at = now(), last_activity_at = now(), updated_at = now()
      where c.tenant_id = ${TENANT} and c.contact_id = any(${contactIds}::uuid[]) and c.redacted_at is null
      returning 1
    ), emptied as (
      update message m set body = '', external_id = null, client_message_id = null, authentication = null,
        redacted_at = coalesce(m.redacted_at, now())
      from conversation c
      where c.tenant_id = ${TENANT} and c.contact_id = any(${contactIds}::uuid[])
        and m.tenant_id = ${TENANT} and m.conversation_id = c.id
        and (m.redacted_at is null or m.body <> '' or m.external_id is not null or m.client_message_id is not null
          or m.authentication is not null)
      returning 1
    )
    select (select count(*)::int from redacted) as conversations, (select count(*)::int from emptied) as messages`,
);
