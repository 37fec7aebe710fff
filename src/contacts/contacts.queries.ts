import {
  BRAND,
  identifier,
  joined,
  literal,
  type Parameter,
  type Parameters,
  type Sql,
  sql,
  TENANT,
  WORKSPACES,
} from "../platform/database/sql.js";
import {
  inReach,
  namesUsed,
  one,
  page,
  type PageArgs,
  type PageRead,
  polled,
  projection,
  query,
  REACHABLE,
  statementFamily,
  time,
} from "../platform/database/statements.js";
import type { ContactDto } from "./contacts.dto.js";

/** The key or member that calls. Null for the system. A restricted caller has access to what it created itself. */
export interface Self {
  self: string | null;
}

/**
 * The emails or phones of a contact `r`. The kind is not a condition, because the planner could then choose the index
 * by value.
 */
const points = (kind: "email" | "phone"): Sql => sql`(
    select coalesce(
      json_agg(json_build_object('value', p.value, 'verifiedAt', ${time(sql`p.verified_at`)}) order by p.position)
        filter (where p.kind = ${literal(kind)}),
      '[]')
    from contact_point p where p.tenant_id = ${TENANT} and p.contact_id = r.id
  )`;

/** A contact `r`. */
export const CONTACT = projection<ContactDto>({
  id: sql`r.id`,
  externalId: sql`r.external_id`,
  name: sql`r.name`,
  emails: points("email"),
  phones: points("phone"),
  language: sql`r.language`,
  accountId: sql`r.account_id`,
  labels: sql`r.labels`,
  attributes: sql`r.attributes`,
  blocked: sql`r.blocked`,
  mergedIntoId: sql`r.merged_into_id`,
  lastSeenAt: time(sql`r.last_seen_at`),
  createdAt: time(sql`r.created_at`),
  updatedAt: time(sql`r.updated_at`),
});

/** The caller reaches the whole tenant. */
export const IS_UNRESTRICTED = sql`(${BRAND}::uuid is null and ${WORKSPACES}::uuid[] is null)`;
const REACHED_WORKSPACES = sql`array(select w.id from workspace w where ${REACHABLE})`;
/** The workspaces that a search is restricted to: null for a caller that reaches the whole tenant. */
export const SEARCHED_WORKSPACES = sql`
  case when ${IS_UNRESTRICTED} then null else ${REACHED_WORKSPACES} end`;

/**
 * The contact of this alias, or the one that it was merged into. Not `coalesce`: PostgreSQL does not take it for leakproof, and
 * so under row-level security would ask no index for it.
 */
function survivorOf(alias: string): Sql {
  const contact = identifier(alias);
  return sql`case when ${contact}.merged_into_id is null then ${contact}.id else ${contact}.merged_into_id end`;
}

/**
 * A restricted caller reaches a contact that appears in its workspaces, or that it made itself. The conversations of a
 * merged contact belong to the contact that survived. The workspaces are an array, which is made once and not for each contact.
 * `offset 0`: otherwise the planner may read all conversations of the workspaces first, to look one contact up among them.
 */
export function contactInReach(alias: string, self: Parameter): Sql {
  const contact = identifier(alias);
  return sql`(${IS_UNRESTRICTED} or ${contact}.created_by = ${self}::uuid or exists (
      select from conversation c
      where c.tenant_id = ${TENANT} and c.workspace_id = any (${REACHED_WORKSPACES})
        and c.contact_id = ${survivorOf(alias)}
      offset 0
    ))`;
}

/** The caller has access to the contact `r`, and it is neither erased nor deleted. */
export const isVisible = (self: Parameter): Sql =>
  sql`r.erased_at is null and r.deleted_at is null and ${contactInReach("r", self)}`;
/** Whether lists and searches show the contact. A merged contact can only be read by its id. */
export function isListed(alias: string): Sql {
  const contact = identifier(alias);
  return sql`${contact}.erased_at is null and ${contact}.deleted_at is null and ${contact}.merged_into_id is null`;
}

/**
 * A restricted caller reaches an account `r` if it reaches one of its contacts, or made the account itself. `offset 0` as in
 * `contactInReach`.
 */
export const accountInReach = (self: Parameter): Sql => sql`(
    ${IS_UNRESTRICTED} or r.created_by = ${self}::uuid or exists (
      select from contact k
      where k.tenant_id = ${TENANT} and k.account_id = r.id and ${isListed("k")} and ${contactInReach("k", self)}
      offset 0
    ))`;

