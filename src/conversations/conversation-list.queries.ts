import type { Caller } from "../platform/caller/caller.js";
import {
  BRAND,
  identifier,
  joined,
  literal,
  type Parameters,
  type Sql,
  sql,
  TENANT,
  WORKSPACES,
} from "../platform/database/sql.js";
import {
  page,
  type PageArgs,
  type PageParts,
  type PageRead,
  polled,
  REACHABLE,
  statementFamily,
} from "../platform/database/statements.js";
import { CONVERSATION_STATUSES, type ConversationStatus } from "./lifecycle/lifecycle.js";
import type { ConversationDto } from "./conversations.dto.js";
import { CONVERSATION } from "./conversations.queries.js";

export interface ConversationFilters {
  /** Left out for the newest activity first. */
  sort?: "waiting";
  workspaceId?: string;
  /** At least one, in a fixed order. */
  status?: readonly ConversationStatus[];
  /** The id of a member, or `none`. */
  assigneeId?: string;
  contactId?: string;
  label?: string;
  updatedSince?: string;
  externalId?: string;
  unread?: boolean;
  handlingMode?: string;
  channelType?: string;
}
type ListParameters = Parameters<ConversationFilters & PageArgs>;

/**
 * How many conversations one page reads of each scan (a status in a workspace, at most) for filters that the scan's
 * index does not know. A page that has read so many ends there, and its cursor continues behind them.
 */
export const MAX_READ = 2_000;

/** The index that a list reads. A caller's filters choose the one that leads to the fewest conversations. */
type Scan = "recent" | "status" | "assignee" | "unassigned" | "unread" | "contact" | "label" | "waiting" | "externalId";

/** Which statuses a scan looks up, one after the other: none means that it does not go by status. */
type Statuses = "none" | "one" | "several";

/** A list's statement is made of these, so there are a few hundred at most, whatever callers combine. */
interface Plan {
  level: Level;
  scan: Scan;
  statuses: Statuses;
  waiting: boolean;
  ofWorkspace: boolean;
  since: boolean;
  /** There are filters that the scan does not cover. */
  filtered: boolean;
  continued: boolean;
}

function scanOf({ sort, externalId, contactId, label, unread, assigneeId, status }: ConversationFilters): Scan {
  if (externalId !== undefined) return "externalId";
  if (sort === "waiting") return "waiting";
  if (contactId !== undefined) return "contact";
  if (label !== undefined) return "label";
  if (unread === true) return "unread";
  if (assigneeId !== undefined) return assigneeId === "none" ? "unassigned" : "assignee";
  return status === undefined ? "recent" : "status";
}

/** The filters that a scan covers by itself. */
const COVERS: Record<Scan, readonly (keyof ConversationFilters)[]> = {
  recent: [],
  status: ["status"],
  assignee: ["assigneeId", "status"],
  unassigned: ["assigneeId", "status"],
  unread: ["unread"],
  contact: ["contactId"],
  label: ["label"],
  waiting: [],
  externalId: ["externalId"],
};

function statusesOf(scan: Scan, { status }: ConversationFilters): Statuses {
  if (!COVERS[scan].includes("status")) return "none";
  return status?.length === 1 ? "one" : "several";
}

/** The conditions of a scan on the row `o` that it reads: the conversation itself, or one of its labels. */
const SCANS: Record<Scan, (o: Sql, p: ListParameters) => Sql> = {
  recent: () => sql``,
  status: () => sql``,
  assignee: (o, p) => sql` and ${o}.assignee_id = ${p.assigneeId}::text::uuid`,
  unassigned: (o) => sql` and ${o}.assignee_id is null`,
  unread: (o) => sql` and ${o}.unread_count > 0`,
  contact: (o, p) => sql` and ${o}.contact_id = ${p.contactId}::uuid`,
  label: (o, p) => sql` and ${o}.label = ${p.label}::text`,
  waiting: () => sql``,
  externalId: (o, p) => sql` and ${o}.external_id = ${p.externalId}::text`,
};

