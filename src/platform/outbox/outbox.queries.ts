import { type Sql, sql, TENANT } from "../database/sql.js";
import { globalQuery, list, type NoArgs, page, positionOr, projection, query, time } from "../database/statements.js";
import { dueInTurn, type Room } from "../jobs/due-rows.js";
import type { OutboxEntry } from "./outbox-kind.js";
import type { OutboundMessageDto, OutboxStatus } from "./outbox.dto.js";

const CALLER_WRITES = { unrestricted: "a message leaves with a change that the caller was allowed to make" };
const WORKER = { unrestricted: "only the worker, and providers that report on a delivery, run it" };
const ADMINS = { unrestricted: "only owners and admins, who see the whole tenant, run it" };
const PERSON = { unrestricted: "the export and the erasure of a person cover the whole tenant" };

/** Queues the rows of the common table expression `message`. @param held for how many seconds, or null */
const enqueue = (held: Sql): Sql => sql`
  insert into outbox_queue (tenant_id, id, kind, channel_id, receiver, conversation_id, position, held, due_at)
  select m.tenant_id, m.id, m.kind, m.channel_id, coalesce(m.receiver, m.channel_id::text, m.kind), m.conversation_id,
    m.position, ${held}::int is not null,
    case when ${held}::int is null then now() else clock_timestamp() + make_interval(secs => ${held}::int) end
  from message m`;

interface AddArgs {
  id: string;
  kind: string;
  channel: string;
  status: string;
  sealed: Buffer;
  recipient: Buffer | undefined;
  channelId: string | null;
  conversationId: string | null;
  position: number | null;
  receiver?: string;
  holdSeconds?: number;
}
const addMessage = (name: `outbox.add${"Queued" | "Captured" | "CapturedHeld"}`, then: (holdSeconds: Sql) => Sql) =>
  query<AddArgs>()(
    name,
    CALLER_WRITES,
    ({
      id,
      kind,
      channel,
      status,
      sealed,
      recipient,
      channelId,
      conversationId,
      position,
      receiver,
      holdSeconds,
    }) => sql`
      with message as (
        insert into outbox_message
          (tenant_id, id, kind, channel, status, sealed, recipient, channel_id, conversation_id, position, receiver)
        values (
          ${TENANT}, ${id}::uuid, ${kind}, ${channel}, ${status}, ${sealed}, ${recipient},
          ${channelId}::uuid, ${conversationId}::uuid, ${position}::int, ${receiver}::text
        )
        returning tenant_id, id, kind, channel_id, conversation_id, position, receiver
      )
      ${then(sql`${holdSeconds}`)}`,
  );
/** SQL, not TypeORM: one round trip for each reply. */
export const ADD_QUEUED = addMessage("outbox.addQueued", enqueue);
/** On the test side nothing is sent, so nothing is queued but what is held. The worker finds that it is not to be sent. */
export const ADD_CAPTURED = addMessage("outbox.addCaptured", () => sql`select from message`);
export const ADD_CAPTURED_HELD = addMessage("outbox.addCapturedHeld", enqueue);

/** Deletes a message that is held. `BEGIN_ATTEMPT` changes the same row, so it is either taken back or sent. */
export const WITHDRAW = query<{ id: string }>()(
  "outbox.withdraw",
  { unrestricted: "the caller has just locked the conversation of the message" },
  ({ id }) => sql`
    with withdrawn as (
      delete from outbox_queue q where q.tenant_id = ${TENANT} and q.id = ${id} and q.held returning q.id
    )
    delete from outbox_message m using withdrawn w where m.tenant_id = ${TENANT} and m.id = w.id
    returning 1`,
);

