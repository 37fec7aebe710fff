import { joined, literal, type Parameters, type Sql, sql, TENANT } from "../platform/database/sql.js";
import {
  inReach,
  namesUsed,
  one,
  polled,
  projection,
  query,
  statementFamily,
  time,
} from "../platform/database/statements.js";
import {
  accountInReach,
  contactInReach,
  IS_UNRESTRICTED,
  isListed,
  isVisible,
  SEARCHED_WORKSPACES,
  type Self,
  survivorOf,
} from "./contact-reach.js";
import type { ContactDto } from "./contacts.dto.js";

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
  lastSeenAt: time(sql`nullif(r.last_seen_at, '-infinity')`),
  createdAt: time(sql`r.created_at`),
  updatedAt: time(sql`r.updated_at`),
});

export const GET_CONTACT = polled(
  one<ContactDto, Self & { id: string }>(
    "contacts.get",
    "restricted",
    ({ self, id }) => sql`
      select ${CONTACT} from contact r where r.tenant_id = ${TENANT} and r.id = ${id} and ${isVisible(self)}`,
  ),
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
  externalId: (p) => sql`external_id = ${p.externalId}, external_id_vouched_within = case
    when not ${IS_UNRESTRICTED} and r.external_id = ${p.externalId} then r.external_id_vouched_within
    else ${SEARCHED_WORKSPACES} end`,
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

/** Waits for messages that the contacts are sending, so that none is added after the block is committed. */
export const LOCK_BLOCKING = query<{ ids: readonly string[] }>()(
  "contacts.lockBlocking",
  "checked",
  ({ ids }) => sql`
    select pg_advisory_xact_lock(hashtextextended('block ' || b.id, 0))
    from tenant t cross join unnest(${ids}::uuid[]) b (id) where t.id = ${TENANT}`,
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

/** Adds new addresses and sets the order of all of them. Those that stay keep their age, and where they are vouched for. */
export const SET_POINTS = query<{ id: string; kind: string; values: readonly string[] }>()(
  "contacts.setPoints",
  "restricted",
  ({ id, kind, values }) => sql`
    insert into contact_point (tenant_id, id, contact_id, kind, value, position, vouched_within)
    select ${TENANT}, gen_random_uuid(), ${id}, ${kind}, p.value, p.position - 1, ${SEARCHED_WORKSPACES}
    from unnest(${values}::text[]) with ordinality as p (value, position)
    on conflict (tenant_id, contact_id, kind, value) do update set position = excluded.position`,
);

/** Limits a new contact to the workspaces of whoever gave its externalId and its addresses. */
export const VOUCH_WITHIN = query<{ id: string; within: string | null }>()(
  "contacts.vouchWithin",
  "restricted",
  ({ id, within }) => sql`
    with limits as materialized (
      select case when ${within}::uuid is null then ${SEARCHED_WORKSPACES} else array[${within}::uuid] end as workspaces
    ), points as (
      update contact_point p set vouched_within = l.workspaces from limits l
      where p.tenant_id = ${TENANT} and p.contact_id = ${id}
    )
    update contact k set external_id_vouched_within = l.workspaces from limits l
    where k.tenant_id = ${TENANT} and k.id = ${id} and k.external_id is not null`,
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

/** The contact with this externalId, and whether somebody vouches for that `at` a workspace. */
export const LOCK_IDENTIFIED = query<{ externalId: string; at: string }, { id: string; isVouched: boolean }>()(
  "contacts.lockIdentified",
  BY_CHANNEL,
  ({ externalId, at }) => sql`
    select r.id, (r.external_id_vouched_within is null or ${at}::uuid = any(r.external_id_vouched_within)) as "isVouched"
    from contact r
    where r.tenant_id = ${TENANT} and r.external_id = ${externalId} for no key update`,
);

/**
 * The contact with this address: in the tenant, or of those that appear `within` a workspace. A contact that verified it comes
 * first, then the contact that had it first. `at` a workspace, an address counts that is verified, or that somebody gave who
 * reaches the workspace.
 */
export const LOCK_BY_ADDRESS = query<{ kind: string; value: string; within: string | null; at: string | null }>()(
  "contacts.lockByAddress",
  BY_CHANNEL,
  ({ kind, value, within, at }) => sql`
    select k.id, k.blocked
    from contact_point p join contact k on k.tenant_id = p.tenant_id and k.id = p.contact_id
    where p.tenant_id = ${TENANT} and p.kind = ${kind} and p.value = ${value} and ${isListed("k")}
      and (${within}::uuid is null or exists (
        select from conversation c
        where c.tenant_id = ${TENANT} and c.workspace_id = ${within}::uuid and c.contact_id = k.id
      ))
      and (${at}::uuid is null or p.verified_at is not null or p.vouched_within is null
        or ${at}::uuid = any(p.vouched_within))
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
        attributes = '{}', blocked = false, merged_into_id = null, last_seen_at = '-infinity', updated_at = now(),
        erased_at = now()
      where k.tenant_id = ${TENANT} and k.id = any(${ids}::uuid[]) and k.erased_at is null
      returning 1
    )
    select (select count(*)::int from shells) as contacts, (select count(*)::int from points) as "contactPoints"`,
);
