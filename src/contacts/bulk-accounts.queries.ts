import { sql, TENANT } from "../platform/database/sql.js";
import { query } from "../platform/database/statements.js";
import { accountInReach, contactInReach, type Self } from "./contact-reach.js";

interface BulkSet {
  ids: readonly string[];
  setsIndustry: boolean;
  industry: string | null;
  setsPlan: boolean;
  plan: string | null;
}

/** Sets the fields of these accounts, locked in the order of their ids. @returns those within reach */
export const SET_ACCOUNTS = query<BulkSet & Self>()(
  "accounts.setMany",
  "restricted",
  (p) => sql`
    with found as materialized (
      select r.id, case when ${p.setsIndustry}::boolean then ${p.industry} else r.industry end as industry,
        case when ${p.setsPlan}::boolean then ${p.plan} else r.plan end as plan
      from account r
      where r.tenant_id = ${TENANT} and r.id = any(${p.ids}::uuid[]) and ${accountInReach(p.self)}
      order by r.id for no key update of r
    ), changed as (
      update account r set industry = f.industry, plan = f.plan, updated_at = now() from found f
      where r.tenant_id = ${TENANT} and r.id = f.id and (f.industry, f.plan) is distinct from (r.industry, r.plan)
    )
    select f.id from found f`,
);

/** Whoever links a contact to one of them waits, and finds it gone. */
export const LOCK_ACCOUNTS = query<Self & { ids: readonly string[] }>()(
  "accounts.lockMany",
  "restricted",
  ({ self, ids }) => sql`
    select r.id from account r
    where r.tenant_id = ${TENANT} and r.id = any(${ids}::uuid[]) and ${accountInReach(self)}
    order by r.id for update of r`,
);

/** The contacts of these accounts, also those that no list shows. */
export const LOCK_CONTACTS = query<Self & { ids: readonly string[]; limit: number }>()(
  "accounts.lockContacts",
  "restricted",
  ({ self, ids, limit }) => sql`
    select r.id from contact r
    where r.tenant_id = ${TENANT} and r.account_id = any(${ids}::uuid[]) and ${contactInReach("r", self)}
    order by r.id limit ${limit} for no key update of r`,
);

export const UNLINK_CONTACTS = query<{ ids: readonly string[] }>()(
  "accounts.unlinkContacts",
  "checked",
  ({ ids }) => sql`
    update contact r set account_id = null, updated_at = now()
    where r.tenant_id = ${TENANT} and r.id = any(${ids}::uuid[])`,
);
