import { literal, type Parameter, type Parameters, type Sql, sql, TENANT } from "../platform/database/sql.js";
import {
  type ChangeParts,
  isConversationInReach,
  one,
  page,
  polled,
  projection,
  type Query,
  query,
  REACHABLE,
  singleStatementChange,
  time,
} from "../platform/database/statements.js";
import { attachmentsOf, hasAttachments, hasHtml } from "./attachments/attachments.queries.js";
import { mayAnswer } from "./answering-agent.js";
import type { BodyFormat, MessageEntity } from "./conversation.entity.js";
import { THEN, type Then, THENS } from "./lifecycle/lifecycle.js";
import { become, becomeAll, isClosed } from "./lifecycle/lifecycle.queries.js";
import type { MessageDto } from "./messages.dto.js";
import type { SenderProof } from "./sender-proof.js";
import { questionAndAnswer, summarised } from "./summary.js";

/** A message `r`. */
const message = (attachments: Sql, htmlAvailable: Sql, bcc = sql`coalesce(r.recipients -> 'bcc', '[]')`) =>
  projection<MessageDto>({
    id: sql`r.id`,
    conversationId: sql`r.conversation_id`,
    sequence: sql`r.sequence`,
    direction: sql`r.direction`,
    authorType: sql`r.author_type`,
    authorId: sql`r.author_id`,
    body: sql`r.body`,
    bodyFormat: sql`r.body_format`,
    attachments,
    htmlAvailable,
    mentions: sql`coalesce(r.mentions, '{}')`,
    externalId: sql`r.external_id`,
    clientMessageId: sql`r.client_message_id`,
    deliveryStatus: sql`r.delivery_status`,
    heldUntil: time(sql`r.held_until`),
    citations: sql`r.citations`,
    confidence: sql`to_json(r.confidence)`,
    authentication: sql`r.authentication`,
    senderProof: sql`r.sender_proof`,
    to: sql`coalesce(r.recipients -> 'to', '[]')`,
    cc: sql`coalesce(r.recipients -> 'cc', '[]')`,
    bcc,
    authoredBy: sql`case when r.direction = 'inbound' then
      json_build_object('contactId', r.author_id, 'address', r.authentication ->> 'from') end`,
    redactedAt: time(sql`r.redacted_at`),
    occurredAt: time(sql`r.occurred_at`),
    createdAt: time(sql`r.created_at`),
  });

/** A message `r` with its attachments. */
export const MESSAGE = message(attachmentsOf("r"), hasHtml("r"));

/** The same for the person behind these contacts. Who else was in bcc stays hidden from them. */
export const messageFor = (contactIds: Sql) =>
  message(
    attachmentsOf("r"),
    hasHtml("r"),
    sql`(
      select coalesce(json_agg(b.address order by b.position), '[]')
      from jsonb_array_elements_text(r.recipients -> 'bcc') with ordinality b (address, position)
      where exists (
        select from contact_point k
        where k.tenant_id = ${TENANT} and k.contact_id = any(${contactIds}) and k.kind = 'email' and k.value = b.address
      )
    )`,
  );

export const GET_MESSAGE = one<MessageDto, { id: string }>(
  "messages.get",
  "checked",
  ({ id }) => sql`select ${MESSAGE} from message r where r.tenant_id = ${TENANT} and r.id = ${id}`,
);

type ListArgs = { conversationId: string; externalId?: string; id?: string };

const messages = (name: string, which: (p: Parameters<ListArgs & { limit: number; after0: string }>) => Sql) =>
  polled(
    page<MessageDto, ListArgs>(name, "restricted", (p) => ({
      rows: sql`
          select m.* from message m
          where m.tenant_id = ${TENANT} and m.conversation_id = ${p.conversationId} and ${which(p)}`,
      position: [sql`r.sequence`],
      // Most conversations have no attachments, so ask once per list and not once per message.
      item: message(
        sql`case when ${hasAttachments(sql`${p.conversationId}`)} then ${attachmentsOf("r")} else '[]' end`,
        sql`${hasAttachments(sql`${p.conversationId}`)} and ${hasHtml("r")}`,
      ),
      visible: isConversationInReach(p.conversationId),
    })),
  );
