import {
  columnOf,
  identifier,
  joined,
  literal,
  type Parameter,
  sql,
  type Sql,
  TENANT,
} from "../../platform/database/sql.js";
import {
  inReach,
  list,
  one,
  page,
  Projection,
  type PageRead,
  polled,
  type Query,
  query,
  REACHABLE,
  time,
  versionOrEnd,
} from "../../platform/database/statements.js";
import type { Fields } from "./entry-lines.js";
import type { ReviewedEntryDto } from "./reviewed-entry.dto.js";

/** The differences between the kinds of reviewed entries. */
export interface Kind<Entry> {
  /** The name, as in the paths of the routes. */
  name: "kb-entries" | "policy-entries";
  table: string;
  /** The select list of a row `r`. */
  projection: Projection;
  /** Entries `k` that stay when their evidence is erased, besides approved and archived ones. */
  remembered?: Sql;
  /** Whether sources propose entries, and `read_from` says which. */
  sourced?: true;
  /** Whether an entry can take the place of the one it duplicates, by `replaces_duplicate`. */
  replacing?: true;
  /** The fields that an edit may change and versions keep. Each is a column of the same name. */
  content: readonly (keyof Entry & string)[];
  /** The fields of a line of an import or export. Each is a column of the same name. */
  lines: Fields;
}

/** The fields of a row `r` that all entries have. */
export const REVIEWED_FIELDS: Record<keyof ReviewedEntryDto, Sql> = {
  id: sql`r.id`,
  workspaceId: sql`r.workspace_id`,
  status: sql`r.status`,
  source: sql`r.source`,
  confidence: sql`to_json(r.confidence)`,
  evidence: sql`r.evidence`,
  evidenceCount: sql`jsonb_array_length(r.evidence)`,
  duplicateOfId: sql`r.duplicate_of_id`,
  reviewedBy: sql`r.reviewed_by`,
  reviewedAt: time(sql`r.reviewed_at`),
  rejectionReason: sql`r.rejection_reason`,
  validUntil: time(sql`r.valid_until`),
  usage: sql`json_build_object('retrieved', r.retrieved, 'answered', r.answered, 'helpful', r.helpful)`,
  version: sql`r.version`,
  createdAt: time(sql`r.created_at`),
  updatedAt: time(sql`r.updated_at`),
};

/** Unlike other absent values, an absent confidence is missing rather than null. */
export const OMITTED = ["confidence"] as const;

/**
 * How a single entry becomes JSON. Nothing else can look like the absent confidence: the quotes of a text are escaped, and
 * PostgreSQL writes jsonb, such as evidence, with a space behind the colon.
 */
export const ENTRY_JSON = sql`replace(row_to_json(r)::text, ',"confidence":null', '')::json`;

export const isVisibleWorkspace = (workspaceId: Parameter): Sql =>
  sql`exists (select from workspace w where w.id = ${workspaceId} and ${REACHABLE})`;

/** The value of a field of a row `r`, where it has a column of the same name. */
const valueOf = (field: string): Sql =>
  field === "validUntil" ? time(sql`r.valid_until`) : sql`r.${identifier(columnOf(field))}`;

/** The content of a row `r`, as JSON. */
const contentOf = (content: readonly string[]): Sql =>
  sql`jsonb_build_object(${joined(
    content.map((field) => sql`${literal(field)}, ${valueOf(field)}`),
    ", ",
  )})`;

type ListArgs = { workspaceId: string; status?: string };
/** The lists of a kind, which are the same list with different items. */
export type Lists<Item> = Record<"all" | "ofStatus", Record<"first" | "next", PageRead<ListArgs, Item>>>;

