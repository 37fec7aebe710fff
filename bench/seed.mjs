// Rows for the benchmarks, the same at every run: ids are made from numbers, so that pgbench can name them too.
import { crc32 } from "node:zlib";

/** Of the servers that are measured. */
export const SECRET_KEY = "a secret for benchmarks, 32 characters or more";

export const TENANTS = 50;
export const BRANDS = 100;
export const WORKSPACES = 300;
const BATCH = 100_000;

/** The SQL for the id of row `n` of a kind, and the same in JavaScript. */
export const idSql = (kind, n) => `('${kind}0000000-0000-7000-8000-' || lpad(to_hex((${n})::int), 12, '0'))::uuid`;
export const id = (kind, n) => `${kind}0000000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
export const KIND = {
  tenant: 1,
  brand: 2,
  workspace: 3,
  channel: 4,
  contact: 5,
  conversation: 6,
  message: 7,
  event: 8,
  key: 9,
};

const brandOf = (workspace) => `((${workspace} - 1) / 3 + 1)`;
export const tenantOf = (workspace) => `((${workspace} - 1) / 6 + 1)`;

/** A number for row `n` that is the same at every run. */
const spread = (salt) => `(hashint4(n + ${salt}) & 2147483647)`;

/** A raw key with the checksum that real ones have. */
export function rawKey(level, n) {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const unsigned = `svc_live_v1_${`bench${level}${String(n).padStart(4, "0")}`.padEnd(30, "0")}`;
  let rest = crc32(unsigned);
  let digits = "";
  for (let i = 0; i < 6; i++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return unsigned + digits;
}

/** @param sizes {conversations, events} */
export async function seed(client, sizes, log, prepare) {
  const {
    rows: [done],
  } = await client.query(`select to_regclass('bench_done') is not null as done`);
  if (done.done) return;
  const i = (kind, n) => idSql(KIND[kind], n);
  log("tenants, workspaces, contacts");
  await client.query(
    `insert into tenant (id, organisation_id, environment, name) select ${i("tenant", "n")}, ${i("tenant", "n")}, 'live', 'Tenant ' || n from generate_series(1, ${TENANTS}) n`,
  );
  await client.query(
    `insert into brand (tenant_id, id, name) select ${i("tenant", "((n - 1) / 2 + 1)")}, ${i("brand", "n")}, 'Brand ' || n from generate_series(1, ${BRANDS}) n`,
  );
  await client.query(
    `insert into workspace (tenant_id, id, brand_id, name) select ${i("tenant", tenantOf("n"))}, ${i("workspace", "n")}, ${i("brand", brandOf("n"))}, 'Workspace ' || n from generate_series(1, ${WORKSPACES}) n`,
  );
  await client.query(
    `insert into channel (tenant_id, id, workspace_id, type, name) select ${i("tenant", tenantOf("n"))}, ${i("channel", "n")}, ${i("workspace", "n")}, 'api', 'API' from generate_series(1, ${WORKSPACES}) n`,
  );
  // Builds from before this column know such channels by their type.
  const { rowCount: hasFetched } = await client.query(
    "select from information_schema.columns where table_name = 'channel' and column_name = 'fetched'",
  );
  if (hasFetched) await client.query("update channel set fetched = true");
  await client.query(
    `insert into contact (tenant_id, id, name) select ${i("tenant", "(n % " + TENANTS + " + 1)")}, ${i("contact", "n")}, 'Contact ' || n from generate_series(0, ${TENANTS * 1_000 - 1}) n`,
  );
  // Triggers make these copies, and are off while the rows go in. Builds from before do not have them.
  const { rowCount: hasCopies } = await client.query(
    "select from information_schema.columns where table_name = 'conversation' and column_name = 'channel_type'",
  );
  const copies = hasCopies ? { column: ", channel_type", value: ", 'api'" } : { column: "", value: "" };
  const putBack = await withoutChecks(client);
  for (let from = 1; from <= sizes.conversations; from += BATCH) {
    log(`conversations ${from - 1} of ${sizes.conversations}`);
    // Spread over workspaces, contacts, states and assignees by hashes, each independent of the others, and over a year by number.
    await client.query(`insert into conversation (tenant_id, id, workspace_id, brand_id, channel_id, contact_id, subject, status, assignee_id, labels, message_count, last_sequence, last_message_preview, last_activity_at, created_at, updated_at${copies.column})
      select ${i("tenant", tenantOf("w"))}, ${i("conversation", "n")}, ${i("workspace", "w")}, ${i("brand", brandOf("w"))}, ${i("channel", "w")},
        ${i("contact", `(${spread(17)} % 1000 * ${TENANTS} + ${tenantOf("w")} - 1)`)}, 'Conversation ' || n, (array['open', 'open', 'pending', 'snoozed', 'resolved', 'resolved', 'resolved', 'resolved', 'resolved', 'resolved'])[${spread(11)} % 10 + 1],
        case when ${spread(13)} % 3 = 0 then ${i("key", `(${spread(19)} % 20 + 1)`)} end,
        case when ${spread(23)} % 20 = 0 then array['vip'] else '{}' end, 10, 10, 'The beginning of the newest message of conversation ' || n, t, t, t${copies.value}
      from (select n, (hashint4(n) & 2147483647) % ${WORKSPACES} + 1 as w, timestamptz '2026-01-01' + n * interval '1 year' / ${sizes.conversations} as t from generate_series(${from}, ${from + BATCH - 1}) n) s`);
  }
  // The trigger that keeps these is off with the checks.
  await client.query(`insert into conversation_label (tenant_id, conversation_id, label, workspace_id, last_activity_at)
    select tenant_id, id, unnest(labels), workspace_id, last_activity_at from conversation where labels <> '{}'`);
  const perConversation = 20;
  for (let from = 1; from <= sizes.events; from += BATCH * 5) {
    log(`identity events ${from - 1} of ${sizes.events}`);
    await client.query(`insert into identity_event (tenant_id, id, workspace_id, conversation_id, occurred_at, event_type, factor_category, factor_bound_to_principal, evidence_ref, transition_key)
      select c.tenant_id, ${i("event", "e")}, c.workspace_id, c.id, c.last_activity_at + (e % ${perConversation}) * interval '1 second', 'kbv_question_asked', 'knowledge', c.contact_id, 'tool:contact_attributes', e::text
      from generate_series(${from}, ${from + BATCH * 5 - 1}) e join conversation c on c.id = ${i("conversation", `(e - 1) / ${perConversation} + 1`)}
        and c.tenant_id = ${i("tenant", tenantOf(`((hashint4((e - 1) / ${perConversation} + 1) & 2147483647) % ${WORKSPACES} + 1)`))}`);
  }
  await putBack(log);
  await prepare?.(client);
  log("statistics");
  await client.query("vacuum analyze");
  await client.query("checkpoint");
  await client.query("create table bench_done ()");
}

/** Millions of rows go in without indexes and foreign keys; the indexes are made afterwards. The rows are right by construction. */
async function withoutChecks(client) {
  const { rows } =
    await client.query(`select indexname as name, indexdef as def from pg_indexes where tablename in ('conversation', 'conversation_label', 'identity_event')
    and indexname not in (select conname from pg_constraint) order by 1`);
  await client.query(
    `set session_replication_role = replica; set maintenance_work_mem = '1GB'; set work_mem = '256MB'`,
  );
  for (const { name } of rows) await client.query(`drop index "${name}"`);
  return async (log) => {
    for (const { name, def } of rows) {
      log(`index ${name}`);
      await client.query(def);
    }
    await client.query("reset all");
  };
}

/** A key for each workspace, brand and tenant. */
export async function seedKeys(client) {
  if ((await client.query("select from api_key limit 1")).rowCount) return;
  // Here, because tests read what this file exports, and they run without a build.
  const { hashApiKey } = await import("../dist/src/auth/api-keys/api-key.js");
  const keys = [];
  for (let n = 1; n <= WORKSPACES; n++) {
    keys.push(["w", n, Math.ceil(n / 6), null, id(KIND.workspace, n)]);
    if (n <= BRANDS) keys.push(["b", n, Math.ceil(n / 2), id(KIND.brand, n), null]);
    if (n <= TENANTS) keys.push(["t", n, n, null, null]);
  }
  let serial = 1_000;
  for (const [level, n, tenant, brand, workspace] of keys) {
    const keyId = id(KIND.key, ++serial);
    const raw = rawKey(level, n);
    await client.query(
      "insert into api_key (tenant_id, id, name, prefix, scopes, brand_id, workspace_id) values ($1, $2, $3, $4, $5, $6, $7)",
      [
        id(KIND.tenant, tenant),
        keyId,
        `bench ${level}${n}`,
        raw.slice(0, 16),
        ["conversations:read", "conversations:write"],
        brand,
        workspace,
      ],
    );
    await client.query("insert into api_key_lookup (hash, tenant_id, api_key_id) values (decode($1, 'hex'), $2, $3)", [
      hashApiKey(raw),
      id(KIND.tenant, tenant),
      keyId,
    ]);
  }
}