export const LIST_MESSAGES = {
  // `case`, because no index is used for a comparison with `coalesce` under row-level security.
  asc: messages(
    "messages.list asc",
    ({ after0, limit }) => sql`m.sequence > case when ${after0}::int is null then 0 else ${after0}::int end
          order by m.sequence asc limit ${limit} + 1`,
  ),
  desc: messages(
    "messages.list desc",
    ({ after0, limit }) => sql`m.sequence < case when ${after0}::int is null then 2147483647 else ${after0}::int end
          order by m.sequence desc limit ${limit} + 1`,
  ),
};
/** At most one message. */
export const FIND_MESSAGES_BY_EXTERNAL_ID = messages(
  "messages.listByExternalId",
  ({ externalId, limit }) => sql`m.external_id = ${externalId} limit ${limit} + 1`,
);
export const FIND_MESSAGES_BY_ID = messages(
  "messages.listById",
  ({ id, limit }) => sql`m.id = ${id} limit ${limit} + 1`,
);

/** Whether an API key fetches the outbound messages of this conversation, and so delivers them to the contact. */
export const IS_FETCHED = one<{ fetched: boolean }, { conversationId: string }>(
  "messages.fetched",
  { unrestricted: "the caller has just read the conversation's messages" },
  ({ conversationId }) => sql`
    select ch.fetched
    from conversation c join channel ch on ch.tenant_id = c.tenant_id and ch.id = c.channel_id
    where c.tenant_id = ${TENANT} and c.id = ${conversationId}`,
);

/**
 * Sets the delivery status of an outbound message. The status never goes back: a late or repeated report changes
 * nothing.
 */
export const SET_DELIVERY_STATUS = query<{ messageId: string; status: string; from: readonly string[] }>()(
  "messages.setDeliveryStatus",
  { unrestricted: "only the outbox and webhooks that a provider signed report deliveries" },
  ({ messageId, status, from }) => sql`
    update message m set delivery_status = ${status}, held_until = null, unread_before = null, undo = null
    from conversation c
    where m.tenant_id = ${TENANT} and m.id = ${messageId} and m.direction = 'outbound'
      and m.delivery_status = any(${from}) and c.tenant_id = ${TENANT} and c.id = m.conversation_id
    returning c.workspace_id as "workspaceId"`,
);

export interface Appended {
  /**
   * The new message, or the existing one with this externalId or clientMessageId. Null if the conversation's state
   * forbids it.
   */
  messageId: string | null;
  created: boolean;
  /** The new message's position in the conversation, from 1. */
  sequence: number | null;
  channelId: string;
  archived: boolean;
  /** The channel delivers messages, so this one must be sent. */
  delivers: boolean;
  /** The contact was erased. */
  erased: boolean;
  /** Resolved too long ago to be reopened. An inbound message must start a new conversation. */
  closed: boolean;
  /** The newest inbound message or reply, if it is newer than `ifLastSequence`. Then nothing was written. */
  newer: number | null;
  workspaceId: string;
}

export interface AppendArgs {
  conversationId: string;
  id: string;
  direction: string;
  authorType: MessageEntity["authorType"];
  authorId: string | null;
  /** Of an inbound message: the key or member that brought it in. */
  broughtBy?: string | null;
  body: string;
  bodyFormat?: BodyFormat;
  externalId?: string | null;
  clientMessageId?: string | null;
  occurredAt?: string | null;
  /** JSON. */
  authentication?: string | null;
  /** Of an inbound message. */
  senderProof?: SenderProof;
  takeOver?: boolean;
  attachmentIds?: readonly string[];
  /** Write only if no inbound message or reply is newer than this. */
  ifLastSequence?: number;
  /** Members whom a note names. */
  mentions?: readonly string[];
  /** JSON of `Recipients`. */
  recipients?: string | null;
  /** Of an inbound message: the contact of the participant who wrote it. */
  participantId?: string | null;
  /** Answers that the contact can choose from. */
  choices?: readonly string[];
  /** Hold the message for so long, if its channel sends. */
  holdSeconds?: number;
}
/** A reply that moves the conversation as well. */
export interface ReplyThenArgs extends Omit<AppendArgs, "direction"> {
  /** For `snooze`: until when. */
  snoozeUntil?: string | null;
  /** For `resolve`: the key or member. The author may be an agent. */
  by?: string | null;
}