interface AddAllArgs extends Omit<AddArgs, "id" | "sealed" | "recipient"> {
  /** The same number of each. */
  ids: readonly string[];
  sealed: readonly Buffer[];
  recipients: readonly Buffer[];
}
const addMessages = (name: `outbox.addAll${"Queued" | "Captured"}`, then: Sql) =>
  query<AddAllArgs>()(
    name,
    CALLER_WRITES,
    ({ ids, kind, channel, status, sealed, recipients, channelId, conversationId, position, receiver }) => sql`
      with message as (
        insert into outbox_message
          (tenant_id, id, kind, channel, status, sealed, recipient, channel_id, conversation_id, position, receiver)
        select ${TENANT}, n.id, ${kind}, ${channel}, ${status}, n.sealed, n.recipient,
          ${channelId}::uuid, ${conversationId}::uuid, ${position}::int, ${receiver}::text
        from unnest(${ids}::uuid[], ${sealed}::bytea[], ${recipients}::bytea[]) as n (id, sealed, recipient)
        returning tenant_id, id, kind, channel_id, conversation_id, position, receiver
      )
      ${then}`,
  );
export const ADD_ALL_QUEUED = addMessages("outbox.addAllQueued", enqueue(sql`null`));
export const ADD_ALL_CAPTURED = addMessages("outbox.addAllCaptured", sql`select from message`);

export interface SealedRow<Status = OutboxStatus> extends Omit<OutboundMessageDto, "to" | "subject"> {
  kind: string;
  status: Status;
  /** Base64. */
  sealed: string;
}
/** The fields of a message `r` except its sealed content. */
const ROW = projection<SealedRow>({
  id: sql`r.id`,
  kind: sql`r.kind`,
  channel: sql`r.channel`,
  channelId: sql`r.channel_id`,
  conversationId: sql`r.conversation_id`,
  status: sql`r.status`,
  attempts: sql`r.attempts`,
  lastError: sql`r.last_error`,
  sealed: sql`encode(r.sealed, 'base64')`,
  createdAt: time(sql`r.created_at`),
  sentAt: time(sql`r.sent_at`),
});

/** Newest first. */
export const LIST_MESSAGES = page<SealedRow, { status: string }>(
  "outbox.list",
  ADMINS,
  ({ status, limit, after0, after1 }) => ({
    rows: sql`
      select m.* from outbox_message m
      where m.tenant_id = ${TENANT} and m.status = ${status}
        and not (m.status = 'captured' and exists (
          select from outbox_queue q where q.tenant_id = m.tenant_id and q.id = m.id
        ))
        and (m.created_at, m.id) < (${positionOr(after0, "infinity")}, ${after1}::uuid)
      order by m.created_at desc, m.id desc
      limit ${limit} + 1`,
    position: [sql`r.created_at`, sql`r.id`],
    item: ROW,
  }),
);

/** Messages to an address, or in a conversation. */
interface PersonArgs {
  recipients: readonly Buffer[];
  conversationIds: readonly string[];
}
export const LIST_SENT_TO = list<SealedRow<OutboxStatus | "captured">, PersonArgs>(
  "outbox.sentTo",
  PERSON,
  ({ recipients, conversationIds }) => sql`
    select ${ROW} from outbox_message r
    where r.tenant_id = ${TENANT} and r.id in (
      select a.id from outbox_message a
      where a.tenant_id = ${TENANT} and a.recipient = any(${recipients}::bytea[])
      union
      select b.id from outbox_message b
      where b.tenant_id = ${TENANT} and b.conversation_id = any(${conversationIds}::uuid[])
    )
    order by r.created_at, r.id`,
);
export const DELETE_SENT_TO = query<PersonArgs>()(
  "outbox.deleteSentTo",
  PERSON,
  ({ recipients, conversationIds }) => sql`
    delete from outbox_message r
    where r.tenant_id = ${TENANT} and r.id in (
      select a.id from outbox_message a
      where a.tenant_id = ${TENANT} and a.recipient = any(${recipients}::bytea[])
      union
      select b.id from outbox_message b
      where b.tenant_id = ${TENANT} and b.conversation_id = any(${conversationIds}::uuid[])
    )
    returning 1`,
);

/** Empties the content: nobody reads it again, and it may hold a link. */
export const MARK_SENT = query<{ id: string; reference: string | null }>()(
  "outbox.markSent",
  WORKER,
  ({ id, reference }) => sql`
    with dequeued as (delete from outbox_queue q where q.tenant_id = ${TENANT} and q.id = ${id})
    update outbox_message m set status = 'sent', sent_at = now(), last_error = null, sealed = '',
      reference = coalesce(m.reference, ${reference}::text)
    where m.tenant_id = ${TENANT} and m.id = ${id} and m.status in ('queued', 'dead')
    returning 1`,
);