/** The reads of every kind. */
export function readsOf<Entry, Version>(kind: Kind<Entry>) {
  const { name, projection, content, lines } = kind;
  const [table, versions] = [identifier(kind.table), identifier(`${kind.table}_version`)];
  /** Newest first. Each statement reads its own index: a filter that may be null could not be looked up in one. */
  const pages = <Item>(suffix: string, item: Projection): Lists<Item> => {
    const statement = (isOfStatus: boolean, isNext: boolean): PageRead<ListArgs, Item> =>
      polled(
        page<Item, ListArgs>(
          `${name}.${suffix}${isOfStatus ? " of status" : ""}${isNext ? " next" : ""}`,
          "restricted",
          ({ workspaceId, status, limit, after0, after1 }) => ({
            list: `${name}.list`,
            rows: sql`
            select r.* from ${table} r
            where r.tenant_id = ${TENANT} and r.workspace_id = ${workspaceId}
              ${isOfStatus ? sql`and r.status = ${status}` : sql``}
              ${isNext ? sql`and (r.created_at, r.id) < (${after0}::timestamptz, ${after1}::uuid)` : sql``}
            order by r.created_at desc, r.id desc limit ${limit} + 1`,
            position: [sql`r.created_at`, sql`r.id`],
            item,
            visible: isVisibleWorkspace(workspaceId),
          }),
        ),
      );
    return {
      all: { first: statement(false, false), next: statement(false, true) },
      ofStatus: { first: statement(true, false), next: statement(true, true) },
    };
  };
  return {
    get: polled(
      one<Entry, { id: string }>(
        `${name}.get`,
        "restricted",
        ({ id }) => sql`
          select ${projection} from ${table} r where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}`,
        { json: ENTRY_JSON },
      ),
    ),
    pending: polled(
      list<Entry, { workspaceId: string; limit: number; sourceId?: string }>(
        `${name}.pending`,
        "restricted",
        ({ workspaceId, limit, sourceId }) => ({
          rows: sql`
            select ${projection} from ${table} r
            where r.tenant_id = ${TENANT} and r.workspace_id = ${workspaceId} and r.status = 'pending'
              ${kind.sourced ? sql`and (${sourceId}::uuid is null or r.read_from ->> 'sourceId' = ${sourceId}::uuid::text)` : sql``}
            order by r.created_at, r.id limit ${limit}`,
          visible: isVisibleWorkspace(workspaceId),
        }),
        { json: ENTRY_JSON },
      ),
    ),
    list: pages<Entry>("list", projection),
    /** The same entries with only what a line of an export has. */
    export: pages<object>(
      "export",
      new Projection(Object.fromEntries(Object.keys(lines).map((field) => [field, valueOf(field)]))),
    ),
    /** The current version and the earlier ones. */
    versions: polled(
      page<Version, { id: string }>(`${name}.versions`, "restricted", ({ id, limit, after0 }) => ({
        rows: sql`
          select * from (
            select r.version, ${contentOf(content)} as content, r.changed_by as "changedBy", r.change_reason as reason
            from ${table} r where r.tenant_id = ${TENANT} and r.id = ${id}
            union all
            select v.version, v.content, v.changed_by, v.reason
            from ${versions} v where v.tenant_id = ${TENANT} and v.entry_id = ${id}
          ) r
          where r.version < ${versionOrEnd(after0)}
          order by r.version desc limit ${limit} + 1`,
        position: [sql`r.version`],
        item: new Projection({
          version: sql`r.version`,
          content: sql`r.content`,
          changedBy: sql`r."changedBy"`,
          reason: sql`r.reason`,
        }),
        json: sql`r.content || to_jsonb(r) - 'content'`,
        visible: sql`exists (
          select from ${table} e where e.tenant_id = ${TENANT} and e.id = ${id} and ${inReach("e")}
        )`,
      })),
    ),
  };
}

/** The result of a change of state: the workspace of an entry that was in the required state. Otherwise no row. */
interface Moved {
  workspaceId: string;
}

