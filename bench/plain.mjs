// What the data costs by itself: plain rows of the columns that a page shows, through the index that it reads, and bare writes.
// The columns are those of 2026-11-22. They stay as they are when the tables change, so that a page that becomes cheaper
// does not make its own measure cheaper.
import { idSql, KIND } from "./seed.mjs";

const CONVERSATION = `id, workspace_id, brand_id, channel_id, contact_id, external_id, subject, status, handling_mode, assignee_id,
  priority, labels, language, summary, message_count, unread_count, last_message_preview, last_activity_at, waiting_since,
  first_reply_at, snoozed_until, resolved_at, resolved_by, resolution, assurance_level, csat_score, pending_action_count,
  open_attention_count, previous_conversation_id, metadata, created_at, updated_at`;
const MESSAGE = `id, conversation_id, sequence, direction, author_type, author_id, body, body_format, external_id,
  client_message_id, delivery_status, citations, confidence, authentication, redacted_at, occurred_at, created_at`;
const IDENTITY_EVENT = `id, conversation_id, occurred_at, event_type, factor_category, factor_type, factor_bound_to_principal,
  scope_dimension, scope_values, evidence_ref, prompt_version, transition_key, created_at`;

/** Rows of a table in one statement, with the tenant set for row-level security, as every request of a pool's connection needs it. */
const rows = (columns, table, tenant, where, order, limit) => `
  with ctx as materialized (select set_config('app.tenant_id', ${tenant}::text, true) as tenant)
  select ${columns
    .split(",")
    .map((column) => `r.${column.trim()}`)
    .join(", ")}
  from ctx cross join lateral (
    select ${columns} from ${table} where tenant_id = ${tenant} and ${where} order by ${order} limit ${limit}
  ) r where ctx.tenant is not null`;

/** @param place a condition on the columns of the index */
export const conversations = (tenant, place, limit = 26) =>
  rows(CONVERSATION, "conversation", tenant, place, "last_activity_at desc, id desc", limit);

export const messages = (tenant, conversation, limit = 26) =>
  rows(MESSAGE, "message", tenant, `conversation_id = ${conversation}`, "sequence", limit);

export const identityEvents = (tenant, conversation, limit = 26) =>
  rows(IDENTITY_EVENT, "identity_event", tenant, `conversation_id = ${conversation}`, "occurred_at, written", limit);

/**
 * The three writes of a message with an Idempotency-Key. They run as the owner with `session_replication_role = replica`:
 * without triggers, foreign keys and row-level security.
 */
const message = (tenant, conversation, body, { change, direction, author, authorId, delivery }) => `
  with moved as (
    update conversation set last_sequence = last_sequence + 1, message_count = message_count + 1,
      last_message_preview = left(${body}, 200), last_activity_at = clock_timestamp(), updated_at = clock_timestamp(),
      ${change}
    where tenant_id = ${tenant} and id = ${conversation}
    returning last_sequence
  ), claimed as (
    insert into idempotency_key (tenant_id, fingerprint, body_hash, status, response)
    values (${tenant}, decode(md5(random()::text), 'hex'), decode(md5(random()::text), 'hex'), 200,
      repeat('x', 64))
  )
  insert into message (tenant_id, id, conversation_id, sequence, direction, author_type, author_id, body, delivery_status,
    occurred_at)
  select ${tenant}, gen_random_uuid(), ${conversation}, last_sequence, '${direction}', '${author}', ${authorId}, ${body},
    ${delivery}, clock_timestamp()
  from moved`;

export const reply = (tenant, conversation, body) =>
  message(tenant, conversation, body, {
    change: "unread_count = 0, waiting_since = null, handling_mode = 'human'",
    direction: "outbound",
    author: "api",
    authorId: idSql(KIND.key, "1001"),
    delivery: "'sent'",
  });

export const inbound = (tenant, conversation, body) =>
  message(tenant, conversation, body, {
    change:
      "unread_count = unread_count + 1, waiting_since = coalesce(waiting_since, clock_timestamp()), status = 'open'",
    direction: "inbound",
    author: "contact",
    authorId: "null",
    delivery: "null",
  });
