import { one, page, projection, time } from "../../platform/database/statement.js";
import type { WebchatAttachmentDto, WebchatMessageDto } from "./webchat.dto.js";

/** A chat as a request finds it, with the session that the request is of. */
export interface Found {
  environment: "live" | "test";
  workspaceId: string;
  settings: object;
  active: boolean;
  archived: boolean;
  brand: string;
  workspaceLanguage: string;
  session: {
    visitorId: string;
    signed: boolean;
    number: number;
    confirmed: boolean;
    started: boolean;
    over: boolean;
    rotatedSecondsAgo: number;
  } | null;
  /** Seconds since 1970, by the database's clock. */
  now: number;
}

/** Whose person is gone. */
const GONE =
  "exists (select from contact k where k.tenant_id = s.tenant_id and k.id = s.contact_id and (k.erased_at is not null or k.deleted_at is not null))";
/** A session `s` that is one still. */
export const ALIVE = `s.ended_at is null and not ${GONE}`;

export const FIND = one<Found, { channelId: string; sessionId: string | null }>(
  "webchat.find",
  { none: "the public key is for everybody, and names one chat" },
  `select t.environment, c.workspace_id as "workspaceId", c.settings, c.status = 'active' as active, w.status = 'archived' as archived, b.name as brand, w.primary_language as "workspaceLanguage",
      floor(extract(epoch from clock_timestamp()))::bigint as now,
      (select row_to_json(x) from (select s.visitor_id as "visitorId", s.signed, s.number, s.confirmed_at is not null as confirmed, s.contact_id is not null as started, not (${ALIVE}) as over,
          extract(epoch from clock_timestamp() - s.rotated_at)::float8 as "rotatedSecondsAgo"
        from webchat_session s where s.tenant_id = :tenant and s.id = :sessionId::uuid and s.channel_id = c.id) x) as session
    from channel c join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id join brand b on b.tenant_id = w.tenant_id and b.id = w.brand_id join tenant t on t.id = c.tenant_id
    where c.tenant_id = :tenant and c.id = :channelId and c.type = 'webchat' and w.deleted_at is null`,
);

type Linkable = Omit<WebchatAttachmentDto, "url">;
const ATTACHMENTS = `(select coalesce(json_agg(row_to_json(x)), '[]') from (select ${projection<Linkable>({
  id: "a.id",
  fileName: "a.file_name",
  contentType: "a.content_type",
  size: "a.size",
  width: "a.width",
  height: "a.height",
})} from attachment a where a.tenant_id = r.tenant_id and a.message_id = r.id order by a.position) x)`;

/** A message before its links are made. */
export type Unlinked = Omit<WebchatMessageDto, "attachments"> & {
  attachments: Linkable[];
  /** It is of the system's own. */ announced: boolean;
};

/** A message `r` as its visitor sees it; `:prefix` begins the ids that this session gave. */
const MESSAGE = projection<Unlinked>({
  id: "r.id",
  direction: "r.direction",
  author: `case when r.direction = 'outbound' then coalesce((select split_part(m.name, ' ', 1) from member m where r.author_type = 'member' and m.organisation_id = r.tenant_id and m.id = r.author_id),
    (select b.name from conversation c join brand b on b.tenant_id = c.tenant_id and b.id = c.brand_id where c.tenant_id = r.tenant_id and c.id = r.conversation_id)) end`,
  body: "r.body",
  bodyFormat: "r.body_format",
  attachments: ATTACHMENTS,
  clientMessageId: `case when starts_with(r.external_id, :prefix) then substr(r.external_id, length(:prefix) + 1) end`,
  createdAt: time("r.created_at"),
  announced: `r.direction = 'outbound' and r.author_type = 'system'`,
});
/** Never a note, and nothing that was taken back. */
const SHOWN = `m.direction in ('inbound', 'outbound') and m.redacted_at is null`;

export interface ThreadArgs {
  visitorId: string;
  prefix: string;
  limit: number;
  after0?: string;
  after1?: string;
}

/** Newest first. */
export const LIST = page<Unlinked, ThreadArgs>(
  "webchat.messages",
  { none: "a visitor reaches the thread that is theirs, and nothing else" },
  {
    rows: `select m.* from webchat_thread t cross join lateral (
        select * from message m where m.tenant_id = t.tenant_id and m.conversation_id = t.conversation_id and ${SHOWN}
          and (:after0::timestamptz is null or (m.created_at, m.id) < (:after0::timestamptz, :after1::uuid)) order by m.sequence desc limit :limit + 1) m
    where t.tenant_id = :tenant and t.visitor_id = :visitorId order by m.created_at desc, m.id desc limit :limit + 1`,
    position: [time("r.created_at"), "r.id"],
    item: MESSAGE,
  },
);

export const ONE = one<Unlinked, { id: string; prefix: string }>(
  "webchat.message",
  { none: "the visitor has just written it" },
  `select ${MESSAGE} from message r where r.tenant_id = :tenant and r.id = :id`,
);

/** How far each conversation of a thread has come. */
export type Heads = Record<string, number>;
export const HEADS = one<{ heads: Heads }, { visitorId: string }>(
  "webchat.heads",
  { none: "a visitor reaches the thread that is theirs, and nothing else" },
  `select coalesce(json_object_agg(c.id, c.last_sequence), '{}') as heads from webchat_thread t join conversation c on c.tenant_id = t.tenant_id and c.id = t.conversation_id where t.tenant_id = :tenant and t.visitor_id = :visitorId`,
);

/** The same for all sessions whose streams are open: those that are over are not among them. */
export const WATCH = one<{ sessions: Record<string, Heads> }, { sessionIds: readonly string[] }>(
  "webchat.watch",
  { none: "the sessions are those of the streams" },
  `select coalesce(json_object_agg(x.id, x.heads), '{}') as sessions from (
    select s.id, coalesce(json_object_agg(c.id, c.last_sequence) filter (where c.id is not null), '{}') as heads from webchat_session s
    left join webchat_thread t on t.tenant_id = s.tenant_id and t.visitor_id = s.visitor_id left join conversation c on c.tenant_id = t.tenant_id and c.id = t.conversation_id
    where s.tenant_id = :tenant and s.id = any(:sessionIds::uuid[]) and ${ALIVE} group by s.tenant_id, s.id) x`,
);

export interface NewArgs {
  visitorId: string;
  prefix: string;
  conversationIds: readonly string[];
  after: readonly number[];
  upTo: readonly number[];
}
/** What came into conversations of the thread, after and up to these sequence numbers. Each with its place, for whoever goes on from there. */
export const NEWER = one<{ messages: (Unlinked & { conversationId: string; sequence: number })[] }, NewArgs>(
  "webchat.newer",
  { none: "a visitor reaches the thread that is theirs, and nothing else" },
  `select coalesce(json_agg(row_to_json(x) order by x."createdAt", x.sequence), '[]') as messages from (
    select ${MESSAGE}, r.conversation_id as "conversationId", r.sequence from (
      select m.* from unnest(:conversationIds::uuid[], :after::int[], :upTo::int[]) as n (conversation_id, after, up_to)
      join webchat_thread t on t.tenant_id = :tenant and t.conversation_id = n.conversation_id and t.visitor_id = :visitorId
      join message m on m.tenant_id = t.tenant_id and m.conversation_id = t.conversation_id and m.sequence > n.after and m.sequence <= n.up_to and ${SHOWN}) r) x`,
);
