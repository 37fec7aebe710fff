import type { Tx } from "./transaction.js";

const UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/**
 * Wipes the answers kept for retries that name one of these ids: a repeat of such a request is 409. Acknowledgements hold
 * nothing of anybody and stay.
 * @param before only answers of requests that began earlier
 */
export async function forgetAnswers(
  tx: Tx,
  ids: readonly string[],
  before: string | null = null,
): Promise<{ storedAnswers: number }> {
  const wiped = await tx.query(
    `with named as materialized (select unnest(:ids::uuid[])::text as id)
    update idempotency_key k set response = null
    where k.tenant_id = :tenant and k.response is not null and k.response not like '{"ok"%' and (:before::timestamptz is null or k.created_at < :before)
      and exists (select from regexp_matches(k.response, '(${UUID})', 'g') as m where m[1] in (select id from named)) returning 1`,
    { ids, before },
  );
  return { storedAnswers: wiped.length };
}
