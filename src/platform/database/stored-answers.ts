import { sql, TENANT } from "./sql.js";
import { query } from "./statements.js";
import type { Tx } from "./transaction.js";

/**
 * It looks at all answers of a day. An id in JSON stands between quotes, those of a text within a text, or the signs of a URL; to find it
 * by its form takes ten times as long.
 */
const FORGET = query<{ ids: readonly string[]; before: string | null }>()(
  "storedAnswers.forget",
  { unrestricted: "an erasure or a deletion concerns every answer that names the person" },
  ({ ids, before }) => sql`
    with named as materialized (select unnest(${ids}::uuid[])::text as id)
    update idempotency_key k set response = null
    where k.tenant_id = ${TENANT} and k.response is not null and k.response not like '{"ok"%'
      and (${before}::timestamptz is null or k.created_at < ${before}) and exists (
        select from string_to_table(translate(k.response, '/?=&\\', '"""""'), '"') as value where value in (select id from named)
      )
    returning 1`,
);

/**
 * Wipes the answers that are stored for repeats and name one of these ids. A repeat of such a request is 409.
 * Acknowledgements (`{"ok": …}`) hold no personal data and stay.
 * @param before only answers of requests that began earlier
 */
export async function forgetAnswers(
  tx: Tx,
  ids: readonly string[],
  before: string | null = null,
): Promise<{ storedAnswers: number }> {
  return { storedAnswers: (await tx.query(FORGET, { ids, before })).length };
}
