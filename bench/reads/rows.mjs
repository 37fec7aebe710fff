// The rows of the part `reads`: two tenants with the same numbers of rows, of which the first is asked.
import { SessionTokens } from "../../dist/src/auth/sessions/session-tokens.js";
import { publicKeyOf } from "../../dist/src/channels/webchat/public-key.js";
import { WebchatSessionTokens } from "../../dist/src/channels/webchat/webchat-session-tokens.js";
import { SurveyLinks } from "../../dist/src/quality/csat/survey/survey-links.js";
import { Sealer } from "../../dist/src/platform/database/seal.js";
import { hashApiKey } from "../../dist/src/auth/api-keys/api-key.js";
import { SCOPES } from "../../dist/src/platform/caller/scope.js";
import { id, idSql, KIND, rawKey, SECRET_KEY } from "../seed.mjs";
import {
  ACCOUNTS,
  AGENTS,
  CALENDARS,
  CHANNELS,
  CONNECTIONS,
  EACH,
  ERASURES,
  MEMBERS,
  ownerId,
  ROW,
  TENANTS,
  tenantId,
  TEST_SIDE,
  WORKSPACES,
} from "./sizes.mjs";

/** Of the owner of the first tenant. */
const sessionId = id(ROW.other, 1);
const DAY = "2026-11-01";

/** A number for row `n` that is the same at every run. */
const h = (salt) => `(hashint4(n + ${salt}) & 2147483647)`;
const one = (of, salt) => `(array['${of.join("','")}'])[${h(salt)} % ${of.length} + 1]`;
const at = `timestamptz '${DAY}' - (1000000 - n) * interval '1 minute'`;
const tenant = idSql(KIND.tenant, "t");
const row = (n = "n") => idSql(ROW.other, n);
const workspace = (n) => idSql(KIND.workspace, `(t - 1) * ${WORKSPACES} + (${n}) % ${WORKSPACES} + 1`);
const conversation = (n = "n") => idSql(KIND.conversation, n);
const contact = (n = "n") => idSql(KIND.contact, n);
const member = (n) => idSql(ROW.member, n);

/**
 * What is inserted, in order: the table, how many rows each tenant gets, and the columns with the SQL that makes row `n` of
 * tenant `t`. A day's work of a tenant would write them one by one; their columns are what the answers show.
 */
