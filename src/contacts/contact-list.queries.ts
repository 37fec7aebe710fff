import { identifier, literal, type Parameters, type Sql, sql, TENANT } from "../platform/database/sql.js";
import {
  page,
  type PageArgs,
  type PageRead,
  polled,
  REACHABLE,
  statementFamily,
} from "../platform/database/statements.js";
import {
  accountInReach,
  contactInReach,
  IS_UNRESTRICTED,
  isListed,
  isVisible,
  SEARCHED_WORKSPACES,
  type Self,
} from "./contact-reach.js";
import type { ContactDto, ContactSort } from "./contacts.dto.js";
import { CONTACT } from "./contacts.queries.js";

/** Reads each of a few ids by its key. Without statistics, the planner would read all rows of the tenant. */
export const oneByOne = (table: "contact" | "account", ids: string): Sql =>
  sql`select t.* from ${identifier(table)} t where t.tenant_id = ${TENANT} and t.id = ${identifier(ids)}.id offset 0`;

export interface ContactFilters {
  sort: ContactSort;
  workspaceId?: string;
  label?: string;
  accountId?: string;
  blocked?: boolean;
  externalId?: string;
  ids?: readonly string[];
}
type ListArgs = Self & ContactFilters;
type ListParameters = Parameters<ListArgs & PageArgs>;

/**
 * How many contacts one page reads for filters that its order does not know. A page that has read so many ends there, and its
 * cursor continues behind them.
 */
const MAX_READ = 2_000;
const MOST = literal(String(MAX_READ));

/** Each order: its column of a contact, which `contact_workspace` repeats. Each has its indexes. */
const ORDERS: Record<ContactSort, { column: string; type: Sql; ascending?: true }> = {
  recent: { column: "created_at", type: sql`timestamptz` },
  lastSeen: { column: "last_seen_at", type: sql`timestamptz` },
  name: { column: "sort_name", type: sql`text`, ascending: true },
};
const inOrder = (sort: ContactSort, at: Sql, id: Sql): Sql =>
  ORDERS[sort].ascending ? sql`order by ${at}, ${id}` : sql`order by ${at} desc, ${id} desc`;
/** Only for pages after the first: a condition that may be null could not be looked up in an index. */
const isAfter = (sort: ContactSort, { after0, after1 }: Parameters<PageArgs>, at: Sql, id: Sql): Sql => {
  const { type, ascending } = ORDERS[sort];
  return sql` and (${at}, ${id}) ${ascending ? sql`>` : sql`<`} (${after0}::${type}, ${after1}::uuid)`;
};
const NO_CONDITION = sql``;

/** Filters on a contact `r` that one text covers, in use or not. */
const matching = (p: ListParameters): Sql => sql`(${p.label}::text is null or ${p.label}::text = any(r.labels))
      and (${p.accountId}::uuid is null or r.account_id = ${p.accountId}::uuid)
      and (${p.blocked}::boolean is null or r.blocked = ${p.blocked}::boolean)`;
/** The same, and the workspace, which a list in its order reads alone. */
const matchingAnywhere = (p: ListParameters): Sql => sql`${matching(p)}
      and (${p.workspaceId}::uuid is null or exists (
        select from contact_workspace a
        where a.tenant_id = ${TENANT} and a.contact_id = r.id and a.workspace_id = ${p.workspaceId}::uuid
      ))`;

/** Where the contacts of a filter are found, if there are few of them. */
type Few = "account" | "label" | "blocked";
const FEW: Record<Few, (p: ListParameters) => Sql> = {
  account: (p) => sql`
        select k.id from contact k
        where k.tenant_id = ${TENANT} and k.account_id = ${p.accountId}::uuid and ${isListed("k")}`,
  label: (p) => sql`
        select l.contact_id as id from contact_label l where l.tenant_id = ${TENANT} and l.label = ${p.label}::text`,
  blocked: () => sql`
        select k.id from contact k where k.tenant_id = ${TENANT} and k.blocked and ${isListed("k")}`,
};

/** A list's statement is made of these. */
interface Plan {
  by: "ids" | "externalId" | "order";
  sort: ContactSort;
  restricted: boolean;
  ofWorkspace: boolean;
  /** There are filters that the order does not cover. */
  filtered: boolean;
  few: Few | null;
  continued: boolean;
}

export function listStatement(
  restricted: boolean,
  filters: ContactFilters,
  continued: boolean,
): PageRead<ListArgs, ContactDto> {
  const { ids, externalId, sort, workspaceId, label, accountId, blocked } = filters;
  const by = ids ? "ids" : externalId !== undefined ? "externalId" : "order";
  const few = accountId !== undefined ? "account" : label !== undefined ? "label" : blocked ? "blocked" : null;
  return LISTS({
    by,
    sort,
    restricted,
    ofWorkspace: workspaceId !== undefined,
    filtered: by === "order" && (few !== null || blocked !== undefined),
    few: by === "order" ? few : null,
    continued,
  });
}

