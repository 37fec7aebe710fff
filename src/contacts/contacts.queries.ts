import { one, page, polled, projection, REACHABLE, time } from "../platform/database/statement.js";
import type { ContactDto } from "./contacts.dto.js";

/** Who asks; null for the system. */
export interface Self {
  self: string | null;
}

/** The points of a contact `r`. The kind is no condition, which could lead into the index by value. */
const points = (
  kind: "email" | "phone",
): string => `(select coalesce(json_agg(json_build_object('value', p.value, 'verifiedAt', ${time("p.verified_at")}) order by p.position) filter (where p.kind = '${kind}'), '[]')
  from contact_point p where p.tenant_id = r.tenant_id and p.contact_id = r.id)`;

/** A contact `r`. */
export const CONTACT = projection<ContactDto>({
  id: "r.id",
  externalId: "r.external_id",
  name: "r.name",
  emails: points("email"),
  phones: points("phone"),
  language: "r.language",
  accountId: "r.account_id",
  labels: "r.labels",
  attributes: "r.attributes",
  blocked: "r.blocked",
  mergedIntoId: "r.merged_into_id",
  lastSeenAt: time("r.last_seen_at"),
  createdAt: time("r.created_at"),
  updatedAt: time("r.updated_at"),
});

/** A caller of the whole tenant. */
export const UNRESTRICTED = "(:brand::uuid is null and :workspaces::uuid[] is null)";
/** The workspaces that a search is restricted to; null for a caller of the whole tenant. */
export const PLACES = `case when ${UNRESTRICTED} then null else array(select w.id from workspace w where ${REACHABLE}) end`;

/**
 * A restricted caller reaches a contact that appears in its workspaces, or that it made itself; of what was merged, the
 * conversations are the survivor's.
 */
export const contactInReach = (contact: string): string => `(${UNRESTRICTED} or ${contact}.created_by = :self::uuid
  or exists (select from conversation c join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id
    where c.tenant_id = ${contact}.tenant_id and c.contact_id = coalesce(${contact}.merged_into_id, ${contact}.id) and ${REACHABLE}))`;
export const CONTACT_IN_REACH = contactInReach("r");

/** An erased or deleted contact `r` is shown to nobody. */
export const VISIBLE = `r.erased_at is null and r.deleted_at is null and ${CONTACT_IN_REACH}`;
/** What lists and searches show of the contacts that are within reach; one that was merged is read by its id alone. */
export const listed = (contact: string): string =>
  `${contact}.erased_at is null and ${contact}.deleted_at is null and ${contact}.merged_into_id is null`;

/** A restricted caller reaches an account `r` of whose contacts it reaches one, or that it made itself. */
export const ACCOUNT_IN_REACH = `(${UNRESTRICTED} or r.created_by = :self::uuid
  or exists (select from contact k where k.tenant_id = r.tenant_id and k.account_id = r.id and ${listed("k")} and ${contactInReach("k")}))`;

export const GET = polled(
  one<ContactDto, Self & { id: string }>(
    "contacts.get",
    "workspace",
    `select ${CONTACT} from contact r where r.tenant_id = :tenant and r.id = :id and ${VISIBLE}`,
  ),
);

/** The row that one of a few ids names, by its key alone: a planner that knows nothing of the table yet would read all of the tenant's. */
export const oneByOne = (table: "contact" | "account", ids: string): string =>
  `select t.* from ${table} t where t.tenant_id = :tenant and t.id = ${ids}.id offset 0`;

type ListArgs = Self & { limit: number };
const NEWEST_FIRST = "order by r.created_at desc, r.id desc limit :limit + 1";
const after = (at: string, id: string): string =>
  `(:after0::timestamptz is null or (${at}, ${id}) < (:after0::timestamptz, :after1::uuid))`;
const AFTER = after("r.created_at", "r.id");
const contacts = <Args extends ListArgs>(name: string, rows: string, visible?: string) =>
  polled(
    page<ContactDto, Args>(name, "workspace", {
      rows,
      position: [time("r.created_at"), "r.id"],
      item: CONTACT,
      visible,
      list: "contacts.list",
    }),
  );

/** For a caller of the whole tenant. */
const ALL = contacts<ListArgs>(
  "contacts.list",
  `select r.* from contact r where r.tenant_id = :tenant and ${listed("r")} and ${UNRESTRICTED} and ${AFTER} ${NEWEST_FIRST}`,
);
/** For a restricted one: its workspaces' contacts and those that it made, each walked by age as far as the page goes. */
const WITHIN = contacts<ListArgs>(
  "contacts.list-within",
  `select r.* from (
    select p.id from workspace w cross join lateral (
      select k.id from contact_place p join contact k on k.tenant_id = p.tenant_id and k.id = p.contact_id and ${listed("k")}
      where p.tenant_id = w.tenant_id and p.workspace_id = w.id and ${after("p.contact_created_at", "p.contact_id")}
      order by p.contact_created_at desc, p.contact_id desc limit :limit + 1) p
    where ${REACHABLE}
    union
    (select r.id from contact r where r.tenant_id = :tenant and r.created_by = :self::uuid and ${listed("r")} and ${AFTER} ${NEWEST_FIRST})
  ) found cross join lateral (${oneByOne("contact", "found")}) r ${NEWEST_FIRST}`,
);
const BY_EXTERNAL_ID = contacts<ListArgs & { externalId?: string }>(
  "contacts.by-external-id",
  `select r.* from contact r where r.tenant_id = :tenant and r.external_id = :externalId and ${VISIBLE} and ${AFTER} ${NEWEST_FIRST}`,
);
export const listStatement = (restricted: boolean, externalId?: string): typeof BY_EXTERNAL_ID =>
  externalId !== undefined ? BY_EXTERNAL_ID : restricted ? WITHIN : ALL;

export const OF_ACCOUNT = polled(
  page<ContactDto, ListArgs & { accountId: string }>("accounts.contacts", "workspace", {
    rows: `select r.* from contact r where r.tenant_id = :tenant and r.account_id = :accountId and ${listed("r")} and ${CONTACT_IN_REACH} and ${AFTER} ${NEWEST_FIRST}`,
    position: [time("r.created_at"), "r.id"],
    item: CONTACT,
    visible: `exists (select from account r where r.tenant_id = :tenant and r.id = :accountId and ${ACCOUNT_IN_REACH})`,
  }),
);

export type SearchArgs = Self & { q: string; limit: number };
/** Closest first, newest first; the index is not held by row-level security, what is shown of its hits is. */
export const SEARCH = polled(
  page<ContactDto, SearchArgs>("contacts.search", "workspace", {
    rows: `select r.*, s.class from search_directory('contact', :q, :self, ${PLACES}) s cross join lateral (${oneByOne("contact", "s")}) r
    where ${listed("r")} and (:after0::int is null or s.class > :after0::int or (s.class = :after0::int and (r.created_at, r.id) < (:after1::timestamptz, :after2::uuid)))
    order by s.class, r.created_at desc, r.id desc limit :limit + 1`,
    position: ["r.class", time("r.created_at"), "r.id"],
    item: CONTACT,
  }),
);
