import { CONTACT } from "../contacts/contacts.queries.js";
import { type Parameters, type Sql, sql, TENANT, WORKSPACES } from "../platform/database/sql.js";
import { globalQuery, type NoArgs, one, polled, query, REACHABLE, time } from "../platform/database/statements.js";
import { type Occurrence, STREAMED_RESOURCES } from "./event-types.js";
import { couldRead, resourceOf, type ResourceType } from "./resources.js";

/** How many rows one read passes at most, shown or not. A caller with a narrow reach gets a cursor behind them. */
const MAX_PASSED = 5_000;

/** No transaction with a lower number is running. What such a transaction changed is complete. */
const OPEN = sql`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`;

/** No transaction has this number yet, or a higher one. Rows of a database that was restored from a dump may have. */
const NEXT = sql`pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;

/**
 * Names the history of transaction numbers: first the lineage, which a server and its physical copies have in common, then the timeline. A
 * restored database continues with other numbers: it has another identifier, or another table. So does a promoted one, on another timeline.
 */
export const EPOCH = sql`left(md5(concat_ws(' ',
    (select s.system_identifier from pg_control_system() s), 'resource_change'::regclass::oid)), 12)
    || left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

/**
 * What the database itself keeps, such as how far a job has read, is as old as the rest of a standby that was promoted. Nothing it speaks
 * of is missing there, and whatever comes later has higher numbers. So it counts in its whole lineage, and a client's cursor does not.
 */
export const isSameLineage = (epoch: string, other: string): boolean => epoch.slice(0, 12) === other.slice(0, 12);

/** A position in the feed, as PostgreSQL writes its numbers. */
export type Position = readonly [transactionId: string, position: string];
export const BEGINNING: Position = ["0", "0"];

/** The first line of what a feed statement answers. */
export interface FeedHead {
  epoch: string;
  /** Where to continue: behind the last row that was passed, whether it is shown or not. */
  next: Position;
  /** More rows can be read now. */
  more: boolean;
  /** Rows are committed that an earlier transaction may still overtake. They can be read once it has ended. */
  unsettled: boolean;
  /** The feed no longer has what follows the position, or never gave it. */
  lost: boolean;
}

export const headOf = (answer: string): FeedHead => JSON.parse(answer.split("\n", 1)[0]!) as FeedHead;

interface FeedArgs {
  /** Whether the position is a cursor's, and not the beginning. What was swept behind a cursor is lost. */
  resumes: boolean;
  afterTransaction: string;
  afterPosition: string;
  resourceTypes: readonly ResourceType[];
  limit: number;
}
type FeedParameters = Parameters<FeedArgs>;

/** The row `f` says that its resource can no longer be read. */
const TOMBSTONE = sql`f.change in ('deleted', 'merged', 'erased')`;

interface FeedParts {
  /** Which rows `f` of the feed count. */
  condition: Sql;
  /** The rows that are shown: a query on `changes f`. */
  shown: Sql;
  /** The JSON of a shown row `f`. */
  line: Sql;
  /** Where this does not hold there is no feed: 404. */
  visible: Sql;
}
/**
 * The rows behind a position, folded: a transaction that changed a resource several times changed it once, from what it was
 * before to what it is after. Its row is where the first of them is.
 */
const feed = (p: FeedParameters, { condition, shown, line, visible }: FeedParts): Sql => {
  const behind = (order: Sql): Sql => sql`
    select c.* from resource_change c
    where c.tenant_id = ${TENANT}
      and (c.transaction_id, c.position) > (${p.afterTransaction}::bigint, ${p.afterPosition}::bigint)
      and c.transaction_id < (select h.open from horizon h)
    order by ${order}`;
  const forwards = sql`c.transaction_id, c.position`;
  const backwards = sql`c.transaction_id desc, c.position desc`;
  return sql`
    with horizon as materialized (select ${OPEN} as open),
    found as materialized (
      select f.* from (${behind(sql`${forwards} limit ${MAX_PASSED}`)}) f
      where f.resource_type = any(${p.resourceTypes}) and ${condition}
      order by f.transaction_id, f.position limit ${p.limit}
    ),
    folded as (
      select f.*, min(f.transaction_id) over same as began_in, min(f.position) over same as began, bool_or(f.change = 'created') over same as is_new,
        first_value(f.state -> 'previousStatus') over (same order by f.position) as previous_status,
        -- What refers to a resource may go after it. The tombstone stands for the transaction all the same.
        row_number() over (same order by ${TOMBSTONE} desc, f.position desc) = 1 as stands
      from found f
      window same as (partition by f.written_by, f.resource_type, f.resource_id)
    ),
    changes as (
      select f.tenant_id, f.began_in as transaction_id, f.began as position, f.at, f.resource_type, f.resource_id, f.workspace_id,
        f.conversation_id,
        case when f.previous_status is null then f.state else f.state || jsonb_build_object('previousStatus', f.previous_status) end
          as state,
        case when f.change = 'updated' and f.is_new then 'created' else f.change end as change
      from folded f where f.stands
    ),
    passed as (
      select coalesce(
        (select array[f.transaction_id, f.position] from found f order by f.transaction_id desc, f.position desc
          limit case when (select count(*) from found) = ${p.limit} then 1 else 0 end),
        (select array[f.transaction_id, f.position] from (${behind(sql`${forwards} offset ${MAX_PASSED} - 1 limit 1`)}) f)
      ) as last
    )
    select json_build_object(
        'epoch', ${EPOCH},
        'next', coalesce(
          n.last,
          (select array[f.transaction_id, f.position] from (${behind(sql`${backwards} limit 1`)}) f),
          array[${p.afterTransaction}::bigint, ${p.afterPosition}::bigint]
        )::text[],
        'more', n.last is not null,
        'unsettled', exists (
          select from resource_change c
          where c.tenant_id = ${TENANT} and c.transaction_id >= h.open and c.transaction_id < ${NEXT}),
        'lost', ${p.afterTransaction}::bigint >= ${NEXT} or exists (
          select from resource_change_floor b
          where b.tenant_id = ${TENANT} and ${p.resumes}::boolean
            and (b.transaction_id, b.position) > (${p.afterTransaction}::bigint, ${p.afterPosition}::bigint))
      )::text || coalesce((
        select string_agg(E'\\n' || f.transaction_id || ' ' || f.position || ' ' || (${line})::text, ''
          order by f.transaction_id, f.position)
        from (${shown}) f
      ), '') as answer
    from passed n, horizon h where ${visible}`;
};