/**
 * Where the contacts of a list come from in its order, each as `id` and `at`: the whole tenant, or, for a restricted caller,
 * its workspaces and what it created. `part` reads each only as far as the page needs.
 */
function scansOf({ sort, restricted, ofWorkspace, continued }: Plan, p: ListParameters, part: (scan: Sql) => Sql): Sql {
  const { column } = ORDERS[sort];
  const at = sql`k.${identifier(column)}`;
  const copy = sql`p.${identifier(`contact_${column}`)}`;
  const after = (by: Sql, id: Sql): Sql => (continued ? isAfter(sort, p, by, id) : NO_CONDITION);
  const ofContacts = (condition: Sql): Sql =>
    part(sql`
          select k.id, ${at} as at from contact k
          where k.tenant_id = ${TENANT} and ${condition} and ${isListed("k")}${after(at, sql`k.id`)}
          ${inOrder(sort, at, sql`k.id`)}`);
  const inWorkspaces = (condition: Sql): Sql => sql`
      select s.* from workspace w cross join lateral (${part(sql`
          select k.id, ${copy} as at
          from contact_workspace p cross join lateral (
            select k.id from contact k
            where k.tenant_id = ${TENANT} and k.id = p.contact_id and ${isListed("k")} offset 0
          ) k
          where p.tenant_id = w.tenant_id and p.workspace_id = w.id${after(copy, sql`p.contact_id`)}
          ${inOrder(sort, copy, sql`p.contact_id`)}`)}
      ) s
      where ${condition}${REACHABLE}`;
  if (ofWorkspace) return inWorkspaces(sql`w.id = ${p.workspaceId}::uuid and `);
  if (!restricted) return ofContacts(IS_UNRESTRICTED);
  return sql`(${inWorkspaces(NO_CONDITION)}) union all (${ofContacts(sql`k.created_by = ${p.self}::uuid`)})`;
}

/** The contacts of a list in its order, without other filters. */
function ordered(plan: Plan, p: ListParameters): Sql {
  const at = sql`r.${identifier(ORDERS[plan.sort].column)}`;
  const order = inOrder(plan.sort, at, sql`r.id`);
  const limit = sql`limit ${p.limit} + 1`;
  if (!plan.restricted && !plan.ofWorkspace)
    return sql`
    select r.* from contact r
    where r.tenant_id = ${TENANT} and ${isListed("r")} and ${IS_UNRESTRICTED}
      ${plan.continued ? isAfter(plan.sort, p, at, sql`r.id`) : NO_CONDITION}
    ${order} ${limit}`;
  return sql`
    select r.* from (
      select distinct f.id from (${scansOf(plan, p, (scan) => sql`${scan} ${limit}`)}) f
    ) found cross join lateral (${oneByOne("contact", "found")}) r
    ${order} ${limit}`;
}

/**
 * The same with filters: `MAX_READ` contacts of each scan at most. Where one of the scans stopped, what is behind that in the
 * order may lack contacts of that scan.
 */
function narrowed(plan: Plan, p: ListParameters): Sql {
  const order = inOrder(plan.sort, sql`f.at`, sql`f.id`);
  const part = (scan: Sql): Sql => sql`
        select s.id, s.at, row_number() over (${inOrder(plan.sort, sql`s.at`, sql`s.id`)}) = ${MOST}::int as stop
        from (${scan} limit ${MOST}::int) s`;
  return sql`
      select r.*, f.stop, ${matching(p)} as matches
      from (
        select f.*, bool_or(f.stop) over (${order} rows between unbounded preceding and 1 preceding) as behind
        from (
          select f.id, f.at, bool_or(f.stop) as stop
          from (${scansOf(plan, p, part)}) f
          group by f.id, f.at
        ) f
        ${order}
      ) f cross join lateral (${oneByOne("contact", "f")}) r
      where f.behind is not true and (f.stop or ${matching(p)}) ${order} limit ${p.limit} + 1`;
}

/**
 * The same for filters that lead to few contacts: these are read and sorted. Who has a filter of many finds some of them soon
 * in the order.
 */