/** What a message `a` does to the conversation `c`, which was `t` before. A column that is named costs its triggers. */
interface Moves {
  set: Sql;
  /** Columns that `t` needs for it. */
  columns?: Sql;
  /** What a reply that is held keeps of `t`, in case that it is cancelled: JSON with the status that it gives. */
  undo?: Sql;
  /** More common table expressions. */
  also?: Sql;
}

interface AppendOptions {
  /** A constant where it is known, so that PostgreSQL plans that direction alone. */
  direction: Parameter | Sql;
  moves: Moves;
  /** A condition on the first table that is read. */
  ready: Sql;
  /** More conditions for a message to be written. */
  only: Sql;
  /** Common table expressions before the message is written. */
  before: Sql;
  claimed: Sql;
}

/** The message that has this id. One look-up for each kind of id: an OR would read all messages of the conversation. */
const knownBy = (column: Sql, conversationId: Parameter, id: Parameter): Sql => sql`
    select m.id from message m
    where ${id}::text is not null and exists (select from target)
      and m.tenant_id = ${TENANT} and m.conversation_id = ${conversationId} and m.${column} = ${id}::text`;

const AT = sql`a.created_at`;
/** What a reply does. */
const REPLIED: Moves = { set: become("reply", AT, {}) };
/** What a question of the assistant does. */
const ASKED: Moves = { set: becomeAll([{ event: "reply" }, { event: "wait" }], AT) };

const UNRESOLVED = sql`c.status <> 'resolved'`;
/** What a reply does that moves the conversation as well. */
const REPLIED_THEN: Record<Then, (p: Parameters<ReplyThenArgs>) => Moves> = {
  pending: () => ({
    set: becomeAll([{ event: "reply" }, { event: THEN.pending }], AT),
    undo: sql`json_build_object('status', 'pending')`,
  }),
  snooze: ({ snoozeUntil }) => ({
    set: becomeAll([{ event: "reply" }, { event: THEN.snooze, given: { snoozedUntil: snoozeUntil } }], AT),
    undo: sql`json_build_object('status', 'snoozed')`,
    also: sql`, due as (
      insert into snooze_due (tenant_id, conversation_id, due_at)
      select a.tenant_id, a.conversation_id, ${snoozeUntil}::timestamptz from added a
      on conflict (tenant_id, conversation_id) do update set due_at = excluded.due_at
    )`,
  }),
  resolve: ({ by }) => ({
    set: sql`${becomeAll([{ event: "reply" }, { event: THEN.resolve, if: UNRESOLVED, given: { resolvedBy: by } }], AT)},
      context_from = case when ${UNRESOLVED} then a.sequence else c.context_from end,
      ${summarised(sql`case when ${UNRESOLVED} then ${questionAndAnswer(sql`select a.body, a.sequence from added a`)} end`)}`,
    columns: sql`, c.status, c.summary, c.summary_derived, c.context_from`,
    undo: sql`case when t.status <> 'resolved' then json_build_object('status', 'resolved', 'summary', t.summary,
        'summaryDerived', t.summary_derived, 'contextFrom', t.context_from) end`,
  }),
};

/** What a message from the contact or of ours does. One from the contact may prove less of who wrote. */
const received = ({ direction, authorType, senderProof }: Parameters<AppendArgs>): Sql => sql`${becomeAll(
  [
    { event: "contactWrites", if: sql`${direction} = 'inbound'` },
    { event: "reply", if: sql`${direction} = 'outbound' and ${authorType} <> 'system'` },
  ],
  AT,
)},
      sender_proof = case when ${direction} = 'inbound' then case
          when 'none' in (c.sender_proof, ${senderProof}::text) then 'none'
          when 'channel' in (c.sender_proof, ${senderProof}::text) then 'channel' else ${senderProof}::text
        end else c.sender_proof end`;

/**
 * Appends one message to a conversation that the caller has access to, with all its effects, in one statement. No row
 * means that there is no such conversation. The lock on the conversation makes sequence numbers gapless. If two
 * requests bring the same id at the same time, the second fails on the unique key. Its transaction runs again and
 * finds the first. `ifLastSequence` is compared with a column of the locked row. A look at the messages would miss those
 * that committed while this statement waited for the lock.
 */
