import type { Environment } from "../../platform/caller/caller.js";
import { type Parameters, sql, TENANT } from "../../platform/database/sql.js";
import { one, page, positionOr, projection, query, time } from "../../platform/database/statements.js";
import { logoOf } from "../../workspaces/workspaces.queries.js";
import type { WebchatAttachmentDto, WebchatMessageDto } from "./webchat.dto.js";

/** A web chat, with the session that a request belongs to. */
export interface FoundChat {
  environment: Environment;
  workspaceId: string;
  settings: object;
  active: boolean;
  archived: boolean;
  brand: string;
  logoUrl: string | null;
  workspaceLanguage: string;
  session: {
    visitorId: string;
    signed: boolean;
    /** Of its newest token. */
    number: number;
    /** The newest token has been used. */
    confirmed: boolean;
    /** The visitor has written. */
    started: boolean;
    over: boolean;
    rotatedSecondsAgo: number;
  } | null;
  /** Seconds since 1970, by the database's clock. */
  now: number;
}

const OWN_SESSION = { unrestricted: "a visitor has a token of the session, which is signed" };
/** How long a visitor counts as typing. */
const TYPING_FOR = sql`interval '10 seconds'`;
const OWN_THREAD = { unrestricted: "a visitor reaches only their own thread" };

/** The session `s` has not ended, and its contact has been neither deleted nor erased. */
const ALIVE = sql`
  s.ended_at is null and not exists (
    select from contact k
    where k.tenant_id = ${TENANT} and k.id = s.contact_id and (k.erased_at is not null or k.deleted_at is not null)
  )`;

export const FIND_CHAT = one<FoundChat, { channelId: string; sessionId: string | null }>(
  "webchat.find",
  { unrestricted: "anyone may use the public key, which names one chat" },
  ({ channelId, sessionId }) => sql`
    select t.environment, c.workspace_id as "workspaceId", c.settings, c.status = 'active' as active,
      w.status = 'archived' as archived, b.name as brand, w.primary_language as "workspaceLanguage", ${logoOf("w")} as "logoUrl",
      floor(extract(epoch from clock_timestamp()))::bigint as now,
      (
        select row_to_json(x)
        from (
          select s.visitor_id as "visitorId", s.signed, s.number, s.confirmed_at is not null as confirmed,
            s.contact_id is not null as started, not (${ALIVE}) as over,
            extract(epoch from clock_timestamp() - s.rotated_at)::float8 as "rotatedSecondsAgo"
          from webchat_session s
          where s.tenant_id = ${TENANT} and s.id = ${sessionId}::uuid and s.channel_id = c.id
        ) x
      ) as session
    from channel c
    join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
    join brand b on b.tenant_id = ${TENANT} and b.id = w.brand_id
    join tenant t on t.id = c.tenant_id
    where c.tenant_id = ${TENANT} and c.id = ${channelId} and c.type = 'webchat' and w.deleted_at is null`,
);

/** What `ROTATE` found about the presented token. */
export interface Rotation {
  /** Of the newest token. */
  number: number;
  /** When the newest token expires, in seconds since 1970. */
  expires: string;
  signed: boolean;
  started: boolean;
  /** The session ended, because an older token was presented. */
  ended: boolean;
}
export interface RotateArgs {
  sessionId: string;
  /** Of the presented token. */
  number: number;
  graceSeconds: number;
  returnSeconds: number;
  signedReturnSeconds: number;
  tokenSeconds: number;
}
/**
 * One statement decides, so that two tabs at the same time both go on. The newest token gives the next one. The token before
 * it gives the newest again while that has not been used, or only since a moment ago: an answer was lost, or two tabs asked
 * together. An older token was copied, so the session ends.
 */
export const ROTATE = query<RotateArgs, Rotation>()("webchat.rotate", OWN_SESSION, (p) => {
  const isNewest = sql`s.number = ${p.number}`;
  const isPrevious = sql`s.number = ${p.number} + 1`;
  return sql`
    update webchat_session s set
      number = case when ${isNewest} then s.number + 1 else s.number end,
      rotated_at = case
        when ${isNewest} or (${isPrevious} and s.confirmed_at is null) then clock_timestamp()
        else s.rotated_at
      end,
      confirmed_at = case when ${isNewest} then null else s.confirmed_at end,
      ended_at = case
        when ${isNewest} then null
        when ${isPrevious} and (
          s.confirmed_at is null
          or s.confirmed_at > clock_timestamp() - make_interval(secs => ${p.graceSeconds}::int)
        ) then null
        else clock_timestamp()
      end
    where s.tenant_id = ${TENANT} and s.id = ${p.sessionId} and ${ALIVE} and s.number >= ${p.number}
      and s.rotated_at > clock_timestamp() - make_interval(secs => ${p.returnSeconds}::int)
      and (
        not s.signed or s.created_at > clock_timestamp() - make_interval(secs => ${p.signedReturnSeconds}::int)
      )
    returning s.number, s.ended_at is not null as ended, s.signed, s.contact_id is not null as started,
      floor(extract(epoch from s.rotated_at) + ${p.tokenSeconds}::int)::text as expires`;
});