const tables = (size) => [
  ["signing_key", 1, { tenant_id: tenant, id: row(), public_key: "'a key'", sealed: "'x'" }],
  [
    "member",
    MEMBERS,
    {
      organisation_id: tenant,
      id: member("n"),
      email: "'member' || n || '@example.com'",
      name: "'Member Number' || n",
      role: "case when n = 1 then 'owner' when n % 10 = 0 then 'admin' else 'agent' end",
      last_seen_at: at,
      created_at: at,
    },
  ],
  [
    "member_workspace",
    MEMBERS * 3,
    {
      tenant_id: tenant,
      member_id: member("(n - 1) / 3 + 1"),
      workspace_id: workspace("(n - 1) % 3 + (n - 1) / 3"),
      organisation_id: tenant,
    },
  ],
  [
    "member_session",
    MEMBERS * 50,
    {
      organisation_id: tenant,
      id: row(),
      member_id: member(`(n - 1) % ${MEMBERS} + 1`),
      environment: "'live'",
      device: "'Firefox on Linux'",
      address: "'192.0.2.1'",
      network: "'192.0.2.0'",
      rotated_at: at,
      last_used_at: at,
      created_at: at,
      expires_at: "'2099-01-01'",
      ended_at: `case when n > ${MEMBERS * 10} then ${at} end`,
    },
  ],
  [
    "second_factor",
    MEMBERS * 2,
    {
      organisation_id: tenant,
      id: row(),
      member_id: member("(n - 1) / 2 + 1"),
      type: "'passkey'",
      name: "'Key ' || n",
      credential_id: "'credential ' || n",
      public_key: "'a key'",
      confirmed_at: at,
      created_at: at,
    },
  ],
  [
    "recovery_code",
    MEMBERS * 10,
    { organisation_id: tenant, member_id: member("(n - 1) / 10 + 1"), hash: "'hash ' || n" },
  ],
  [
    "security_event",
    size,
    {
      tenant_id: tenant,
      id: row(),
      at,
      type: one(["signed_in", "sign_in_failed", "new_device", "session_ended", "password_changed"], 1),
      actor_kind: "'member'",
      actor_id: member(`${h(3)} % ${MEMBERS} + 1`),
      member_id: member(`${h(5)} % ${MEMBERS} + 1`),
      address: "'192.0.2.1'",
      user_agent: "'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'",
      detail: `'{"device": "Firefox on Linux"}'`,
    },
  ],
  [
    "audit_entry",
    size,
    {
      tenant_id: tenant,
      id: row(),
      at,
      actor_kind: "'member'",
      actor_id: member(`${h(3)} % ${MEMBERS} + 1`),
      action: "'Messages.send'",
      change: one(["created", "updated"], 7),
      resource_type: one(["message", "message", "message", "contact", "conversation", "kbEntry"], 5),
      resource_id: contact(`${h(7)} % (${size} / ${EACH}) + 1`),
      workspace_id: workspace("n"),
      conversation_id: conversation(),
      fields: "'{subject,status}'",
    },
  ],
  [
    "account",
    ACCOUNTS,
    {
      tenant_id: tenant,
      id: row(),
      external_id: "'ACC-' || n",
      name: "'Company ' || n",
      domains: "array['company' || n || '.example']",
      industry: "'Retail'",
      plan: "'pro'",
      attributes: `'{"tier": "gold"}'`,
      created_at: at,
      updated_at: at,
    },
  ],
  [
    "contact",
    size,
    {
      tenant_id: tenant,
      id: contact(),
      external_id: "'CRM-' || n",
      name: "'Contact Number' || n",
      language: "'en'",
      account_id: row(`n % ${ACCOUNTS} + 1`),
      labels: "'{vip}'",
      attributes: `'{"city": "Bremen", "since": 2019}'`,
      last_seen_at: at,
      created_at: at,
      updated_at: at,
    },
  ],
  [
    "contact_point",
    size * 2,
    {
      tenant_id: tenant,
      id: row(),
      contact_id: contact("(n - 1) / 2 + 1"),
      kind: "case n % 2 when 1 then 'email' else 'phone' end",
      value: "case n % 2 when 1 then 'contact' || n || '@example.com' else '+49' || 300000000 + n end",
      position: "0",
    },
  ],
  [
    "contact_workspace",
    size,
    {
      tenant_id: tenant,
      contact_id: contact(),
      workspace_id: workspace("n"),
      contact_created_at: at,
      contact_last_seen_at: at,
      contact_sort_name: "'contact number' || lpad(n::text, 9, '0')",
    },
  ],
  [
    "conversation",
    size,
    {
      tenant_id: tenant,
      id: conversation(),
      workspace_id: workspace("n"),
      brand_id: idSql(KIND.brand, `(t - 1) * 2 + (n % ${WORKSPACES}) / 3 + 1`),
      channel_id: row(`n % ${CHANNELS} + 1`),
      contact_id: contact(),
      subject: "'Conversation ' || n",
      status: one(["open", "pending", "resolved", "resolved"], 11),
      assignee_id: `case when n % 3 = 0 then ${member(`${h(13)} % ${MEMBERS} + 1`)} end`,
      message_count: "26",
      last_sequence: "26",
      last_message_preview: "'The beginning of the newest message of conversation ' || n",
      last_activity_at: at,
      created_at: at,
      updated_at: at,
    },
  ],
  [
    "message",
    size,
    {
      tenant_id: tenant,
      id: row(),
      conversation_id: conversation(`(n - 1) / ${EACH} + 1`),
      sequence: `(n - 1) % ${EACH} + 1`,
      direction: "case n % 2 when 1 then 'inbound' else 'outbound' end",
      author_type: "case n % 2 when 1 then 'contact' else 'member' end",
      author_id: member("1"),
      body: "'Message ' || n || ', which is as long as messages often are: about a hundred characters, or a few more.'",
      delivery_status: "'delivered'",
      occurred_at: at,
      created_at: at,
    },
  ],
  [
    "attachment",
    size,
    {
      tenant_id: tenant,
      id: row(),
      file_name: "'file' || n || '.png'",
      content_type: "'image/png'",
      size: "12345",
      width: "640",
      height: "480",
      conversation_id: conversation(`(n - 1) / ${EACH} + 1`),
      message_id: row(),
      position: "0",
      created_at: at,
    },
  ],
  ["attachment_usage", 1, { tenant_id: tenant, bytes: "123456789" }],
  [
    "attention_item",
    size,
    {
      tenant_id: tenant,
      id: row(),
      workspace_id: workspace("n"),
      conversation_id: conversation(),
      type: one(["handoff_requested", "approval_required", "low_confidence", "csat_low"], 1),
      severity: one(["low", "medium", "high"], 3),
      reason: "'The contact asked for a person'",
      status: "case when n % 10 = 0 then 'open' else 'resolved' end",
      resolved_by: `case when n % 10 > 0 then ${member("1")} end`,
      resolved_at: `case when n % 10 > 0 then ${at} end`,
      created_at: at,
    },
  ],
  [
    "bulk_action",
    40,
    {
      tenant_id: tenant,
      id: row(),
      author_kind: "'member'",
      author_id: member("1"),
      action: `'{"type": "read"}'`,
      total: "0",
    },
  ],
  ["label", 40, { tenant_id: tenant, id: row(), name: "'Label ' || n" }],
  [
    "case_type",
    20,
    {
      tenant_id: tenant,
      id: row(),
      key: "'type-' || n",
      name: "'Type ' || n",
      fields: `'[{"key": "order", "label": "Order", "type": "text"}]'`,
    },
  ],
  [
    "support_case",
    size,
    {
      tenant_id: tenant,
      id: row(),
      workspace_id: workspace("n"),
      number: "n",
      type_id: row("n % 20 + 1"),
      title: "'Case ' || n",
      status: one(["submitted", "in_progress", "resolved", "resolved"], 11),
      contact_id: contact(`n % (${size} / ${EACH}) + 1`),
      assignee_id: member(`${h(13)} % ${MEMBERS} + 1`),
      fields: `'{"order": "4711"}'`,
      created_at: at,
      updated_at: at,
    },
  ],
  ["case_conversation", size, { tenant_id: tenant, case_id: row(), conversation_id: conversation() }],
  [
    "case_event",
    size,
    {
      tenant_id: tenant,
      id: row(),
      case_id: row(`(n - 1) / ${EACH} + 1`),
      type: "'status'",
      actor_kind: "'member'",
      actor_id: member("1"),
      before: `'"submitted"'`,
      after: `'"in_progress"'`,
      occurred_at: at,
    },
  ],
  ...["kb_entry", "policy_entry"].map((table) => [
    table,
    size,
    {
      tenant_id: tenant,
      id: row(),
      workspace_id: workspace("n"),
      status: "case when n % 10 = 0 then 'pending' when n % 10 = 1 then 'archived' else 'approved' end",
      version: "11",
      ...(table === "kb_entry"
        ? {
            question: "'How do I change the address of order ' || n || '?'",
            answer: "'Open the order, choose Address, and enter the new one. It works until the parcel has left.'",
            alternate_questions: "array['Where do I change the address?', 'Can I still change where it goes?']",
            language: "'en'",
            labels: "'{orders}'",
          }
        : {
            title: "'Refunds over ' || n",
            rule: "'A person decides about refunds above this sum.'",
            category: "'refunds'",
            effect: "'require_approval'",
            tools: "'{refund}'",
          }),
      created_at: at,
      updated_at: at,
    },
  ]),
  ...["kb_entry_version", "policy_entry_version"].map((table) => [
    table,
    size,
    {
      tenant_id: tenant,
      entry_id: row("(n - 1) / 10 + 1"),
      version: "(n - 1) % 10 + 1",
      content:
        table === "kb_entry_version"
          ? `jsonb_build_object('question', 'How ' || n || '?', 'answer', 'So.', 'alternateQuestions', array['And how?'], 'labels', '[]'::jsonb, 'validUntil', null)`
          : `jsonb_build_object('title', 'Refunds', 'rule', 'A person decides.', 'category', 'refunds', 'effect', 'deny', 'tools', '[]'::jsonb, 'conditions', null, 'requiredAssuranceLevel', null, 'priority', 100, 'validUntil', null)`,
      changed_by: member("1"),
      reason: "'A better answer'",
      created_at: at,
    },
  ]),
  [
    "agent",
    AGENTS,
    {
      tenant_id: tenant,
      id: row(),
      kind: "'custom'",
      name: "'Agent ' || n",
      role: "'support'",
      instructions: "'Be kind, and answer from the knowledge base.'",
      tools: "'{refund}'",
      created_at: at,
    },
  ],
  ["agent_workspace", AGENTS, { tenant_id: tenant, agent_id: row(), workspace_id: workspace("n") }],
  [
    "agent_instructions",
    AGENTS * EACH,
    {
      tenant_id: tenant,
      agent_id: row(`(n - 1) / ${EACH} + 1`),
      version: `(n - 1) % ${EACH} + 1`,
      instructions: "'Be kind, and answer from the knowledge base.'",
      changed_by: member("1"),
      reason: "'Kinder'",
      created_at: at,
    },
  ],
  [
    "channel",
    CHANNELS,
    {
      tenant_id: tenant,
      id: row(),
      workspace_id: workspace("n"),
      type: "case when n <= 6 then 'webchat' else 'api' end",
      name: "'Channel ' || n",
      settings: `'{"color": "#0000ff"}'`,
      created_at: at,
    },
  ],
  [
    "widget",
    CHANNELS * 2,
    {
      tenant_id: tenant,
      id: row(),
      workspace_id: workspace("n / 2"),
      kind: "case n % 2 when 0 then 'kb' else 'contact_form' end",
      channel_id: `case n % 2 when 1 then ${row("1")} end`,
      name: "'Widget ' || n",
      public_key: "'wgt_' || lpad((t * 1000 + n)::text, 24, '0')",
      settings: `'{"title": "Questions?", "color": "#0000ff"}'`,
      created_at: at,
    },
  ],
  [
    "widget_lookup",
    CHANNELS * 2,
    { public_key: "'wgt_' || lpad((t * 1000 + n)::text, 24, '0')", tenant_id: tenant, widget_id: row() },
  ],
  [
    "webchat_session",
    size,
    {
      tenant_id: tenant,
      id: row(),
      channel_id: row("n % 6 + 1"),
      visitor_id: row(),
      contact_id: contact(`(n - 1) / ${EACH} + 1`),
      rotated_at: "'2099-01-01'",
      confirmed_at: "'2099-01-01'",
    },
  ],
  ["webchat_thread", `${size} / ${EACH}`, { tenant_id: tenant, conversation_id: conversation(), visitor_id: row() }],
  [
    "calendar_connection",
    CONNECTIONS,
    {
      tenant_id: tenant,
      id: row(),
      workspace_id: workspace("n"),
      provider: "'caldav'",
      server_url: "'https://calendar.example/'",
      account_email: "'desk' || n || '@example.com'",
      next_retry_at: "null",
      last_synced_at: at,
      created_at: at,
    },
  ],
  [
    "calendar",
    CALENDARS,
    {
      tenant_id: tenant,
      id: row(),
      workspace_id: workspace("(n - 1) / 4 + 1"),
      connection_id: row("(n - 1) / 4 + 1"),
      url: "'https://calendar.example/' || n",
      name: "'Calendar ' || n",
      timezone: "'Europe/Berlin'",
      is_primary: "n % 4 = 1",
      known_until: "'2099-01-01'",
    },
  ],
  [
    "calendar_event",
    size,
    { tenant_id: tenant, calendar_id: row(`n % ${CALENDARS} + 1`), resource: "'event' || n", etag: "'1'" },
  ],
  [
    "calendar_busy",
    size,
    {
      tenant_id: tenant,
      calendar_id: row(`n % ${CALENDARS} + 1`),
      resource: "'event' || n",
      starts_at: `timestamptz '2026-11-02' + (n / ${CALENDARS}) * interval '5 hours'`,
      ends_at: `timestamptz '2026-11-02 01:00' + (n / ${CALENDARS}) * interval '5 hours'`,
    },
  ],
  [
    "booking",
    size,
    {
      tenant_id: tenant,
      id: row(),
      workspace_id: workspace(`(n % ${CALENDARS}) / 4 + 1`),
      calendar_id: row(`n % ${CALENDARS} + 1`),
      conversation_id: conversation(),
      contact_id: contact(`n % (${size} / ${EACH}) + 1`),
      title: "'Fitting ' || n",
      description: "'In the shop'",
      location: "'Bremen'",
      starts_at: `timestamptz '2026-11-02 02:00' + (n / ${CALENDARS}) * interval '5 hours'`,
      ends_at: `timestamptz '2026-11-02 03:00' + (n / ${CALENDARS}) * interval '5 hours'`,
      status: one(["confirmed", "confirmed", "cancelled", "completed"], 5),
      written: "1",
      created_at: at,
      updated_at: at,
    },
  ],
  [
    "csat_config",
    WORKSPACES,
    {
      tenant_id: tenant,
      workspace_id: workspace("n"),
      enabled: "true",
      scale: "5",
      delay_minutes: "10",
      ask_once_per_days: "30",
      low_score_threshold: "2",
      questions: `'{"en": "How did we do?"}'`,
    },
  ],
  [
    "breaker_setting",
    WORKSPACES,
    {
      tenant_id: tenant,
      workspace_id: workspace("n"),
      metric: "'csat'",
      enabled: "true",
      threshold: "0.5",
      window_days: "7",
      minimum_sample: "50",
      action: "'notify'",
    },
  ],
  [
    "csat_survey",
    size,
    {
      tenant_id: tenant,
      id: row(),
      workspace_id: workspace("n"),
      conversation_id: conversation(),
      contact_id: contact(),
      channel_id: row(`n % ${CHANNELS} + 1`),
      member_id: member(`${h(5)} % ${MEMBERS} + 1`),
      agent_ids: `array[${row(`n % ${AGENTS} + 1`)}]`,
      kb_entry_ids: "'{}'",
      scale: "5",
      low_score_threshold: "2",
      question: "'How did we do?'",
      question_language: "'en'",
      language: "'en'",
      asked_at: at,
      expires_at: "'2099-01-01'",
      score: `${h(7)} % 5 + 1`,
      comment: "'Thank you'",
      rated_at: at,
    },
  ],
  // Ninety days of each agent, channel, tool and KB entry that was used.
  [
    "outcome_count",
    size,
    {
      tenant_id: tenant,
      workspace_id: workspace(`n / 90`),
      metric: "case when n / 90 % 4 = 0 then 'delivery' else 'csat' end",
      entity_type: "(array['channel', 'agent', 'kb_entry', 'tool'])[n / 90 % 4 + 1]",
      day: "(now() at time zone 'UTC')::date + 60 - n % 90",
      entity_id: `case n / 90 % 4 when 3 then 'tool-' || n / 90 else ${row("n / 90 + 1")}::text end`,
      scale: "5",
      value: "4",
      total: "10",
      bad: "1",
    },
  ],
  [
    "circuit_breaker",
    `${size} / 20`,
    {
      tenant_id: tenant,
      id: row(),
      workspace_id: workspace("n"),
      entity_type: "'kb_entry'",
      entity_id: row("n + 1") + "::text",
      metric: "'csat'",
      action: "'notify'",
      threshold: "0.5",
      window_days: "7",
      sample_days: "3",
      sample_size: "100",
      observed: "0.4",
      low: "0.3",
      state: "case when n % 20 = 0 then 'tripped' else 'resolved' end",
      tripped_at: at,
      resolved_at: `case when n % 20 > 0 then ${at} end`,
    },
  ],
  [
    "consumption",
    WORKSPACES * 730,
    {
      tenant_id: tenant,
      workspace_id: workspace("n"),
      day: `(now() at time zone 'UTC')::date + 365 - (n - 1) / ${WORKSPACES}`,
      slot: "0",
      inbound: "100",
      outbound: "120",
    },
  ],
  [
    "verification_factor",
    size * 2,
    {
      tenant_id: tenant,
      id: row(),
      conversation_id: conversation("(n - 1) / 2 + 1"),
      contact_id: contact("(n - 1) / 2 + 1"),
      factor_type: "case n % 2 when 1 then 'kba_static' else 'otp_email' end",
      factor_category: "case n % 2 when 1 then 'knowledge' else 'possession' end",
      added_at: at,
      expires_at: "'2099-01-01'",
    },
  ],
  [
    "verification_attempt",
    size,
    { tenant_id: tenant, id: row(), conversation_id: conversation(), contact_id: contact(), at, wrong: "true" },
  ],
  [
    "identity_settings",
    WORKSPACES,
    {
      tenant_id: tenant,
      workspace_id: workspace("n"),
      required_correct_answers: "2",
      max_wrong_per_conversation: "3",
      max_wrong_per_identity24h: "5",
      max_wrong_per_caller_id24h: "5",
      magic_link_minutes: "15",
      require_link_code: "false",
      address_cool_off_hours: "24",
      factor_lifetime_minutes: "60",
      allowed_factors: "'{kba_static,otp_email}'",
    },
  ],
  [
    "verification_source",
    WORKSPACES * 3,
    {
      tenant_id: tenant,
      workspace_id: workspace("n"),
      name: "'source ' || n",
      position: "n",
      type: "'contact_attributes'",
      questions: `'[{"key": "city", "prompt": "In which city do you live?"}]'`,
    },
  ],
  [
    "eid_scheme",
    WORKSPACES * 2,
    {
      tenant_id: tenant,
      workspace_id: workspace("n"),
      name: "'scheme ' || n",
      position: "n",
      issuer: "'https://eid.example'",
      client_id: "'client'",
      acr_values: "'{high}'",
      person_identifier_claim: "'sub'",
      binding: `'{"rule": "first"}'`,
    },
  ],
  [
    "erasure_request",
    ERASURES,
    {
      tenant_id: tenant,
      id: row(),
      contact_id: contact(),
      certificate: `'{"completedAt": "2026-01-01T00:00:00.000Z", "erased": {"contacts": 1, "conversations": 2}}'`,
    },
  ],
];