/** Filters on a conversation `c` that one text covers, in use or not. */
type Rest = Exclude<keyof ConversationFilters, "sort" | "workspaceId" | "externalId">;
const FILTERS: Record<Rest, (p: Parameters<ConversationFilters>) => Sql> = {
  status: (p) => sql`(${p.status}::text[] is null or c.status = any(${p.status}::text[]))`,
  assigneeId: (p) => sql`(${p.assigneeId}::text is null or case when ${p.assigneeId}::text = 'none'
        then c.assignee_id is null else c.assignee_id = ${p.assigneeId}::text::uuid end)`,
  contactId: (p) => sql`(${p.contactId}::uuid is null or c.contact_id = ${p.contactId}::uuid)`,
  label: (p) => sql`(${p.label}::text is null or ${p.label}::text = any(c.labels))`,
  unread: (p) => sql`(${p.unread}::boolean is null or (c.unread_count > 0) = ${p.unread}::boolean)`,
  handlingMode: (p) => sql`(${p.handlingMode}::text is null or c.handling_mode = ${p.handlingMode}::text)`,
  channelType: (p) => sql`(${p.channelType}::text is null or c.channel_type = ${p.channelType}::text)`,
  updatedSince: (p) =>
    sql`(${p.updatedSince}::timestamptz is null or c.last_activity_at >= ${p.updatedSince}::timestamptz)`,
};
const NAMES = Object.keys(FILTERS) as Rest[];
/** All filters as conditions on a conversation `c`, in use or not, for a statement that needs no order. */
export const matching = (p: Parameters<ConversationFilters>): Sql =>
  joined(
    [
      sql`(${p.workspaceId}::uuid is null or c.workspace_id = ${p.workspaceId}::uuid)`,
      sql`(${p.externalId}::text is null or c.external_id = ${p.externalId}::text)`,
      ...NAMES.map((name) => FILTERS[name](p)),
    ],
    " and ",
  );
/** What is left for `FILTERS`: a scan by recent activity begins at `updatedSince`. */
const restOf = (scan: Scan, waiting: boolean): Rest[] =>
  NAMES.filter((name) => !COVERS[scan].includes(name) && (name !== "updatedSince" || waiting));

/** How far a caller reaches. A caller of one workspace, like most API keys, has statements that look at no other. */
export type Level = Caller["reach"]["level"] | "workspace";
export const levelOf = ({ reach }: Caller): Level =>
  reach.level === "workspaces" && reach.workspaceIds.length === 1 ? "workspace" : reach.level;
const NO_WORKSPACES = sql`${WORKSPACES}::uuid[] is null`;
const ONLY_WORKSPACE = sql`(${WORKSPACES}::uuid[])[1]`;

/**
 * The list for one level of access and one set of filters. Each way through the data has its own SQL text, so that each
 * reads its own index in order.
 */
export function listStatement(
  level: Level,
  filters: ConversationFilters,
  continued: boolean,
): PageRead<ConversationFilters, ConversationDto> {
  const scan = scanOf(filters);
  const waiting = filters.sort === "waiting";
  return LISTS({
    level,
    scan,
    statuses: statusesOf(scan, filters),
    waiting,
    ofWorkspace: filters.workspaceId !== undefined,
    since: filters.updatedSince !== undefined && !waiting,
    filtered: restOf(scan, waiting).some((name) => filters[name] !== undefined),
    continued,
  });
}

const LISTS = statementFamily("conversations.list", makeList);

/** Conversations in the order of the list. `by` is the row that has its columns. */
const inOrder = (waiting: boolean, by: Sql, id: Sql): Sql =>
  waiting ? sql`order by ${by}.waiting_since, ${id}` : sql`order by ${by}.last_activity_at desc, ${id} desc`;