/** Deletes sessions that no token can go on with. */
export const DELETE_EXPIRED_SESSIONS = query<{ keptFor: string; tokenSeconds: number; limit: number }>()(
  "webchat.deleteExpiredSessions",
  { unrestricted: "only the daily task runs it" },
  ({ keptFor, tokenSeconds, limit }) => sql`
    delete from webchat_session s
    where s.tenant_id = ${TENANT} and s.id in (
      select e.id from webchat_session e
      where e.tenant_id = ${TENANT}
        and e.rotated_at < now() - ${keptFor}::interval - make_interval(secs => ${tokenSeconds}::int)
      limit ${limit}
    )
    returning 1`,
);

const ERASURE = { unrestricted: "only an erasure runs it" };
export const ERASE_SESSIONS = query<{ contactIds: readonly string[] }>()(
  "webchat.eraseSessions",
  ERASURE,
  ({ contactIds }) => sql`
    delete from webchat_session s where s.tenant_id = ${TENANT} and s.contact_id = any(${contactIds}::uuid[])`,
);
export const ERASE_THREADS = query<{ conversationIds: readonly string[] }>()(
  "webchat.eraseThreads",
  ERASURE,
  ({ conversationIds }) => sql`
    delete from webchat_thread t
    where t.tenant_id = ${TENANT} and t.conversation_id = any(${conversationIds}::uuid[])`,
);

type UnlinkedAttachment = Omit<WebchatAttachmentDto, "url">;
const ATTACHMENT = projection<UnlinkedAttachment>({
  id: sql`a.id`,
  fileName: sql`a.file_name`,
  contentType: sql`a.content_type`,
  size: sql`a.size`,
  width: sql`a.width`,
  height: sql`a.height`,
});

/** A message without the links to its attachments. */
export type UnlinkedMessage = Omit<WebchatMessageDto, "attachments"> & {
  attachments: UnlinkedAttachment[];
  /** The system wrote it. */
  announced: boolean;
};

/**
 * A message `r` as its visitor sees it.
 * @param prefix begins the external ids of messages of this session
 */
const message = ({ prefix }: Parameters<{ prefix: string }>) =>
  projection<UnlinkedMessage>({
    id: sql`r.id`,
    direction: sql`r.direction`,
    author: sql`case when r.direction = 'outbound' then coalesce(
      (
        select split_part(m.name, ' ', 1) from member m
        where r.author_type = 'member' and m.organisation_id = r.tenant_id and m.id = r.author_id
      ),
      (
        select g.name from agent g
        where r.author_type = 'assistant' and g.tenant_id = r.tenant_id and g.id = r.author_id and g.kind = 'custom'
      ),
      (
        select b.name
        from conversation c join brand b on b.tenant_id = ${TENANT} and b.id = c.brand_id
        where c.tenant_id = ${TENANT} and c.id = r.conversation_id
      )
    ) end`,
    automated: sql`r.author_type in ('assistant', 'system')`,
    body: sql`r.body`,
    bodyFormat: sql`r.body_format`,
    choices: sql`coalesce(r.choices, '{}')`,
    attachments: sql`(
      select coalesce(json_agg(row_to_json(x)), '[]')
      from (
        select ${ATTACHMENT} from attachment a
        where a.tenant_id = ${TENANT} and a.message_id = r.id
        order by a.position
      ) x
    )`,
    clientMessageId: sql`
      case when starts_with(r.external_id, ${prefix}) then substr(r.external_id, length(${prefix}) + 1) end`,
    createdAt: time(sql`r.created_at`),
    announced: sql`r.direction = 'outbound' and r.author_type = 'system'`,
  });
/** Visitors see no notes and no redacted messages. */
const VISIBLE = sql`m.direction in ('inbound', 'outbound') and m.redacted_at is null`;

/** Newest first. */
export const LIST_MESSAGES = page<UnlinkedMessage, { visitorId: string; prefix: string }>(
  "webchat.messages",
  OWN_THREAD,
  ({ visitorId, prefix, limit, after0, after1 }) => ({
    rows: sql`
      select m.* from webchat_thread t
      cross join lateral (
        select * from message m
        where m.tenant_id = ${TENANT} and m.conversation_id = t.conversation_id and ${VISIBLE}
          and (m.created_at, m.id) < (${positionOr(after0, "infinity")}, ${after1}::uuid)
        order by m.sequence desc
        limit ${limit} + 1
      ) m
      where t.tenant_id = ${TENANT} and t.visitor_id = ${visitorId}
      order by m.created_at desc, m.id desc
      limit ${limit} + 1`,
    position: [sql`r.created_at`, sql`r.id`],
    item: message({ prefix }),
  }),
);

