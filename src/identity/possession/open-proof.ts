import { type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";

/** The conversation `c` of a link or code, its contact `k`, workspace `w` and brand `b`, and the settings `s`. */
export const SURROUNDINGS = sql`
  conversation c
  join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
  join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
  join brand b on b.tenant_id = ${TENANT} and b.id = w.brand_id
  left join identity_settings s on s.tenant_id = ${TENANT} and s.workspace_id = w.id`;

/** The link or code `l` can be used now. The address that it was sent to must still be the same contact's. */
export const isOpen = (factorType: Parameter | Sql): Sql => sql`
  l.redeemed_at is null and l.replaced_at is null and l.expires_at > clock_timestamp()
  and l.contact_id = c.contact_id and c.redacted_at is null
  and k.erased_at is null and k.deleted_at is null and k.merged_into_id is null
  and w.status <> 'archived' and (s.allowed_factors is null or ${factorType} = any(s.allowed_factors))
  and exists (
    select from contact_point p
    where p.tenant_id = ${TENANT} and p.id = l.point_id and p.contact_id = l.contact_id
  )`;

const OWN_CONTACT = { unrestricted: "the contact's link or code was found, and names its address" };

/**
 * Keeps the address on its contact until the transaction ends, and keeps other contacts from proving the same address
 * meanwhile.
 */
const LOCK_ADDRESS = query<{ pointId: string }>()(
  "possession.lockAddress",
  OWN_CONTACT,
  ({ pointId }) => sql`
    select pg_advisory_xact_lock(
      hashtextextended('address ' || ${TENANT}::text || ' ' || held.kind || ' ' || held.value, 0))
    from (
      select p.kind, p.value from contact_point p
      where p.tenant_id = ${TENANT} and p.id = ${pointId}
      for no key update
    ) held`,
);

/** A proven address belongs to one contact. It stays with the one that proved it first. */
const PROVE_ADDRESS = query<{ pointId: string }>()(
  "possession.proveAddress",
  OWN_CONTACT,
  ({ pointId }) => sql`
    update contact_point p set verified_at = clock_timestamp()
    where p.tenant_id = ${TENANT} and p.id = ${pointId} and p.verified_at is null
      and not exists (
        select from contact_point o
        where o.tenant_id = ${TENANT} and o.kind = p.kind and o.value = p.value and o.verified_at is not null
      )
    returning 1`,
);

/** Call it before you redeem. If the address is being removed, this waits for that. */
export async function lockAddress(tx: Tx, pointId: string): Promise<void> {
  await tx.query(LOCK_ADDRESS, { pointId });
}

/** Marks the address as verified. Lock it first. */
export async function proveAddress(tx: Tx, pointId: string): Promise<void> {
  const proven = await tx.query(PROVE_ADDRESS, { pointId });
  // The contact is shown in every workspace that it appears in.
  if (proven.length) tx.changesTenant();
}
