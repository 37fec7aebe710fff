import { sql, TENANT } from "../platform/database/sql.js";
import { query } from "../platform/database/statements.js";
import { isVisible, type Self } from "./contact-reach.js";

interface Pair {
  /** The contact that survives. */
  id: string;
  source: string;
}

/** What is linked to an account locks it first, and so does what deletes it: the survivor may take over the other's. */
export const LOCK_ACCOUNTS_OF_BOTH = query<Pair & Self>()(
  "contacts.lockAccountsOfBoth",
  "restricted",
  ({ id, source, self }) => sql`
    select a.id from account a
    where a.tenant_id = ${TENANT} and a.id in (
      select r.account_id from contact r
      where r.tenant_id = ${TENANT} and r.id in (${id}, ${source}) and ${isVisible(self)})
    order by a.id for key share of a`,
);

export const LOCK_BOTH = query<Pair & Self>()(
  "contacts.lockBoth",
  "restricted",
  ({ id, source, self }) => sql`
    select r.id, r.external_id as "externalId", r.merged_into_id as "mergedIntoId" from contact r
    where r.tenant_id = ${TENANT} and r.id in (${id}, ${source}) and ${isVisible(self)}
    order by r.id for update of r`,
);

const BOTH_LOCKED = {
  unrestricted: "both contacts were found within reach and locked, whatever workspaces they were seen in",
};

/** Contacts that were merged into the source before name the survivor too, so that every chain has one step. */
export const POINT_TO_SURVIVOR = query<Pair>()(
  "contacts.pointToSurvivor",
  BOTH_LOCKED,
  ({ id, source }) => sql`
    update contact k set merged_into_id = ${id}, updated_at = now(),
      external_id = case when k.id = ${source} then null else k.external_id end, account_id = null
    where k.tenant_id = ${TENANT} and (k.id = ${source} or k.merged_into_id = ${source})`,
);

export const ABSORB = query<Pair & { externalId: string | null; accountId: string | null }>()(
  "contacts.absorb",
  BOTH_LOCKED,
  ({ id, source, externalId, accountId }) => sql`
    update contact t set external_id = coalesce(t.external_id, ${externalId}),
      external_id_vouched_within = case when t.external_id is null then s.external_id_vouched_within else t.external_id_vouched_within end,
      name = coalesce(t.name, s.name),
      language = coalesce(t.language, s.language), account_id = coalesce(t.account_id, ${accountId}::uuid),
      labels = t.labels || array(
        select l from unnest(s.labels) with ordinality as o (l, n) where not (l = any(t.labels)) order by n
      ),
      attributes = s.attributes || t.attributes, blocked = t.blocked or s.blocked,
      last_seen_at = greatest(t.last_seen_at, s.last_seen_at), updated_at = now()
    from contact s
    where t.tenant_id = ${TENANT} and t.id = ${id} and s.tenant_id = ${TENANT} and s.id = ${source}`,
);

export const MERGE_DOUBLE_POINTS = query<Pair>()(
  "contacts.mergeDoublePoints",
  BOTH_LOCKED,
  ({ id, source }) => sql`
    with doubled as (
      delete from contact_point s using contact_point t
      where s.tenant_id = ${TENANT} and s.contact_id = ${source} and t.tenant_id = ${TENANT} and t.contact_id = ${id}
        and t.kind = s.kind and t.value = s.value
      returning s.kind, s.value, s.verified_at, s.vouched_within
    )
    update contact_point t set verified_at = coalesce(t.verified_at, d.verified_at), vouched_within = case
        when t.vouched_within is not null and d.vouched_within is not null then t.vouched_within || d.vouched_within end
    from doubled d
    where t.tenant_id = ${TENANT} and t.contact_id = ${id} and t.kind = d.kind and t.value = d.value`,
);

/** An address that comes by a merge is as new to the survivor as one that was just added. */
export const MOVE_POINTS = query<Pair>()(
  "contacts.movePoints",
  BOTH_LOCKED,
  ({ id, source }) => sql`
    update contact_point p set contact_id = ${id}, added_at = clock_timestamp(), original = false, position = p.position + 1 + coalesce((
      select max(t.position) from contact_point t where t.tenant_id = ${TENANT} and t.contact_id = ${id}
    ), -1)
    where p.tenant_id = ${TENANT} and p.contact_id = ${source}`,
);
