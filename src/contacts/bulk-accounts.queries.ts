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

/** Sets the fields of these accounts, which are locked. */
export const SET_ACCOUNTS = query<BulkSet>()(
  "accounts.setMany",
  "checked",
  (p) => sql`
    update account r set
      industry = case when ${p.setsIndustry}::boolean then ${p.industry} else r.industry end,
      plan = case when ${p.setsPlan}::boolean then ${p.plan} else r.plan end,
      updated_at = now()
    where r.tenant_id = ${TENANT} and r.id = any(${p.ids}::uuid[])
      and (${p.setsIndustry} and r.industry is distinct from ${p.industry} or ${p.setsPlan} and r.plan is distinct from ${p.plan})`,
);

/**
 * Locks the accounts. Whoever links a contact to one of them waits, and finds it gone if it was deleted. Change them in another statement:
 * this one still sees the versions from before it waited, and would lock those again, behind others who wait for it.
 */
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
