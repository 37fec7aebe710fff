import { anyAttachments, attachmentsOf } from "./attachments/attachments.queries.js";
import {
  atOnce,
  CLAIMED,
  claimIf,
  inReach,
  one,
  OPENED,
  page,
  polled,
  projection,
  REACHABLE,
  time,
} from "../platform/database/statement.js";
import type { MessageDto } from "./messages.dto.js";

/** A message `r`. */
const message = (attachments: string): string =>
  projection<MessageDto>({
    id: "r.id",
    conversationId: "r.conversation_id",
    sequence: "r.sequence",
    direction: "r.direction",
    authorType: "r.author_type",
    authorId: "r.author_id",
    body: "r.body",
    bodyFormat: "r.body_format",
    attachments,
    externalId: "r.external_id",
    clientMessageId: "r.client_message_id",
    deliveryStatus: "r.delivery_status",
    citations: "r.citations",
    confidence: "r.confidence",
    redactedAt: time("r.redacted_at"),
    occurredAt: time("r.occurred_at"),
    createdAt: time("r.created_at"),
  });

/** A message `r` with its attachments. */
export const MESSAGE = message(attachmentsOf("r"));

/** Within the transaction that has just reached the message's conversation. */
export const GET_MESSAGE = one<MessageDto, { id: string }>(
  "messages.get",
  { none: "its conversation has just been reached" },
  `select ${MESSAGE} from message r where r.tenant_id = :tenant and r.id = :id`,
);

export interface MessagesArgs {
  conversationId: string;
  limit: number;
  after0?: number;
}

const messages = (order: "asc" | "desc") =>
  polled(
    page<MessageDto, MessagesArgs>(`messages.list ${order}`, "workspace", {
      rows: `select m.* from message m where m.tenant_id = :tenant and m.conversation_id = :conversationId
      and ${order === "asc" ? "m.sequence > coalesce(:after0::int, 0)" : "m.sequence < coalesce(:after0::int, 2147483647)"}
    order by m.sequence ${order} limit :limit + 1`,
      position: ["r.sequence"],
      // Most conversations have none, and are asked once rather than for each message.
      item: message(`case when ${anyAttachments(":conversationId")} then ${attachmentsOf("r")} else '[]' end`),
      visible: `exists (select from conversation c where c.tenant_id = :tenant and c.id = :conversationId and ${inReach("c")})`,
    }),
  );
export const LIST_MESSAGES = { asc: messages("asc"), desc: messages("desc") };

/** Whether it is a channel from which what we write is fetched by a key. */
export const IS_FETCHED = one<{ fetched: boolean }, { conversationId: string }>(
  "messages.fetched",
  { none: "its conversation has just been read" },
  `select ch.type = 'api' as fetched from conversation c join channel ch on ch.tenant_id = c.tenant_id and ch.id = c.channel_id where c.tenant_id = :tenant and c.id = :conversationId`,
);

export interface Appended {
  /** The message: the new one, or the one that had its externalId or clientMessageId already. Null where the state forbids it. */
  messageId: string | null;
  created: boolean;
  /** Of the new one. */
  sequence: number | null;
  channelId: string;
  archived: boolean;
  /** It is to leave: somebody has to see to it. */
  delivers: boolean;
  /** Its contact was erased. */
  erased: boolean;
  /** Resolved so long ago that an inbound message belongs in a new conversation. */
  over: boolean;
  workspaceId: string;
}

/**
 * Appends one message to a conversation within reach, with everything that follows from it, in one statement.
 * No row: there is no such conversation. The lock on the conversation makes sequence numbers gapless; of two that bring
 * the same id at once, the second fails on the unique key, and its transaction is run again and finds the first.
 */
