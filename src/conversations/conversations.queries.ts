import { columnOf, identifier, joined, type Sql, sql, TENANT } from "../platform/database/sql.js";
import {
  inReach,
  namesUsed,
  one,
  polled,
  projection,
  query,
  statementFamily,
  time,
} from "../platform/database/statements.js";
import { conversationChange } from "./conversation-change.js";
import { becomeAll } from "./lifecycle/lifecycle.queries.js";
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
  senderProof: sql`r.sender_proof`,
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

/** The fields that PATCH may change, with their types in the database. */
export const CHANGEABLE: Record<keyof UpdateConversationDto, keyof typeof TYPES> = {
  subject: "text",
  priority: "text",
  labels: "text[]",
  language: "text",
  summary: "text",
  metadata: "jsonb",
};
type Changeable = keyof UpdateConversationDto;
const TYPES = { text: sql`text`, "text[]": sql`text[]`, jsonb: sql`jsonb` };

/** The fields that a change has, and its values as PostgreSQL takes them. */
export function changeIn(body: UpdateConversationDto): { names: Changeable[]; values: UpdateArgs } {
  const names = namesUsed(CHANGEABLE, body);
  const value = (name: Changeable) => (CHANGEABLE[name] === "jsonb" ? JSON.stringify(body[name]) : body[name]);
  return { names, values: Object.fromEntries(names.map((name) => [name, value(name)])) };
}

type UpdateArgs = Partial<Record<Changeable, unknown>>;

/** The change of these fields, each to the argument of its name. */
export const updateStatement = statementFamily("conversations.update", (name, names: readonly Changeable[]) =>
  conversationChange<UpdateArgs>()(name, (p) => {
    const value = (field: Changeable): Sql => sql`${p[field]}::${TYPES[CHANGEABLE[field]]}`;
    const column = (field: Changeable): Sql => identifier(columnOf(field));
    const each = (part: (field: Changeable) => Sql): Sql => joined(names.map(part), ", ");
    return {
      set: sql`${each((field) => sql`${column(field)} = ${value(field)}`)}${
        names.includes("summary") ? sql`, summary_derived = false` : sql``
      }`,
      changes: sql`(${each((field) => sql`t.${column(field)}`)}) is distinct from (${each(value)})`,
    };
  }),
);

/** Locked against an erasure, which would not see the answer that is stored for repeated requests. */
export const LOCK_BY_EXTERNAL_ID = query<{ workspaceId: string; externalId: string }>()(
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
export const FIND_CHANNEL = query<{ workspaceId: string; channelId?: string }>()(
  "conversations.findChannel",
  "checked",
  ({ workspaceId, channelId }) => sql`
    select ch.id, ch.delivers from channel ch
    where ch.tenant_id = ${TENANT} and ch.workspace_id = ${workspaceId}
      and (ch.id = ${channelId}::uuid or (${channelId}::uuid is null and ch.fetched))
    order by ch.created_at limit 1`,
);

const OF_CONTACT = { unrestricted: "a merge or an erasure concerns all conversations of the contact" };

export const LOCK_OF_CONTACTS = query<{ contactIds: readonly string[] }>()(
  "conversations.lockOfContacts",
  OF_CONTACT,
  ({ contactIds }) => sql`
    select 1 from conversation c
    where c.tenant_id = ${TENANT} and c.redacted_at is null and c.id in (
      select o.id from conversation o where o.tenant_id = ${TENANT} and o.contact_id = any(${contactIds}::uuid[])
      union all
      select p.conversation_id from conversation_participant p
      where p.tenant_id = ${TENANT} and p.contact_id = any(${contactIds}::uuid[])
    )
    order by c.id for no key update`,
);

export const FIND_OF_CONTACTS = query<{ contactIds: readonly string[] }>()(
  "conversations.findOfContacts",
  OF_CONTACT,
  ({ contactIds }) => sql`
    select c.id from conversation c where c.tenant_id = ${TENANT} and c.contact_id = any(${contactIds}::uuid[])`,
);

export const MOVE_TO_CONTACT = query<{ from: string; to: string }>()(
  "conversations.moveToContact",
  OF_CONTACT,
  ({ from, to }) => sql`
    update conversation c set contact_id = ${to}, last_activity_at = now(), updated_at = now()
    where c.tenant_id = ${TENANT} and c.contact_id = ${from}
    returning 1`,
);

/** Empties the conversations and messages of these contacts, and closes the conversations. */
export const REDACT = query<{ contactIds: readonly string[] }, { conversations: number; messages: number }>()(
  "conversations.redact",
  OF_CONTACT,
  ({ contactIds }) => sql`
    with redacted as (
      update conversation c set
        external_id = null, subject = null, caller_id = null, summary = null, last_message_preview = null, labels = '{}',
        metadata = '{}', ${becomeAll([{ event: "erase", if: sql`c.status <> 'resolved'` }], sql`now()`)},
        redacted_at = now(), last_activity_at = now(), updated_at = now()
      where c.tenant_id = ${TENANT} and c.contact_id = any(${contactIds}::uuid[]) and c.redacted_at is null
      returning 1
    ), emptied as (
      update message m set body = '', external_id = null, client_message_id = null, authentication = null,
        undo = null, recipients = null, choices = null, redacted_at = coalesce(m.redacted_at, now())
      from conversation c
      where c.tenant_id = ${TENANT} and c.contact_id = any(${contactIds}::uuid[])
        and m.tenant_id = ${TENANT} and m.conversation_id = c.id
        and (m.redacted_at is null or m.body <> '' or m.external_id is not null or m.client_message_id is not null
          or m.authentication is not null or m.recipients is not null)
      returning 1
    )
    select (select count(*)::int from redacted) as conversations, (select count(*)::int from emptied) as messages`,
);