export const FIND_REFERENCES = query<{ references: readonly string[] }>()(
  "outbox.findReferences",
  WORKER,
  ({ references }) => sql`
    select m.reference from outbox_message m
    where m.tenant_id = ${TENANT} and m.reference = any(${references}::text[])`,
);

export const RESUME_CHANNEL = query<{ channelId: string }>()(
  "outbox.resumeChannel",
  { unrestricted: "the caller has just changed the channel, or a job has" },
  ({ channelId }) => sql`
    with due as (
      update outbox_queue q set due_at = clock_timestamp(), waiting_since = clock_timestamp()
      where q.tenant_id = ${TENANT} and q.channel_id = ${channelId} and q.due_at = 'infinity'
      returning q.id
    )
    update outbox_message m set attempts = 0 from due d
    where m.tenant_id = ${TENANT} and m.id = d.id`,
);

export interface RetriedMessage {
  /** Before the retry. */
  status: OutboxStatus | "captured";
  kind: string;
  conversationId: string | null;
}
/** Queues a dead message again. Any other message does not change. */
export const RETRY_DEAD = query<{ id: string }, RetriedMessage>()(
  "outbox.retryDead",
  { unrestricted: "owners and admins see the whole tenant; others have found the message within their reach" },
  ({ id }) => sql`
    with known as (
      select m.id, m.status, m.kind, m.conversation_id from outbox_message m
      where m.tenant_id = ${TENANT} and m.id = ${id}
      for update
    ), message as (
      update outbox_message m set status = 'queued', attempts = 0 from known k
      where m.tenant_id = ${TENANT} and m.id = k.id and k.status = 'dead'
      returning m.tenant_id, m.id, m.kind, m.channel_id, m.conversation_id, m.position, m.receiver
    ), queued as (${enqueue(sql`null`)})
    select k.status, k.kind, k.conversation_id as "conversationId" from known k`,
);

export interface ClaimArgs extends Room {
  leaseSeconds: number;
  /** The kinds of which to claim entries without a channel. */
  kinds: readonly string[];
  /** How many messages may be on their way to one receiver. */
  perReceiver: number;
  /** The receivers that messages are on their way to, each as `tenant receiver`, and how many. */
  receivers: readonly string[];
  onTheWay: readonly number[];
}
/** Claims due messages: to each receiver as many as it has room for, and none behind an unsent one of their conversation. */
export const CLAIM_DUE = globalQuery<ClaimArgs>()(
  "outbox.claimDue",
  "everywhere",
  (room) => sql`
    update outbox_queue c set due_at = clock_timestamp() + make_interval(secs => ${room.leaseSeconds})
    where (c.tenant_id, c.id) in (
      ${dueInTurn(
        {
          table: sql`outbox_queue`,
          id: sql`id`,
          eligible: sql`not exists (
            select from outbox_queue e
            where e.tenant_id = q.tenant_id and e.conversation_id = q.conversation_id and e.position < q.position
          )`,
          receivers: {
            room: (row) => sql`case
              when ${row}.channel_id is not null or ${row}.kind = any(${room.kinds}::text[])
              then ${room.perReceiver}::int - coalesce((${room.onTheWay}::int[])[
                array_position(${room.receivers}::text[], ${row}.tenant_id || ' ' || ${row}.receiver)], 0)
              else 0
            end`,
          },
        },
        room,
      )}
    )
    returning c.tenant_id as "tenantId", c.id, c.receiver, c.due_at::text as until`,
);

/** As `lagOf`, without what no process may take: entries of a kind that cannot be sent now wait, however many processes there are. */
export const OUTBOX_LAG = globalQuery<{ kinds: readonly string[] }, { seconds: number }>()(
  "outbox.lag",
  "everywhere",
  ({ kinds }) => sql`
    select extract(epoch from clock_timestamp() - q.due_at)::float8 as seconds from outbox_queue q
    where q.due_at <= clock_timestamp() and (q.channel_id is not null or q.kind = any(${kinds}::text[]))
    order by q.due_at limit 1`,
);