/** Inserts everything. Without triggers and foreign keys: nothing is derived, and the rows are right by construction. */
export async function fill(client, size, log) {
  await client.query("set session_replication_role = replica");
  await client.query("delete from contact where tenant_id = any($1)", [[1, 2].map((n) => id(KIND.tenant, n))]);
  await client.query("delete from channel where tenant_id = any($1)", [[1, 2].map((n) => id(KIND.tenant, n))]);
  for (const [table, count, columns] of tables(size)) {
    log(`rows of ${table}`);
    await client.query(
      `insert into ${table} (${Object.keys(columns).join(", ")}) select ${Object.values(columns).join(", ")}
      from generate_series(1, ${TENANTS}) t cross join generate_series(1, ${count}) n`,
    );
  }
  await client.query(
    `insert into tenant (id, organisation_id, environment, name) values ($1, $2, 'test', 'Tenant 1')`,
    [id(KIND.tenant, TEST_SIDE), tenantId],
  );
  log("rows of outbox_message");
  for (const [side, statuses] of [
    [1, ["dead", "queued"]],
    [2, ["dead", "queued"]],
    [TEST_SIDE, ["captured"]],
  ])
    for (const status of statuses) await messages(client, side, status, Math.floor(size / 4));
  await client.query("reset session_replication_role");
  await keys(client);
}

