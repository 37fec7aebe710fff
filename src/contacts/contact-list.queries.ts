import { identifier, type Parameters, type Sql, sql, TENANT } from "../platform/database/sql.js";
import { page, type PageArgs, type PageRead, polled, REACHABLE } from "../platform/database/statements.js";
import {
  accountInReach,
  contactInReach,
  IS_UNRESTRICTED,
  isListed,
  isVisible,
  SEARCHED_WORKSPACES,
  type Self,
} from "./contact-reach.js";
import type { ContactDto } from "./contacts.dto.js";
import { CONTACT } from "./contacts.queries.js";

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