export const GET_CONTACT = polled(
  one<ContactDto, Self & { id: string }>(
    "contacts.get",
    "restricted",
    ({ self, id }) => sql`
      select ${CONTACT} from contact r where r.tenant_id = ${TENANT} and r.id = ${id} and ${isVisible(self)}`,
  ),
);

/** Reads each of a few ids by its key. Without statistics, the planner would read all rows of the tenant. */
export const oneByOne = (table: "contact" | "account", ids: string): Sql =>
  sql`select t.* from ${identifier(table)} t where t.tenant_id = ${TENANT} and t.id = ${identifier(ids)}.id offset 0`;

type ListArgs = Self & { externalId?: string; ids?: readonly string[] };
type ListParameters = Parameters<ListArgs & PageArgs>;
const newestFirst = ({ limit }: Parameters<PageArgs>): Sql =>
  sql`order by r.created_at desc, r.id desc limit ${limit} + 1`;
/** Only for pages after the first: a condition that may be null could not be looked up in an index. */
const isAfter = ({ after0, after1 }: Parameters<PageArgs>, at: Sql, id: Sql): Sql =>
  sql` and (${at}, ${id}) < (${after0}::timestamptz, ${after1}::uuid)`;
const FIRST = sql``;

/** For a caller that reaches the whole tenant. */
const all = (p: ListParameters, after: Sql): Sql => sql`
    select r.* from contact r
    where r.tenant_id = ${TENANT} and ${isListed("r")} and ${IS_UNRESTRICTED}${after} ${newestFirst(p)}`;
/**
 * For a restricted caller: the contacts of its workspaces and those that it created. Each is read by age and only as
 * far as the page needs.
 */
const withinReach = (p: ListParameters, after: Sql, listedAfter: Sql): Sql => sql`
    select r.* from (
      select p.id from workspace w cross join lateral (
        select k.id
        from contact_workspace p cross join lateral (
          select k.id from contact k
          where k.tenant_id = ${TENANT} and k.id = p.contact_id and ${isListed("k")} offset 0
        ) k
        where p.tenant_id = w.tenant_id and p.workspace_id = w.id${listedAfter}
        order by p.contact_created_at desc, p.contact_id desc limit ${p.limit} + 1
      ) p
      where ${REACHABLE}
      union
      (
        select r.id from contact r
        where r.tenant_id = ${TENANT} and r.created_by = ${p.self}::uuid and ${isListed("r")}${after}
        ${newestFirst(p)}
      )
    ) found
      cross join lateral (${oneByOne("contact", "found")}) r
    ${newestFirst(p)}`;
const withExternalId = (p: ListParameters, after: Sql): Sql => sql`
    select r.* from contact r
    where r.tenant_id = ${TENANT} and r.external_id = ${p.externalId} and ${isVisible(p.self)}${after}
    ${newestFirst(p)}`;
/** The ids and, in use or not, the externalId. */
const withIds = (p: ListParameters, after: Sql): Sql => sql`
    select r.* from (select distinct unnest(${p.ids}::uuid[]) as id) given cross join lateral (${oneByOne("contact", "given")}) r
    where (${p.externalId}::text is null or r.external_id = ${p.externalId}) and ${isVisible(p.self)}${after}
    ${newestFirst(p)}`;

const contacts = (name: string, rows: typeof withinReach) => {
  const list = (isNext: boolean): PageRead<ListArgs, ContactDto> =>
    polled(
      page<ContactDto, ListArgs>(isNext ? `${name} next` : name, "restricted", (p) => ({
        rows: rows(
          p,
          isNext ? isAfter(p, sql`r.created_at`, sql`r.id`) : FIRST,
          isNext ? isAfter(p, sql`p.contact_created_at`, sql`p.contact_id`) : FIRST,
        ),
        position: [sql`r.created_at`, sql`r.id`],
        item: CONTACT,
        list: "contacts.list",
      })),
    );
  return { first: list(false), next: list(true) };
};
const ALL = contacts("contacts.list", all);
const WITHIN_REACH = contacts("contacts.listWithinReach", withinReach);
const BY_EXTERNAL_ID = contacts("contacts.listByExternalId", withExternalId);
const BY_IDS = contacts("contacts.listByIds", withIds);
export const listStatement = (
  restricted: boolean,
  { ids, externalId }: Pick<ListArgs, "ids" | "externalId">,
  page: "first" | "next",
): PageRead<ListArgs, ContactDto> =>
  (ids ? BY_IDS : externalId !== undefined ? BY_EXTERNAL_ID : restricted ? WITHIN_REACH : ALL)[page];

