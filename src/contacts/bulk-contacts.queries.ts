import { literal, sql, TENANT } from "../platform/database/sql.js";
import { query } from "../platform/database/statements.js";
import { isVisible, type Self } from "./contact-reach.js";
import { MAX_LABELS } from "./contacts.dto.js";

interface BulkChange {
  ids: readonly string[];
  add: readonly string[];
  remove: readonly string[];
  links: boolean;
  accountId: string | null;
  /** Null leaves it as it is. */
  blocked: boolean | null;
}

/** Changes these contacts, locked in the order of their ids, and says of each what kept it from being changed. */
export const CHANGE_CONTACTS = query<
  BulkChange & Self,
  { id: string; found: boolean; mergedIntoId: string | null; tooMany: boolean }
>()(
  "contacts.changeMany",
  "restricted",
  (p) => sql`
    with given as (
      select distinct unnest(${p.ids}::uuid[]) as id
    ), found as materialized (
      select r.id, r.merged_into_id, r.labels, r.account_id, r.blocked from contact r
      where r.tenant_id = ${TENANT} and r.id = any(${p.ids}::uuid[]) and ${isVisible(p.self)}
      order by r.id for no key update of r
    ), planned as materialized (
      select f.id, f.merged_into_id,
        array(
          select l from unnest(f.labels) with ordinality o (l, n) where not (l = any(${p.remove}::text[])) order by n
        ) || array(
          select l from unnest(${p.add}::text[]) with ordinality o (l, n) where not (l = any(f.labels)) order by n
        ) as labels,
        case when ${p.links}::boolean then ${p.accountId}::uuid else f.account_id end as account_id,
        case when ${p.blocked}::boolean is null then f.blocked else ${p.blocked}::boolean end as blocked,
        -- A merge may have left it with more.
        greatest(cardinality(f.labels), ${literal(String(MAX_LABELS))}::int) as most
      from found f
    ), changed as (
      update contact r set labels = n.labels, account_id = n.account_id, blocked = n.blocked, updated_at = now()
      from planned n
      where r.tenant_id = ${TENANT} and r.id = n.id and n.merged_into_id is null
        and cardinality(n.labels) <= n.most
        and (n.labels, n.account_id, n.blocked) is distinct from (r.labels, r.account_id, r.blocked)
    )
    select g.id, n.id is not null as found, n.merged_into_id as "mergedIntoId",
      coalesce(cardinality(n.labels) > n.most, false) as "tooMany"
    from given g left join planned n on n.id = g.id
    order by g.id`,
);
