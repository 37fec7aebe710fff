import { literal, type Parameters, type Sql, sql, TENANT } from "../platform/database/sql.js";
import { query } from "../platform/database/statements.js";
import { isVisible, type Self } from "./contact-reach.js";
import { MAX_LABELS } from "./contacts.dto.js";

interface BulkChange {
  ids: readonly string[];
  add: readonly string[];
  remove: readonly string[];
}

/** The labels of a contact `r` after the change. */
const labelsAfter = ({ add, remove }: Pick<Parameters<BulkChange>, "add" | "remove">): Sql => sql`
  array(
    select l from unnest(r.labels) with ordinality o (l, n) where not (l = any(${remove}::text[])) order by n
  ) || array(
    select l from unnest(${add}::text[]) with ordinality o (l, n) where not (l = any(r.labels)) order by n
  )`;

/**
 * Locks the contacts, and says of each what keeps it from being changed. Change them in another statement: this one still sees the
 * versions from before it waited, and would lock those again, behind others who wait for it.
 */
export const LOCK_CONTACTS_TO_CHANGE = query<
  BulkChange & Self,
  { id: string; mergedIntoId: string | null; tooMany: boolean }
>()(
  "contacts.lockMany",
  "restricted",
  (p) => sql`
    select r.id, r.merged_into_id as "mergedIntoId",
      -- A merge may have left it with more.
      cardinality(${labelsAfter(p)}) > greatest(cardinality(r.labels), ${literal(String(MAX_LABELS))}::int) as "tooMany"
    from contact r
    where r.tenant_id = ${TENANT} and r.id = any(${p.ids}::uuid[]) and ${isVisible(p.self)}
    order by r.id for no key update of r`,
);

interface ContactsChange extends BulkChange {
  links: boolean;
  accountId: string | null;
  /** Null leaves it as it is. */
  blocked: boolean | null;
}

/** Changes these contacts, which are locked. */
export const CHANGE_CONTACTS = query<ContactsChange>()(
  "contacts.changeMany",
  "checked",
  (p) => sql`
    update contact r set labels = n.labels, account_id = n.account_id, blocked = n.blocked, updated_at = now()
    from (
      select r.id, ${labelsAfter(p)} as labels,
        case when ${p.links}::boolean then ${p.accountId}::uuid else r.account_id end as account_id,
        coalesce(${p.blocked}::boolean, r.blocked) as blocked
      from contact r where r.tenant_id = ${TENANT} and r.id = any(${p.ids}::uuid[])
    ) n
    where r.tenant_id = ${TENANT} and r.id = n.id
      and (n.labels, n.account_id, n.blocked) is distinct from (r.labels, r.account_id, r.blocked)`,
);