const append = (opened: string, plain: string, claim: string, claimed: string): string => `target as (
    select c.*, w.status = 'archived' as archived, c.redacted_at is not null as erased,
      :direction = 'inbound' and c.status = 'resolved' and c.resolved_at < now() - interval '7 days' and c.redacted_at is null as over
    from conversation c join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id
    where ${opened} and c.tenant_id = :tenant and c.id = :conversationId and ${REACHABLE}
    for update of c
  ), known as (
    select m.id from message m join target t on m.tenant_id = t.tenant_id and m.conversation_id = t.id
    where m.external_id = :externalId::text or m.client_message_id = :clientMessageId::text limit 1
  ), fresh as (
    select t.* from target t where not exists (select from known) and not t.erased and not t.over and (not t.archived or :direction = 'internal')${plain}
  ), ${claim}added as (
    insert into message (tenant_id, id, conversation_id, sequence, direction, author_type, author_id, body, body_format,
      external_id, client_message_id, delivery_status, occurred_at, created_at)
    select t.tenant_id, :id::uuid, t.id, t.last_sequence + 1, :direction, :authorType,
      case when :direction = 'inbound' then t.contact_id else :authorId::uuid end, :body, :bodyFormat,
      :externalId, :clientMessageId, case when :direction <> 'outbound' then 'delivered' when t.delivers then 'queued' else 'sent' end,
      coalesce(:occurredAt::timestamptz, clock_timestamp()), clock_timestamp()
    from fresh t where ${claimed}
    returning *
  ), noted as (
    update conversation c set last_sequence = a.sequence from added a
    where :direction = 'internal' and c.tenant_id = a.tenant_id and c.id = a.conversation_id
  ), moved as (
    update conversation c set
      last_sequence = a.sequence, message_count = c.message_count + 1, last_message_preview = left(a.body, 200),
      last_activity_at = a.created_at, updated_at = a.created_at,
      unread_count = case when :direction = 'inbound' then c.unread_count + 1 when :authorType = 'system' then c.unread_count else 0 end,
      waiting_since = case when :direction = 'inbound' then coalesce(c.waiting_since, a.created_at) when :authorType = 'system' then c.waiting_since end,
      first_reply_at = case when :direction = 'outbound' and :authorType <> 'system' then coalesce(c.first_reply_at, a.created_at) else c.first_reply_at end,
      status = case when :direction = 'inbound' then 'open' else c.status end,
      snoozed_until = case when :direction = 'inbound' then null else c.snoozed_until end,
      resolved_at = case when :direction = 'inbound' then null else c.resolved_at end,
      resolved_by = case when :direction = 'inbound' then null else c.resolved_by end,
      resolution = case when :direction = 'inbound' then null else c.resolution end,
      handling_mode = case when :takeOver then 'human' else c.handling_mode end,
      assignee_id = case when :takeOver and :authorType = 'member' then coalesce(c.assignee_id, :authorId::uuid) else c.assignee_id end
    from added a where :direction <> 'internal' and c.tenant_id = a.tenant_id and c.id = a.conversation_id
  )`;

export const APPEND = `with ${append("true", "", "", "true")}
  select coalesce((select id from added), (select id from known)) as "messageId", exists (select from added) as created, (select sequence from added) as sequence, t.channel_id as "channelId", t.archived, t.delivers, t.erased, t.over, t.workspace_id as "workspaceId" from target t`;

export interface AppendArgs {
  conversationId: string;
  id: string;
  direction: string;
  authorType: string;
  authorId: string | null;
  body: string;
  bodyFormat?: string;
  externalId?: string | null;
  clientMessageId?: string | null;
  occurredAt?: string | null;
  takeOver?: boolean;
  attachmentIds?: readonly string[];
}
/** The same for a message that is new, in a conversation that takes it and whose messages do not leave. */
export const APPEND_AT_ONCE = atOnce<AppendArgs>(
  "messages.append",
  append(OPENED, " and not t.delivers", `${claimIf("fresh")}, `, CLAIMED),
  "select t.workspace_id as place from target t where exists (select from added)",
);

/** What a message rests on, and that each of the entries has answered once more; in the order of their ids, so that two replies do not wait in a circle. A row for each entry that can be cited. */
export const CITE = `with held as (
    select k.id from kb_entry k where k.tenant_id = :tenant and k.workspace_id = :workspaceId and k.id = any(:ids::uuid[]) and k.status in ('approved', 'archived') order by k.id for no key update
  ), noted as (
    update message m set citations = :citations::jsonb where m.tenant_id = :tenant and m.id = :messageId
  )
  update kb_entry k set answered = k.answered + 1 from held h where k.tenant_id = :tenant and k.id = h.id returning k.id`;