const append = (
  p: Omit<Parameters<AppendArgs>, "direction">,
  { direction, moves, ready, only, before, claimed }: AppendOptions,
): Sql => sql`target as (
    select c.tenant_id, c.id, c.workspace_id, c.channel_id, c.contact_id, c.last_sequence, c.last_turn, c.delivers,
      c.waiting_since, c.unread_count${moves.columns ?? sql``}, c.delivers and ${p.holdSeconds}::int > 0 as holds,
      w.status = 'archived' as archived, c.redacted_at is not null as erased,
      ${direction} = 'inbound' and ${isClosed("c")} and c.redacted_at is null as closed
    from conversation c join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id
    where ${ready} and c.tenant_id = ${TENANT} and c.id = ${p.conversationId} and ${REACHABLE}
    for update of c
  ), known as (
    ${knownBy(sql`external_id`, p.conversationId, p.externalId)}
    union all ${knownBy(sql`client_message_id`, p.conversationId, p.clientMessageId)} limit 1
  ), fresh as (
    select t.* from target t
    where not exists (select from known) and not t.erased and not t.closed
      and (not t.archived or ${direction} = 'internal')
      and (${p.ifLastSequence}::int is null or t.last_turn <= ${p.ifLastSequence}::int)${only}
  ), ${before}added as (
    insert into message (tenant_id, id, conversation_id, sequence, direction, author_type, author_id, body, body_format,
      external_id, client_message_id, delivery_status, held_until, waited_since, unread_before, undo, mentions,
      authentication, sender_proof, brought_by, recipients, by_participant, choices, occurred_at, created_at)
    select t.tenant_id, ${p.id}::uuid, t.id, t.last_sequence + 1, ${direction}, ${p.authorType},
      case when ${direction} <> 'inbound' then ${p.authorId}::uuid when ${p.participantId}::uuid is null then t.contact_id
        else ${p.participantId}::uuid end, ${p.body}, ${p.bodyFormat},
      ${p.externalId}, ${p.clientMessageId},
      case when ${direction} <> 'outbound' then 'delivered' when t.holds then 'held' when t.delivers then 'queued'
        else 'sent' end,
      case when t.holds then clock_timestamp() + make_interval(secs => ${p.holdSeconds}::int) end,
      case when ${direction} = 'outbound' and ${p.authorType} <> 'system' then t.waiting_since end,
      case when t.holds then t.unread_count end,
      ${moves.undo ? sql`case when t.holds then ${moves.undo} end` : sql`null`},
      ${p.mentions}::uuid[], ${p.authentication}::jsonb, ${p.senderProof}::text, ${p.broughtBy}::uuid,
      ${p.recipients}::jsonb, ${p.participantId}::uuid is not null, ${p.choices}::text[],
      coalesce(${p.occurredAt}::timestamptz, clock_timestamp()), clock_timestamp()
    from fresh t where ${claimed}
    returning tenant_id, id, conversation_id, sequence, body, created_at
  ), moved as (
    update conversation c set
      last_sequence = a.sequence,
      last_turn = case when ${p.authorType} = 'system' then c.last_turn else a.sequence end,
      message_count = c.message_count + 1,
      last_message_preview = case when ${p.authorType} = 'system' then c.last_message_preview else left(a.body, 200) end,
      last_activity_at = a.created_at, updated_at = a.created_at, ${moves.set},
      ${becomeAll(
        [
          {
            event: "replyTakesOver",
            if: p.takeOver,
            given: { assigneeId: sql`case when ${p.authorType} = 'member' then ${p.authorId}::uuid end` },
          },
        ],
        AT,
      )}
    from added a${moves.columns ? sql` cross join target t` : sql``}
    where ${direction} <> 'internal' and c.tenant_id = a.tenant_id and c.id = a.conversation_id
  )${moves.also ?? sql``}`;

const APPENDED = (p: Parameters<Pick<AppendArgs, "ifLastSequence">>): Sql => sql`
    select coalesce((select id from added), (select id from known)) as "messageId",
      exists (select from added) as created, (select sequence from added) as sequence, t.channel_id as "channelId",
      t.archived, t.delivers, t.erased, t.closed,
      case when t.last_turn > ${p.ifLastSequence}::int then t.last_turn end as newer, t.workspace_id as "workspaceId"
    from target t`;