/** The statement's one column is the text of its answer. */
const AS_TEXT = { json: sql`r.answer` };

interface ReadArgs extends FeedArgs {
  self: string | null;
  workspaceId?: string;
  /** Such as `conversation.updated`; null for all. */
  types?: readonly string[];
}
/** What the caller may see of the feed, each row with its resource as it is now. Text: the head, and a line for each row. */
export const READ_FEED = polled(
  one<string, ReadArgs>(
    "feed.read",
    "restricted",
    (p) =>
      feed(p, {
        condition: sql`(${p.workspaceId}::uuid is null or f.workspace_id = ${p.workspaceId})
          and (${WORKSPACES}::uuid[] is null or f.workspace_id is null or f.workspace_id = any(${WORKSPACES}))`,
        shown: sql`
          select * from (
            select f.*, case when not ${TOMBSTONE} then ${resourceOf(p.self)} end as resource
            from changes f
            where ${p.types}::text[] is null or f.resource_type || '.' || f.change = any(${p.types})
            offset 0
          ) f
          where case when ${TOMBSTONE} then ${couldRead(p.self)} else f.resource is not null end`,
        line: sql`(
          select row_to_json(r) from (
            select ${time(sql`f.at`)} as at, f.resource_type || '.' || f.change as type, f.workspace_id as "workspaceId",
              f.resource_type as "resourceType", f.resource_id as "resourceId", f.resource
          ) r)`,
        visible: sql`(${p.workspaceId}::uuid is null
          or exists (select from workspace w where w.id = ${p.workspaceId} and ${REACHABLE}))`,
      }),
    AS_TEXT,
  ),
  // A transaction of another tenant may hold rows back. When it ends, the version of this tenant does not change.
  (answer) => !headOf(answer).unsettled,
);

/**
 * The outer `select` makes the contact's id a value, which an index is asked for. Under row-level security, PostgreSQL tries no other
 * expression of it before it knows whose the row is: it went through all conversations of the tenant.
 */
const CONTACT_IN = sql`
  case when f.resource_type = 'contact' then array(
    select distinct c.workspace_id from conversation c
    where c.tenant_id = ${TENANT} and c.contact_id = (select coalesce(
      (select k.merged_into_id from contact k where k.tenant_id = ${TENANT} and k.id = f.resource_id), f.resource_id))) end`;

const OCCURRENCE = sql`
  'resourceType', f.resource_type, 'change', f.change, 'resourceId', f.resource_id,
  'workspaceId', f.workspace_id, 'conversationId', f.conversation_id, 'state', f.state`;

const HEARD = sql`${OCCURRENCE}, 'contactIn', ${CONTACT_IN}`;

/** All rows behind a position, without their resources. Text, as `READ_FEED`. */
export const READ_OCCURRENCES = one<string, FeedArgs>(
  "feed.occurrences",
  { unrestricted: "the process reads for all streams of a side; each stream shows what its member reaches" },
  (p) =>
    feed(p, {
      condition: sql`true`,
      shown: sql`select f.* from changes f`,
      line: sql`json_build_object(${HEARD})`,
      visible: sql`true`,
    }),
  AS_TEXT,
);