/** Archives the approved entry whose place one in `reviewed` takes. */
const archiveReplaced = (table: Sql): Sql => sql`
          update ${table} o set status = 'archived', updated_at = now() from reviewed n
          where o.tenant_id = ${TENANT} and o.id = n.duplicate_of_id and o.workspace_id = n.workspace_id
            and o.status = 'approved' and n.status = 'approved' and n.replaces_duplicate`;

/**
 * The changes of state and content of every kind. Each is one conditional update, so only one of several concurrent
 * changes succeeds.
 */
export function changesOf<Entry>(kind: Kind<Entry>) {
  const { name, content, replacing } = kind;
  const [table, versions] = [identifier(kind.table), identifier(`${kind.table}_version`)];
  const columns = content.map((field) => identifier(columnOf(field)));
  let importStatement: Query<{ workspaceId: string; by: string | null; entries: string }, unknown> | undefined;
  return {
    review: query<
      { id: string; status: string; reason: string | null; by: string | null; ifVersion: number | null },
      Moved
    >()(
      `${name}.review`,
      "restricted",
      ({ id, status, reason, by, ifVersion }) => sql`
        with reviewed as (
          update ${table} r set status = ${status}, rejection_reason = ${reason}, reviewed_by = ${by},
            reviewed_at = now(), updated_at = now()
          where r.tenant_id = ${TENANT} and r.id = ${id} and r.status = 'pending' and ${inReach("r")}
            and (${ifVersion}::int is null or r.version = ${ifVersion}::int)
          returning r.*
        )${replacing ? sql`, replaced as (${archiveReplaced(table)})` : sql``}
        select v.workspace_id as "workspaceId" from reviewed v`,
    ),
    archive: query<{ id: string }, Moved>()(
      `${name}.archive`,
      "restricted",
      ({ id }) => sql`
        update ${table} r set status = 'archived', updated_at = now()
        where r.tenant_id = ${TENANT} and r.id = ${id} and r.status = 'approved' and ${inReach("r")}
        returning r.workspace_id as "workspaceId"`,
    ),
    returnToReview: query<{ id: string }>()(
      `${name}.returnToReview`,
      { unrestricted: "only a circuit breaker does it" },
      ({ id }) => sql`
        update ${table} r set status = 'pending', reviewed_by = null, reviewed_at = null, updated_at = now()
        where r.tenant_id = ${TENANT} and r.id = ${id}::uuid and r.status = 'approved'`,
    ),
    /** Keeps the previous version. `changes` is JSON by columns. */
    edit: query<
      { id: string; changes: string; reason: string | null; by: string | null; ifVersion: number | null },
      Moved
    >()(
      `${name}.edit`,
      "restricted",
      ({ id, changes, reason, by, ifVersion }) => sql`
        with before as (
          select r as entry from ${table} r
          where r.tenant_id = ${TENANT} and r.id = ${id} and r.status = 'pending' and ${inReach("r")}
            and (${ifVersion}::int is null or r.version = ${ifVersion}::int)
          for update
        ), kept as (
          insert into ${versions} (tenant_id, entry_id, version, content, changed_by, reason, created_at)
          select r.tenant_id, r.id, r.version, ${contentOf(content)}, r.changed_by, r.change_reason, r.updated_at
          from before cross join lateral (select (before.entry).*) r
        )
        update ${table} r set
          (${joined(columns, ", ")}) = (
            select ${joined(
              columns.map((column) => sql`n.${column}`),
              ", ",
            )} from jsonb_populate_record(b.entry, ${changes}::jsonb) n
          ),
          version = r.version + 1, changed_by = ${by}, change_reason = ${reason}, updated_at = now()
        from before b
        where r.tenant_id = ${TENANT} and r.id = (b.entry).id
        returning r.workspace_id as "workspaceId"`,
    ),
    lock: query<{ id: string }, Moved>()(
      `${name}.lock`,
      "restricted",
      ({ id }) => sql`
        select r.workspace_id as "workspaceId" from ${table} r
        where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}
        for update`,
    ),
    forgetDuplicates: query<{ ids: readonly string[] }>()(
      `${name}.forgetDuplicates`,
      { unrestricted: "entries of one workspace name each other" },
      ({ ids }) => sql`
        update ${table} r set duplicate_of_id = null
        where r.tenant_id = ${TENANT} and r.duplicate_of_id = any(${ids}::uuid[])`,
    ),
    delete: query<{ ids: readonly string[] }>()(
      `${name}.delete`,
      { unrestricted: "the entries were locked within the caller's reach, or belong to a person who is erased" },
      ({ ids }) => sql`delete from ${table} r where r.tenant_id = ${TENANT} and r.id = any(${ids}::uuid[])`,
    ),
    /** `entries` is JSON by columns. Created once, even if a process starts several applications. */
    import: (fields: readonly string[]) => {
      const imported = joined(
        ["id", "duplicate_of_id", ...fields.map(columnOf)].map((column) => identifier(column)),
        ", ",
      );
      importStatement ??= query<{ workspaceId: string; by: string | null; entries: string }>()(
        `${name}.import`,
        "checked",
        ({ workspaceId, by, entries }) => sql`
          insert into ${table} (tenant_id, workspace_id, source, changed_by, ${imported})
          select ${TENANT}, ${workspaceId}, 'import', ${by}, ${imported}
          from jsonb_populate_recordset(null::${table}, ${entries}::jsonb) e`,
      );
      return importStatement;
    },
    countRetrieved: query<{ ids: readonly string[]; counts: readonly number[] }>()(
      `${name}.countRetrieved`,
      { unrestricted: "the system counts what searches found within their callers' reach" },
      ({ ids, counts }) => sql`
        with found as (
          select u.id, u.n from unnest(${ids}::uuid[], ${counts}::int[]) u (id, n)
        ), locked as (
          select k.id from ${table} k where k.tenant_id = ${TENANT} and k.id in (select id from found)
          order by k.id for no key update
        )
        update ${table} k set retrieved = k.retrieved + f.n
        from found f, locked l
        where l.id = f.id and k.tenant_id = ${TENANT} and k.id = f.id`,
    ),
    lockWithEvidence: query<{ conversationIds: readonly string[] }, { id: string; kept: boolean }>()(
      `${name}.lockWithEvidence`,
      { unrestricted: "an erasure concerns all conversations of the contact" },
      ({ conversationIds }) => sql`
        with theirs as materialized (select unnest(${conversationIds}::uuid[]) as id)
        select k.id, (k.status in ('approved', 'archived')${kind.remembered ? sql` or ${kind.remembered}` : sql``}) as kept
        from ${table} k
        where k.tenant_id = ${TENANT} and k.evidence <> '[]' and exists (
          select from jsonb_array_elements(k.evidence) e where (e ->> 'conversationId')::uuid in (select id from theirs)
        )
        order by k.id for update`,
    ),
    removeEvidence: query<{ conversationIds: readonly string[]; ids: readonly string[] }>()(
      `${name}.removeEvidence`,
      { unrestricted: "an erasure concerns all conversations of the contact" },
      ({ conversationIds, ids }) => sql`
        update ${table} k set updated_at = now(), evidence = (
          select coalesce(jsonb_agg(e), '[]') from jsonb_array_elements(k.evidence) e
          where not ((e ->> 'conversationId')::uuid = any(${conversationIds}::uuid[]))
        )
        where k.tenant_id = ${TENANT} and k.id = any(${ids}::uuid[])`,
    ),
    deleteVersions: query<{ ids: readonly string[] }>()(
      `${name}.deleteVersions`,
      { unrestricted: "an erasure concerns all conversations of the contact" },
      ({ ids }) => sql`delete from ${versions} v where v.tenant_id = ${TENANT} and v.entry_id = any(${ids}::uuid[])`,
    ),
  };
}
export type Changes = ReturnType<typeof changesOf>;