export const APPEND = query<AppendArgs, Appended>()(
  "messages.append",
  "restricted",
  (p) => sql`
    with ${append(p, {
      direction: p.direction,
      moves: { set: received(p) },
      ready: sql`true`,
      only: sql``,
      before: sql``,
      claimed: sql`true`,
    })},
    noted as (
      update conversation c set last_sequence = a.sequence from added a
      where ${p.direction} = 'internal' and c.tenant_id = a.tenant_id and c.id = a.conversation_id
    )${APPENDED(p)}`,
);

const OUTBOUND = { direction: literal("outbound"), ready: sql`true`, only: sql``, before: sql``, claimed: sql`true` };
const says = (name: "messages.appendAnswer" | "messages.appendQuestion", moves: Moves) =>
  query<AppendArgs, Appended>()(
    name,
    "restricted",
    (p) => sql`
    with ${append(p, { ...OUTBOUND, moves, only: sql` and ${mayAnswer(p.authorId)}` })}${APPENDED(p)}`,
  );
/**
 * Appends what an agent says, if it may say something and nothing was said after `ifLastSequence`. All of that is decided in
 * this one statement. The transaction has locked the conversation before: see `mayAnswer`.
 */
export const APPEND_ANSWER = says("messages.appendAnswer", REPLIED);
/** The same for a question: the conversation then waits for the contact. */
export const APPEND_QUESTION = says("messages.appendQuestion", ASKED);

export interface SentDraft {
  conversationId: string;
  memberId: string;
  updatedAt: string;
}
/** Deletes the draft that a message was made from. A version that was saved since stays. */
export const FORGET_SENT_DRAFT = query<SentDraft>()(
  "messages.forgetSentDraft",
  "checked",
  ({ conversationId, memberId, updatedAt }) => sql`
    delete from draft d
    where d.tenant_id = ${TENANT} and d.conversation_id = ${conversationId} and d.member_id = ${memberId}
      and d.updated_at = ${updatedAt}::timestamptz`,
);

const inOneStatement = (name: string, moves: (p: Parameters<ReplyThenArgs>) => Moves) =>
  singleStatementChange<ReplyThenArgs>(name, (p, { tenantSet, claimIf, claimed }: ChangeParts) => ({
    effect: append(p, {
      direction: literal("outbound"),
      moves: moves(p),
      ready: tenantSet,
      only: sql` and not t.delivers`,
      before: sql`${claimIf(sql`fresh`)}, `,
      claimed,
    }),
    visibleIn: sql`select t.workspace_id as "workspaceId" from target t where exists (select from added)`,
  }));
/** The common case of a reply: it is new, the conversation accepts it, and the channel does not deliver. */
export const REPLY_IN_ONE_STATEMENT = inOneStatement("messages.replyInOneStatement", () => REPLIED);

/** A reply that moves the conversation as well: in one statement, and as a part of a transaction. */
export const REPLY_THEN = Object.fromEntries(
  THENS.map((then) => [
    then,
    {
      inOneStatement: inOneStatement(`messages.replyInOneStatement then ${then}`, REPLIED_THEN[then]),
      append: query<ReplyThenArgs, Appended>()(
        `messages.append then ${then}`,
        "restricted",
        (p) => sql`
    with ${append(p, { ...OUTBOUND, moves: REPLIED_THEN[then](p) })}${APPENDED(p)}`,
      ),
    },
  ]),
) as Record<Then, { inOneStatement: typeof REPLY_IN_ONE_STATEMENT; append: Query<ReplyThenArgs, Appended> }>;

/**
 * Records the entries that a message is based on, and counts one more answer for each. Entries are locked in the
 * order of their ids, so that two replies do not deadlock. Returns a row for each entry that can be cited.
 */
export const CITE = query<{
  messageId: string | null;
  workspaceId: string;
  citations: string;
  ids: readonly string[];
  confidence?: number;
}>()(
  "messages.cite",
  "checked",
  ({ messageId, workspaceId, citations, ids, confidence }) => sql`
    with held as (
      select k.id from kb_entry k
      where k.tenant_id = ${TENANT} and k.workspace_id = ${workspaceId} and k.id = any(${ids}::uuid[])
        and k.status in ('approved', 'archived')
      order by k.id for no key update
    ), noted as (
      update message m set citations = ${citations}::jsonb, confidence = ${confidence}::real
      where m.tenant_id = ${TENANT} and m.id = ${messageId}
    )
    update kb_entry k set answered = k.answered + 1 from held h
    where k.tenant_id = ${TENANT} and k.id = h.id
    returning k.id`,
);