/** The rows of a page. `within` is what the tenant's index is narrowed to; `workspaces` reads workspace by workspace instead. */
function rowsOf(plan: Plan, p: ListParameters, from: { within: Sql } | "workspaces"): Sql {
  const { scan, statuses, waiting, since, filtered, continued } = plan;
  const o = identifier(scan === "label" ? "l" : "c");
  const id = scan === "label" ? sql`l.conversation_id` : sql`c.id`;
  const table =
    scan === "label"
      ? sql`conversation_label l join conversation c on c.tenant_id = l.tenant_id and c.id = l.conversation_id`
      : sql`conversation c`;
  const within =
    from === "workspaces"
      ? sql`${o}.tenant_id = w.tenant_id and ${o}.workspace_id = w.id`
      : sql`${o}.tenant_id = ${TENANT}${from.within}`;
  const after = waiting
    ? sql` and (c.waiting_since, c.id) > (${p.after0}::timestamptz, ${p.after1}::uuid)`
    : sql` and (${o}.last_activity_at, ${id}) < (${p.after0}::timestamptz, ${p.after1}::uuid)`;
  const conditions = joined(
    [
      SCANS[scan](o, p),
      waiting ? sql` and c.waiting_since is not null` : sql``,
      statuses === "one" ? sql` and c.status = (${p.status}::text[])[1]` : sql``,
      statuses === "several" ? sql` and c.status = s.status` : sql``,
      since ? sql` and ${o}.last_activity_at >= ${p.updatedSince}::timestamptz` : sql``,
      continued ? after : sql``,
    ],
    "",
  );
  const order = inOrder(waiting, sql`c`, sql`c.id`);
  const limit = sql`limit ${p.limit} + 1`;
  // PostgreSQL does not see that the assignee is always null here. Named in the order, it leaves one index only; where
  // most conversations have no assignee, it would read those of the status and skip the others, however many.
  const scanOrder =
    scan === "unassigned"
      ? sql`order by c.assignee_id desc, c.last_activity_at desc, c.id desc`
      : inOrder(waiting, o, id);
  const scanned = (most: Sql): Sql => sql`
        select c.* from ${table} where ${within}${conditions} ${scanOrder} ${most}`;
  const matches = joined(
    restOf(scan, waiting).map((name) => FILTERS[name](p)),
    " and ",
  );
  const rows = filtered
    ? sql`
        select c.* from (
          select c.*, row_number() over (${order}) = ${literal(String(MAX_READ))}::int as stop, ${matches} as matches
          from (${scanned(sql`limit ${literal(String(MAX_READ))}::int`)}) c
        ) c
        where c.matches or c.stop ${order} ${limit}`
    : scanned(limit);
  const byWorkspace = from === "workspaces";
  if (!byWorkspace && statuses !== "several") return rows;
  const all = sql`array[${joined(CONVERSATION_STATUSES.map(literal), ", ")}]`;
  const each = sql`unnest(case when ${p.status}::text[] is null then ${all} else ${p.status}::text[] end) s (status)`;
  const sources = joined(
    [...(byWorkspace ? [sql`workspace w`] : []), ...(statuses === "several" ? [each] : [])],
    " cross join ",
  );
  const merged = sql`
      select c.* from ${sources} cross join lateral (${rows}) c
      ${byWorkspace ? sql`where ${REACHABLE}` : sql``} ${order} ${limit}`;
  if (!filtered) return merged;
  // One of the scans stopped. What is behind that in the order may lack conversations of that scan.
  return sql`
      select c.* from (
        select c.*, bool_or(c.stop) over (${order} rows between unbounded preceding and 1 preceding) as behind
        from (${merged}) c
      ) c
      where c.behind is not true ${order}`;
}

function makeList(name: string, plan: Plan): PageRead<ConversationFilters, ConversationDto> {
  const { level, scan, ofWorkspace, waiting, filtered } = plan;
  const partsOf = (rows: Sql): PageParts => ({
    list: "conversations",
    position: [waiting ? sql`r.waiting_since` : sql`r.last_activity_at`, sql`r.id`],
    item: CONVERSATION,
    rows,
    bounded: filtered,
  });
  const byWorkspace = (suffix = "") =>
    page<ConversationDto, ConversationFilters>(name + suffix, "restricted", (p) =>
      partsOf(rowsOf(plan, p, "workspaces")),
    );
  // A brand has few workspaces. Reading them one by one is cheaper than an index by brand for each scan.
  const narrow = scan === "externalId" || (level === "brand" && scan !== "recent");
  const ofOne = level === "workspace" || ofWorkspace;
  if (!ofOne && (level === "workspaces" || narrow)) return polled(byWorkspace());
  const o = identifier(scan === "label" ? "l" : "c");
  const direct = page<ConversationDto, ConversationFilters>(name, "restricted", (p) => {
    if (ofWorkspace) {
      const visible = sql`exists (select from workspace w where w.id = ${p.workspaceId} and ${REACHABLE})`;
      return { ...partsOf(rowsOf(plan, p, { within: sql` and ${o}.workspace_id = ${p.workspaceId}` })), visible };
    }
    if (level === "workspace") {
      const own = rowsOf(plan, p, { within: sql` and ${o}.workspace_id = ${ONLY_WORKSPACE}` });
      const reached = sql`exists (select from workspace w where w.id = ${ONLY_WORKSPACE} and ${REACHABLE})`;
      return partsOf(sql`select c.* from (${own}) c where ${reached}`);
    }
    const ofBrand = (alias: Sql): Sql => (level === "brand" ? sql` and ${alias}.brand_id = ${BRAND}` : sql``);
    const purging = sql`exists (
      select from workspace w where w.tenant_id = ${TENANT} and w.deleted_at is not null${ofBrand(sql`w`)}
    )`;
    // Only for callers that reach all of it.
    const whole = level === "brand" ? NO_WORKSPACES : sql`${BRAND}::uuid is null and ${NO_WORKSPACES}`;
    return { ...partsOf(rowsOf(plan, p, { within: ofBrand(sql`c`) })), visible: sql`${whole} and not ${purging}` };
  });
  // While a deleted workspace waits for its purge, its rows would have to be skipped, however many there are. In
  // that case the list goes workspace by workspace instead. That is a statement of its own: as the other branch of one
  // statement, PostgreSQL would prepare it at each call, which takes 100 µs.
  return polled(ofOne ? direct : { ...direct, otherwise: byWorkspace(" by workspace") });
}