/** The same, with what events can include. */
export const READ_WHOLE_OCCURRENCES = one<string, FeedArgs & { self: null }>(
  "feed.whole_occurrences",
  { unrestricted: "the process reads for all streams of a side; each stream shows what its member reaches" },
  (p) =>
    feed(p, {
      condition: sql`true`,
      shown: sql`select f.* from changes f`,
      line: sql`json_build_object(${HEARD}, 'resource',
        case when not ${TOMBSTONE} then ${resourceOf(p.self, STREAMED_RESOURCES)} end,
        'contact', case when f.resource_type = 'conversation' and not ${TOMBSTONE} then (
          select row_to_json(r) from (
            select ${CONTACT} from conversation c join contact r on r.tenant_id = ${TENANT} and r.id = c.contact_id
            where c.tenant_id = ${TENANT} and c.id = f.resource_id
          ) r) end)`,
      visible: sql`true`,
    }),
  AS_TEXT,
);

/** A thing that was made, a conversation whose status changed, or a reply that is no longer held. */
export interface Step extends Occurrence {
  occurredAt: string;
  /** The transaction that wrote it. */
  writtenBy: string;
}
/** Each step behind a position. Steps of one transaction are not folded: its last change of a conversation is not all that happened. */
export const READ_STEPS = one<string, FeedArgs>(
  "feed.steps",
  { unrestricted: "webhooks are for owners and admins, who see the whole tenant" },
  (p) =>
    feed(p, {
      condition: sql`(f.change = 'created' or (
        f.resource_type in ('conversation', 'pending_action') and f.change = 'updated'
        and f.state ->> 'status' is distinct from f.state ->> 'previousStatus'
      ) or f.state ->> 'released' is not null)`,
      shown: sql`select f.* from found f`,
      line: sql`json_build_object(${OCCURRENCE}, 'occurredAt', ${time(sql`f.at`)}, 'writtenBy', f.written_by::text)`,
      visible: sql`true`,
    }),
  AS_TEXT,
);

export interface Happened extends Occurrence {
  occurredAt: string;
  /** By the clock that says when it occurred. That of a process may be another one. */
  secondsAgo: number;
}
/** A contact wrote, a note names somebody, or something became urgent. */
export const READ_HAPPENINGS = one<string, FeedArgs>(
  "feed.happenings",
  { unrestricted: "notices are made for the whole tenant; each member gets those of the workspaces in reach" },
  (p) =>
    feed(p, {
      condition: sql`case f.resource_type
        when 'message' then f.change = 'created' and (f.state ->> 'direction' = 'inbound' or f.state ? 'mentions')
        when 'attention_item' then f.change = 'created' and f.state ->> 'severity' = 'urgent'
        else f.change in ('created', 'updated') and f.state ->> 'priority' = 'urgent' and f.state ->> 'previousPriority' is distinct from 'urgent'
      end`,
      shown: sql`select f.* from found f`,
      line: sql`json_build_object(${OCCURRENCE}, 'occurredAt', ${time(sql`f.at`)},
        'secondsAgo', extract(epoch from clock_timestamp() - f.at))`,
      visible: sql`true`,
    }),
  AS_TEXT,
);

/**
 * Where the feed ends now: at its last row that can be read. Whatever is committed later is behind it. A number of a transaction
 * that left no row would not do, because a server that crashes may give it again.
 */
export const FEED_END = one<{ epoch: string; end: Position }>(
  "feed.end",
  { unrestricted: "a position says nothing of what is in the feed" },
  () => sql`
    select ${EPOCH} as epoch, coalesce(
      (select array[c.transaction_id, c.position] from resource_change c
        where c.tenant_id = ${TENANT} and c.transaction_id < ${OPEN}
        order by c.transaction_id desc, c.position desc limit 1),
      (select array[b.transaction_id, b.position] from resource_change_floor b where b.tenant_id = ${TENANT}),
      array[0, 0]
    )::text[] as "end"`,
);

/** How long the oldest transaction that changes something has been running. Those of other users of the server are not seen. */
export const FEED_LAG = globalQuery<NoArgs, { seconds: number }>()(
  "feed.lag",
  "everywhere",
  () => sql`
    select coalesce(extract(epoch from clock_timestamp() - min(a.xact_start)), 0)::float8 as seconds
    from pg_stat_activity a where a.backend_xid is not null`,
);

/** Deletes a batch of the oldest rows, and notes up to where. */
export const SWEEP_FEED = query<{ keptFor: string; batch: number }>()(
  "feed.sweep",
  { unrestricted: "retention covers the whole side" },
  ({ keptFor, batch }) => sql`
    with oldest as materialized (
      select c.transaction_id, c.position, c.at from resource_change c
      where c.tenant_id = ${TENANT}
      order by c.transaction_id, c.position limit ${batch}
    ),
    removed as (
      delete from resource_change c using oldest o
      where c.tenant_id = ${TENANT} and c.transaction_id = o.transaction_id and c.position = o.position
        and o.at < now() - ${keptFor}::interval
      returning c.transaction_id, c.position
    ),
    floor as (
      insert into resource_change_floor as b (tenant_id, transaction_id, position)
      select ${TENANT}, r.transaction_id, r.position from removed r
      order by r.transaction_id desc, r.position desc limit 1
      on conflict (tenant_id) do update set transaction_id = excluded.transaction_id, position = excluded.position
      where (b.transaction_id, b.position) < (excluded.transaction_id, excluded.position)
    )
    select count(*)::int as removed from removed`,
);