/** Entries that one scrape looks at, those that are due first: a backlog must not make it slow. */
const COUNTED = 10_000;
/**
 * How many entries wait, by kind, and for how long the oldest has. Both ends are read from the clock of PostgreSQL: that of a process
 * may be another one, and ids stay ahead after a clock that was. Parked entries, whose channel is disabled, are counted apart and
 * have no age.
 */
export const DEPTH = globalQuery<NoArgs, never, "age">()(
  "outbox.depth",
  "everywhere",
  () => sql`
    select q.kind, count(*) filter (where q.due_at < 'infinity')::int as waiting,
      count(*) filter (where q.due_at = 'infinity')::int as parked,
      greatest(0, extract(epoch from clock_timestamp() - min(q.waiting_since) filter (where q.due_at < 'infinity')))::float8 as age
    from (select e.kind, e.due_at, e.waiting_since from outbox_queue e order by e.due_at limit ${COUNTED}) q
    group by q.kind`,
);

export interface BegunAttempt {
  /** Null if the message is no longer queued. */
  sealed: Buffer | null;
  /** Null as well then. */
  attempts: number | null;
  /** Of the first attempt, if this is not the first. */
  triedAt: Date | null;
  entry: OutboxEntry;
  /** Until this attempt the message was held, and could be taken back. */
  wasHeld: boolean;
}
/** Counts an attempt and renews the lease, if `until` still is the lease. */
export const BEGIN_ATTEMPT = query<{ id: string; until: string; leaseSeconds: number }, BegunAttempt>()(
  "outbox.beginAttempt",
  WORKER,
  ({ id, until, leaseSeconds }) => sql`
    with renewed as (
      update outbox_queue q set due_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}), held = false
      from outbox_queue b
      where q.tenant_id = ${TENANT} and q.id = ${id} and q.due_at = ${until}::timestamptz
        and b.tenant_id = ${TENANT} and b.id = q.id
      returning q.id, b.held as was_held
    ), message as (
      update outbox_message m set attempts = m.attempts + 1,
        first_tried_at = coalesce(m.first_tried_at, clock_timestamp())
      from renewed r
      where m.tenant_id = ${TENANT} and m.id = r.id and m.status = 'queued'
      returning m.id, m.sealed, m.attempts, m.kind, m.channel, m.channel_id, m.conversation_id, m.position
    )
    select m.sealed, m.attempts, b.first_tried_at as "triedAt", r.was_held as "wasHeld",
      json_build_object(
        'id', r.id, 'kind', m.kind, 'channel', m.channel, 'channelId', m.channel_id, 'conversationId', m.conversation_id,
        'position', m.position
      ) as entry
    from renewed r
    left join message m on m.id = r.id
    left join outbox_message b on b.tenant_id = ${TENANT} and b.id = m.id`,
);

/** The message waits until `RESUME_CHANNEL`. The attempt does not count. */
export const PARK = query<{ id: string }>()(
  "outbox.park",
  WORKER,
  ({ id }) => sql`
    with parked as (update outbox_queue q set due_at = 'infinity' where q.tenant_id = ${TENANT} and q.id = ${id})
    update outbox_message m set attempts = m.attempts - 1 where m.tenant_id = ${TENANT} and m.id = ${id}`,
);

/** Postpones a message and those after it in its conversation, which need not be looked at before. */
export const POSTPONE = query<{
  id: string;
  conversationId: string | null;
  position: number | null;
  seconds: number;
}>()(
  "outbox.postpone",
  WORKER,
  ({ id, conversationId, position, seconds }) => sql`
    update outbox_queue q set due_at = greatest(
      clock_timestamp() + make_interval(secs => ${seconds}), case when q.id <> ${id} then q.due_at end)
    where q.tenant_id = ${TENANT} and (
      q.id = ${id}
      or (q.conversation_id = ${conversationId}::uuid and q.position > ${position}::int and q.due_at < 'infinity')
    )`,
);