function fewOrNarrowed(few: Few, plan: Plan, p: ListParameters): Sql {
  const at = sql`r.${identifier(ORDERS[plan.sort].column)}`;
  const order = inOrder(plan.sort, at, sql`r.id`);
  const after = plan.continued ? isAfter(plan.sort, p, at, sql`r.id`) : NO_CONDITION;
  return sql`
    with few as materialized (${FEW[few](p)} limit ${MOST}::int + 1
    ), size as materialized (select count(*) > ${MOST}::int as many from few)
    select r.* from (
      select r.* from (
        select r.*, false as stop, true as matches
        from few cross join lateral (${oneByOne("contact", "few")}) r
        where ${isListed("r")} and ${contactInReach("r", p.self)} and ${matchingAnywhere(p)}${after}
        ${order} limit ${p.limit} + 1
      ) r where not (select z.many from size z)
      union all
      select r.* from (${narrowed(plan, p)}) r where (select z.many from size z)
    ) r ${order} limit ${p.limit} + 1`;
}

/** By ids, or by externalId. Other filters apply too, in use or not. */
function named({ by, sort, continued }: Plan, p: ListParameters): Sql {
  const at = sql`r.${identifier(ORDERS[sort].column)}`;
  const found =
    by === "ids"
      ? sql`(select distinct unnest(${p.ids}::uuid[]) as id) given cross join lateral (${oneByOne("contact", "given")}) r
    where (${p.externalId}::text is null or r.external_id = ${p.externalId})`
      : sql`contact r where r.tenant_id = ${TENANT} and r.external_id = ${p.externalId}`;
  return sql`
    select r.* from ${found} and ${isVisible(p.self)} and ${matchingAnywhere(p)}
      ${continued ? isAfter(sort, p, at, sql`r.id`) : NO_CONDITION}
    ${inOrder(sort, at, sql`r.id`)} limit ${p.limit} + 1`;
}

function rowsOf(plan: Plan, p: ListParameters): Sql {
  if (plan.by !== "order") return named(plan, p);
  if (!plan.filtered) return ordered(plan, p);
  return plan.few ? fewOrNarrowed(plan.few, plan, p) : narrowed(plan, p);
}

const LISTS = statementFamily("contacts.list", (name, plan: Plan) =>
  polled(
    page<ContactDto, ListArgs>(name, "restricted", (p) => ({
      list: "contacts.list",
      rows: rowsOf(plan, p),
      position: [sql`r.${identifier(ORDERS[plan.sort].column)}`, sql`r.id`],
      item: CONTACT,
      bounded: plan.filtered,
      ...(plan.ofWorkspace && {
        visible: sql`exists (select from workspace w where w.id = ${p.workspaceId}::uuid and ${REACHABLE})`,
      }),
    })),
  ),
);

const listOfAccount = (name: string, isNext: boolean) =>
  polled(
    page<ContactDto, Self & { accountId: string }>(name, "restricted", (p) => ({
      list: "accounts.contacts",
      rows: sql`
        select r.* from contact r
        where r.tenant_id = ${TENANT} and r.account_id = ${p.accountId} and ${isListed("r")}
          and ${contactInReach("r", p.self)}${isNext ? isAfter("recent", p, sql`r.created_at`, sql`r.id`) : NO_CONDITION}
        ${inOrder("recent", sql`r.created_at`, sql`r.id`)} limit ${p.limit} + 1`,
      position: [sql`r.created_at`, sql`r.id`],
      item: CONTACT,
      visible: sql`exists (
        select from account r where r.tenant_id = ${TENANT} and r.id = ${p.accountId} and ${accountInReach(p.self)}
      )`,
    })),
  );
export const LIST_OF_ACCOUNT = {
  first: listOfAccount("accounts.contacts", false),
  next: listOfAccount("accounts.contacts next", true),
};

/** Continues a search after the last hit of the previous page: by class, then newest first. */
export const isBehindHit = ({ after0, after1, after2 }: Parameters<PageArgs>): Sql => sql`
    (${after0}::int is null or s.class > ${after0}::int
      or (s.class = ${after0}::int and (r.created_at, r.id) < (${after1}::timestamptz, ${after2}::uuid)))`;

/**
 * Closest first, then newest first. Row-level security does not protect the index, but it protects the rows that are
 * returned.
 */
export const SEARCH_CONTACTS = polled(
  page<ContactDto, Self & { q: string }>("contacts.search", "restricted", (p) => ({
    rows: sql`
      select r.*, s.class
      from search_directory('contact', ${p.q}, ${p.self}, ${SEARCHED_WORKSPACES}) s
        cross join lateral (${oneByOne("contact", "s")}) r
      where ${isListed("r")} and ${isBehindHit(p)}
      order by s.class, r.created_at desc, r.id desc limit ${p.limit} + 1`,
    position: [sql`r.class`, sql`r.created_at`, sql`r.id`],
    item: CONTACT,
  })),
);