export const GET_MESSAGE = one<UnlinkedMessage, { id: string; prefix: string }>(
  "webchat.message",
  { unrestricted: "the visitor has just written it" },
  ({ id, prefix }) => sql`
    select ${message({ prefix })} from message r
    where r.tenant_id = ${TENANT} and r.id = ${id}`,
);

/** Of each conversation of a thread, the sequence number of its last message. */
export type Heads = Record<string, number>;

export const GET_HEADS = one<{ heads: Heads }, { visitorId: string }>(
  "webchat.heads",
  OWN_THREAD,
  ({ visitorId }) => sql`
    select coalesce(json_object_agg(c.id, c.last_sequence), '{}') as heads
    from webchat_thread t join conversation c on c.tenant_id = ${TENANT} and c.id = t.conversation_id
    where t.tenant_id = ${TENANT} and t.visitor_id = ${visitorId}`,
);

/** The heads of the threads of several sessions. Sessions that are over are left out. */
export const GET_HEADS_OF_SESSIONS = one<{ sessions: Record<string, Heads> }, { sessionIds: readonly string[] }>(
  "webchat.watch",
  { unrestricted: "the sessions are those of open streams" },
  ({ sessionIds }) => sql`
    select coalesce(json_object_agg(x.id, x.heads), '{}') as sessions
    from (
      select s.id,
        coalesce(json_object_agg(c.id, c.last_sequence) filter (where c.id is not null), '{}') as heads
      from webchat_session s
      left join webchat_thread t on t.tenant_id = ${TENANT} and t.visitor_id = s.visitor_id
      left join conversation c on c.tenant_id = ${TENANT} and c.id = t.conversation_id
      where s.tenant_id = ${TENANT} and s.id = any(${sessionIds}::uuid[]) and ${ALIVE}
      group by s.tenant_id, s.id
    ) x`,
);

/** The i-th conversation is read behind `after[i]`, up to and including `upTo[i]`. */
export interface NewMessagesArgs {
  visitorId: string;
  prefix: string;
  conversationIds: readonly string[];
  after: readonly number[];
  upTo: readonly number[];
  most: number;
}
/** The first messages between two sets of heads, oldest first. They are the first of their conversations, so that reading can go on behind them. */
export const LIST_NEW_MESSAGES = one<
  { messages: (UnlinkedMessage & { conversationId: string; sequence: number })[] },
  NewMessagesArgs
>(
  "webchat.newer",
  OWN_THREAD,
  ({ visitorId, prefix, conversationIds, after, upTo, most }) => sql`
    select coalesce(json_agg(row_to_json(x) order by x."createdAt", x.sequence), '[]') as messages
    from (
      select ${message({ prefix })}, r.conversation_id as "conversationId", r.sequence
      from (
        select m.*
        from unnest(${conversationIds}::uuid[], ${after}::int[], ${upTo}::int[]) as n (conversation_id, after, up_to)
        join webchat_thread t
          on t.tenant_id = ${TENANT} and t.conversation_id = n.conversation_id and t.visitor_id = ${visitorId}
        join message m
          on m.tenant_id = ${TENANT} and m.conversation_id = t.conversation_id and m.sequence > n.after
            and m.sequence <= n.up_to and ${VISIBLE}
        order by m.conversation_id, m.sequence
        limit ${most}
      ) r
    ) x`,
);

/** Where the visitor's next message goes. None before the first message, and none that the desk would not get. */
export const FIND_TYPING_CONVERSATION = one<{ conversationId: string | null; until: string }, { visitorId: string }>(
  "webchat.typingConversation",
  OWN_THREAD,
  ({ visitorId }) => sql`
    select ${time(sql`(clock_timestamp() + ${TYPING_FOR})`)} as until, (
      select c.id
      from webchat_thread t
      join conversation c on c.tenant_id = ${TENANT} and c.id = t.conversation_id
      join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
      where t.tenant_id = ${TENANT} and t.visitor_id = ${visitorId} and c.redacted_at is null and not k.blocked
      order by c.last_activity_at desc, c.id desc
      limit 1
    ) as "conversationId"`,
);

/** The visitor's uploads of the last day that belong to no message yet. */
export const COUNT_PENDING_UPLOADS = query<{ visitorId: string }>()(
  "webchat.countPendingUploads",
  { unrestricted: "these are the visitor's own uploads" },
  ({ visitorId }) => sql`
    select count(*)::int as count from attachment a
    where a.tenant_id = ${TENANT} and a.message_id is null and a.created_at > now() - interval '1 day'
      and a.uploaded_by = ${visitorId}`,
);

/** The conversation of the thread that was last written in. */
export const FIND_NEWEST_OF_THREAD = query<{ visitorId: string }>()(
  "webchat.findNewestOfThread",
  OWN_THREAD,
  ({ visitorId }) => sql`
    select c.id
    from webchat_thread t join conversation c on c.tenant_id = ${TENANT} and c.id = t.conversation_id
    where t.tenant_id = ${TENANT} and t.visitor_id = ${visitorId} and c.redacted_at is null
    order by c.last_activity_at desc, c.id desc
    limit 1`,
);