const listOfAccount = (name: string, isNext: boolean) =>
  polled(
    page<ContactDto, Self & { accountId: string }>(name, "restricted", (p) => ({
      list: "accounts.contacts",
      rows: sql`
        select r.* from contact r
        where r.tenant_id = ${TENANT} and r.account_id = ${p.accountId} and ${isListed("r")}
          and ${contactInReach("r", p.self)}${isNext ? isAfter(p, sql`r.created_at`, sql`r.id`) : FIRST}
        ${newestFirst(p)}`,
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

/** The fields that PATCH and linking may change, with their types in the database. */
export interface ContactChange {
  externalId?: string | null;
  name?: string | null;
  language?: string | null;
  labels?: readonly string[];
  /** JSON. */
  attributes?: string;
  blocked?: boolean;
  accountId?: string | null;
}
const SET: Record<keyof ContactChange, (p: Parameters<ContactChange>) => Sql> = {
  externalId: (p) => sql`external_id = ${p.externalId}`,
  name: (p) => sql`name = ${p.name}`,
  language: (p) => sql`language = ${p.language}`,
  labels: (p) => sql`labels = ${p.labels}::text[]`,
  attributes: (p) => sql`attributes = ${p.attributes}::jsonb`,
  blocked: (p) => sql`blocked = ${p.blocked}::boolean`,
  accountId: (p) => sql`account_id = ${p.accountId}::uuid`,
};

/** One conditional update that also checks that the contact exists and was not merged. */
export const updateStatement = (change: ContactChange) => UPDATES(namesUsed(SET, change));

const UPDATES = statementFamily("contacts.update", (name, names: readonly (keyof ContactChange)[]) =>
  query<ContactChange & Self & { id: string }, { id: string }>()(
    name,
    "restricted",
    (p) => sql`
      update contact r set ${joined(
        names.map((field) => sql`${SET[field](p)}, `),
        "",
      )}updated_at = now()
      where r.tenant_id = ${TENANT} and r.id = ${p.id} and r.merged_into_id is null and ${isVisible(p.self)}
      returning r.id`,
  ),
);

/** Waits for messages that the contact is sending, so that none is added after the block is committed. */
export const LOCK_BLOCKING = query<{ id: string }>()(
  "contacts.lockBlocking",
  "checked",
  ({ id }) => sql`
    select pg_advisory_xact_lock(hashtextextended('block ' || ${id}::uuid, 0))
    from tenant t where t.id = ${TENANT}`,
);

/** An account that the caller has access to, locked against its deletion. */
export const LOCK_ACCOUNT = query<Self & { accountId: string }>()(
  "contacts.lockAccount",
  "restricted",
  ({ self, accountId }) => sql`
    select r.id from account r
    where r.tenant_id = ${TENANT} and r.id = ${accountId} and ${accountInReach(self)}
    for key share of r`,
);

/** Adds new addresses and sets the order of all of them. Those that stay keep their age. */
export const SET_POINTS = query<{ id: string; kind: string; values: readonly string[] }>()(
  "contacts.setPoints",
  "checked",
  ({ id, kind, values }) => sql`
    insert into contact_point (tenant_id, id, contact_id, kind, value, position)
    select ${TENANT}, gen_random_uuid(), ${id}, ${kind}, p.value, p.position - 1
    from unnest(${values}::text[]) with ordinality as p (value, position)
    on conflict (tenant_id, contact_id, kind, value) do update set position = excluded.position`,
);

/** The contact, locked against deletion, erasure and merge until the transaction ends. */
export const LOCK_VISIBLE = query<Self & { id: string }>()(
  "contacts.lockVisible",
  "restricted",
  ({ self, id }) => sql`
    select r.merged_into_id as "mergedIntoId" from contact r
    where r.tenant_id = ${TENANT} and r.id = ${id} and ${isVisible(self)}
    for key share of r`,
);

/**
 * The contact with this externalId. A caller that does not reach it must not learn which one it is: `id` is null.
 */
const byExternalId = (name: "contacts.findByExternalId" | "contacts.lockByExternalId", lock: Sql) =>
  query<Self & { externalId: string }, { id: string | null }>()(
    name,
    { unrestricted: "it names the contact only to a caller that reaches it" },
    ({ self, externalId }) => sql`
      select case when ${contactInReach("r", self)} then r.id end as id from contact r
      where r.tenant_id = ${TENANT} and r.external_id = ${externalId} ${lock}`,
  );
export const FIND_BY_EXTERNAL_ID = byExternalId("contacts.findByExternalId", sql``);
export const LOCK_BY_EXTERNAL_ID = byExternalId("contacts.lockByExternalId", sql`for key share of r`);

const BY_CHANNEL = { unrestricted: "a channel finds its contact whatever workspaces the contact was seen in" };

/**
 * The contact with this address: in the tenant, or of those that appear `within` a workspace. A contact that verified it comes
 * first, then the contact that had it first.
 */
export const LOCK_BY_ADDRESS = query<{ kind: string; value: string; within: string | null }>()(
  "contacts.lockByAddress",
  BY_CHANNEL,
  ({ kind, value, within }) => sql`
    select k.id, k.blocked
    from contact_point p join contact k on k.tenant_id = p.tenant_id and k.id = p.contact_id
    where p.tenant_id = ${TENANT} and p.kind = ${kind} and p.value = ${value} and ${isListed("k")}
      and (${within}::uuid is null or exists (
        select from conversation c
        where c.tenant_id = ${TENANT} and c.workspace_id = ${within}::uuid and c.contact_id = k.id
      ))
    order by p.verified_at is null, k.created_at, k.id limit 1
    for key share of k`,
);

/** The contact that writes, or the one that it was merged into. */
export const LOCK_SENDER = query<{ id: string }>()(
  "contacts.lockSender",
  BY_CHANNEL,
  ({ id }) => sql`
    select k.id, k.blocked
    from contact r join contact k on k.tenant_id = r.tenant_id and k.id = ${survivorOf("r")}
    where r.tenant_id = ${TENANT} and r.id = ${id} and k.erased_at is null and k.deleted_at is null
    for key share of k`,
);

/** All contacts of a person, merged ones included. The survivor comes first. */
export const FIND_PERSON = query<Self & { id: string }>()(
  "contacts.findPerson",
  "restricted",
  ({ self, id }) => sql`
    with recursive person as (
      select r.id, r.merged_into_id from contact r
      where r.tenant_id = ${TENANT} and r.id = ${id} and ${contactInReach("r", self)}
      union
      select c.id, c.merged_into_id
      from person p join contact c on c.tenant_id = ${TENANT} and (c.id = p.merged_into_id or c.merged_into_id = p.id)
    )
    select id from person order by merged_into_id is not null, id`,
);

/** A conversation of these contacts in a workspace that the caller does not reach. Lock the contacts first, so that none is added. */
export const FIND_ELSEWHERE = query<{ ids: readonly string[] }>()(
  "contacts.findElsewhere",
  "restricted",
  ({ ids }) => sql`
    select c.id from conversation c
    where c.tenant_id = ${TENANT} and c.contact_id = any(${ids}::uuid[]) and not ${inReach("c")} and exists (
        select from workspace w where w.tenant_id = ${TENANT} and w.id = c.workspace_id and w.deleted_at is null
      )
    limit 1`,
);

export const LOCK_DUE_FOR_PURGE = query<{ keptFor: string; limit: number }>()(
  "contacts.lockDueForPurge",
  { unrestricted: "only the daily task runs it" },
  ({ keptFor, limit }) => sql`
    select k.id from contact k
    where k.tenant_id = ${TENANT} and k.deleted_at <= now() - ${keptFor}::interval and k.erased_at is null
    order by k.id limit ${limit} for update`,
);

/** Empties the contact but keeps the row, because conversations that stay as anonymous statistics reference it. */
export const EMPTY = query<{ ids: readonly string[] }, { contacts: number; contactPoints: number }>()(
  "contacts.empty",
  { unrestricted: "an erasure concerns all contacts of the person" },
  ({ ids }) => sql`
    with points as (
      delete from contact_point p where p.tenant_id = ${TENANT} and p.contact_id = any(${ids}::uuid[]) returning 1
    ), shells as (
      update contact k set external_id = null, name = null, language = null, account_id = null, labels = '{}',
        attributes = '{}', blocked = false, merged_into_id = null, last_seen_at = null, updated_at = now(),
        erased_at = now()
      where k.tenant_id = ${TENANT} and k.id = any(${ids}::uuid[]) and k.erased_at is null
      returning 1
    )
    select (select count(*)::int from shells) as contacts, (select count(*)::int from points) as "contactPoints"`,
);