/** As the outbox seals them, so that the server can open what it shows. */
async function messages(client, side, status, count) {
  const tenant = id(KIND.tenant, side);
  const sealer = new Sealer([SECRET_KEY], "outbox");
  const first = status === "dead" ? 1 : 1_000_001;
  for (let from = first; from < first + count; from += 10_000) {
    const ids = Array.from({ length: Math.min(10_000, first + count - from) }, (_, n) => id(ROW.other, from + n));
    const sealed = ids.map((one) =>
      sealer.seal(
        { to: "contact@example.com", subject: "Your order", body: "It has left our house today." },
        tenant + one,
      ),
    );
    await client.query(
      `insert into outbox_message (tenant_id, id, kind, channel, status, sealed, attempts, last_error, created_at)
      select $1, m.id, 'mail', 'email', $2, m.sealed, 5, 'refused', timestamptz '${DAY}' + m.n * interval '1 second'
      from unnest($3::uuid[], $4::bytea[]) with ordinality as m (id, sealed, n)`,
      [tenant, status, ids, sealed],
    );
  }
}

/** Fifty keys of each tenant, of which the first reads everything and the second one workspace alone. */
async function keys(client) {
  for (const tenant of [1, 2])
    for (let n = 0; n < 50; n++) {
      const raw = rawKey("r", tenant * 100 + n);
      const keyId = id(ROW.key, tenant * 100 + n);
      await client.query(
        `insert into api_key (tenant_id, id, name, prefix, scopes, workspace_id) values ($1, $2, $3, $4, $5, $6)`,
        [
          id(KIND.tenant, tenant),
          keyId,
          `bench reads ${n}`,
          raw.slice(0, 16),
          SCOPES,
          n === 1 ? id(KIND.workspace, (tenant - 1) * WORKSPACES + 1) : null,
        ],
      );
      await client.query(
        `insert into api_key_lookup (hash, tenant_id, api_key_id) values (decode($1, 'hex'), $2, $3)`,
        [hashApiKey(raw), id(KIND.tenant, tenant), keyId],
      );
    }
}

const config = { secretKeys: [SECRET_KEY], publicUrl: "" };

/** Whom the questions are asked as, by name. Tokens of a member are valid for a quarter of an hour. */
export async function credentials() {
  const tokens = new SessionTokens(config);
  const member = { memberId: ownerId, organisationId: tenantId, sessionId, number: 1 };
  return {
    key: rawKey("r", 100),
    workspaceKey: rawKey("r", 101),
    owner: await tokens.sign({ ...member, tenantId, environment: "live" }),
    tester: await tokens.sign({ ...member, tenantId: id(KIND.tenant, TEST_SIDE), environment: "test" }),
  };
}

const chats = new WebchatSessionTokens(config);
const surveys = new SurveyLinks(config, { register: () => undefined });
/** What names one chat, session or survey, signed as the server does it. */
export const signed = {
  webchatKey: (channelId) => publicKeyOf(tenantId, channelId),
  webchatToken: (channelId, session) =>
    chats.mint({ tenantId, channelId, sessionId: session, number: 1, expires: 4_000_000_000 }),
  surveyPage: (survey) => surveys.urlOf({ tenantId, id: survey }),
};
