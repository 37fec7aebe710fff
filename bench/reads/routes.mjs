// Every GET route that is measured, and the plain rows that its answer shows: columns, tables and order are those of
// 2026-11-22. They stay as they are when the tables change, so that a read that becomes cheaper does not make its own measure cheaper.
//
// $1 is the tenant, $2 the key of the question. Where an answer shows rows of two tables, the plain rows are of both.
import { id, KIND } from "../seed.mjs";
import {
  ACCOUNTS,
  AGENTS,
  CALENDARS,
  CHANNELS,
  CONNECTIONS,
  EACH,
  ERASURES,
  MEMBERS,
  ROW,
  TEST_SIDE,
  WORKSPACES,
} from "./sizes.mjs";

const LIMIT = 26;

const row = (n) => id(ROW.other, n);
const member = (n) => id(ROW.member, n);
const workspace = (n) => id(KIND.workspace, (n % WORKSPACES) + 1);
const conversation = (n) => id(KIND.conversation, n);
const contact = (n) => id(KIND.contact, n);
const of = (count, make) => (n) => make((n % count) + 1);

const prefixed = (alias, columns) =>
  columns
    .split(",")
    .map((column) => (column.trim() === "null" ? "null" : `${alias}.${column.trim()}`))
    .join(", ");
const many = (size, each) => Math.floor(size / each);
const list = (columns, table, where, order, limit = LIMIT) =>
  `select ${columns} from ${table} where tenant_id = $1 and ${where}${order ? ` order by ${order}` : ""}${limit ? ` limit ${limit}` : ""}`;
const single = (columns, table, where = "id = $2") => list(columns, table, where, "", 0);
/** The newest of every workspace, through the index that begins with the workspace. */
const ofWorkspaces = (columns, table, where, order, limit = LIMIT) =>
  `select x.* from workspace w cross join lateral (
    select ${columns} from ${table} where tenant_id = w.tenant_id and workspace_id = w.id and ${where} order by ${order} limit ${limit}
  ) x where w.tenant_id = $1 order by ${order
    .split(", ")
    .map((column) => `x.${column}`)
    .join(", ")} limit ${limit}`;
/** Members and what is theirs belong to the organisation of both sides. */
const ofMember = (columns, table, where) =>
  `select ${prefixed("m", columns)} from tenant t join ${table} m on m.organisation_id = t.organisation_id where t.id = $1 and ${where}`;
/** With the rows of other tables that belong to each. */
const withRows = (select, others, order = "") =>
  `select r.*, ${others.columns} from (${select}) r ${others.joins}${
    order &&
    ` order by ${order
      .split(", ")
      .map((column) => `r.${column}`)
      .join(", ")}`
  }`;

const NEWEST = "created_at desc, id desc";
const SESSION = "id, environment, device, address, created_at, last_used_at, expires_at";
const MEMBER = "id, email, name, role, deactivated_at, invitation_hash, presence, last_seen_at, created_at";
const MEMBER_WORKSPACES = {
  columns: "mw.workspace_id",
  joins: "left join member_workspace mw on mw.tenant_id = $1 and mw.member_id = r.id",
};
const KEY = "id, name, prefix, scopes, brand_id, workspace_id, expires_at, revoked_at, created_by, created_at";
const SECURITY = "id, at, type, actor_kind, actor_id, member_id, address, user_agent, detail";
const AUDIT =
  "id, at, actor_kind, actor_id, action, change, resource_type, resource_id, workspace_id, conversation_id, fields, counts";
const WORKSPACE =
  "id, name, status, brand_id, primary_language, timezone, assistant_enabled, identity_retention_months, created_at, updated_at";
const CHANNEL = `id, workspace_id, type, name, status, attempts, last_error, next_retry_at, address, settings,
  credential_fingerprint, last_test, created_at, updated_at`;
const CONTACT = `id, external_id, name, language, account_id, labels, attributes, blocked, merged_into_id, last_seen_at,
  created_at, updated_at`;
const CONTACT_POINTS = {
  columns: "p.kind, p.value, p.verified_at",
  joins: "left join contact_point p on p.tenant_id = $1 and p.contact_id = r.id",
};
const LISTED = "erased_at is null and deleted_at is null and merged_into_id is null";
const ACCOUNT = "id, external_id, name, domains, industry, plan, attributes, created_at, updated_at";
const ATTACHMENT = "id, file_name, content_type, size, width, height, created_at";
const CONVERSATION = `id, workspace_id, brand_id, channel_id, contact_id, external_id, subject, status, handling_mode, assignee_id,
  priority, labels, language, summary, message_count, unread_count, last_message_preview, last_activity_at, waiting_since,
  first_reply_at, snoozed_until, resolved_at, resolved_by, resolution, assurance_level, csat_score, pending_action_count,
  open_attention_count, previous_conversation_id, metadata, created_at, updated_at`;
const ATTENTION = `id, workspace_id, conversation_id, channel_id, calendar_connection_id, circuit_breaker_id, type, severity,
  reason, status, occurrences, resolved_by, resolved_at, created_at`;
const ASSIGNEE = {
  columns: "c.assignee_id",
  joins: "left join conversation c on c.tenant_id = $1 and c.id = r.conversation_id",
};
const CASE = `id, workspace_id, number, type_id, title, status, priority, contact_id, assignee_id, fields, due_at, created_at,
  updated_at`;
const LINKS = {
  columns: "l.conversation_id, k.account_id",
  joins: `left join case_conversation l on l.tenant_id = $1 and l.case_id = r.id
    left join contact k on k.tenant_id = $1 and k.id = r.contact_id`,
};
const CASE_EVENT = "id, case_id, type, actor_kind, actor_id, before, after, occurred_at";
const REVIEWED = `id, workspace_id, status, source, confidence, evidence, duplicate_of_id, reviewed_by, reviewed_at,
  rejection_reason, valid_until, retrieved, answered, helpful, version, created_at, updated_at`;
const AGENT = "id, kind, name, role, status, instructions, instructions_version, tools, guardrails, created_at";
const AGENT_WORKSPACES = {
  columns: "a.workspace_id",
  joins: "left join agent_workspace a on a.tenant_id = $1 and a.agent_id = r.id",
};
const WIDGET = "id, workspace_id, kind, name, public_key, allowed_origins, settings, enabled, created_at, updated_at";
const CONNECTION = `id, workspace_id, provider, server_url, account_email, status, credential_fingerprint, last_error,
  next_retry_at, last_synced_at, created_at, updated_at`;
const CALENDAR = "id, connection_id, name, timezone, is_primary, writable, available, known_until, unreadable_events";
const BOOKING = `id, workspace_id, calendar_id, conversation_id, contact_id, title, description, location, starts_at, ends_at,
  status, revision, written, last_error, conflict, created_at, updated_at`;
const BOOKING_CONNECTION = {
  columns: "c.disconnected_at",
  joins: `join calendar k on k.tenant_id = $1 and k.id = r.calendar_id
    join calendar_connection c on c.tenant_id = $1 and c.id = k.connection_id`,
};
const RATING = `id, workspace_id, conversation_id, score, scale, comment, question, channel_id, member_id, agent_ids, kb_entry_ids,
  asked_at, rated_at`;
const BREAKER = `id, workspace_id, entity_type, entity_id, metric, threshold, observed, low, sample_size, sample_days, window_days,
  state, action, tripped_at, resolved_by, resolved_at, note`;
const TRIPPED = "tripped_at desc, id desc";
const NAME_OF_ENTRY = {
  columns: "e.question",
  joins:
    "left join lateral (select e.question from kb_entry e where e.tenant_id = $1 and e.id = r.entity_id::uuid limit 1) e on true",
};
const OUTBOX =
  "id, kind, channel, channel_id, conversation_id, status, attempts, last_error, sealed, created_at, sent_at";
const IDENTITY = `required_correct_answers, max_wrong_per_conversation, max_wrong_per_identity24h, max_wrong_per_caller_id24h,
  magic_link_minutes, require_link_code, address_cool_off_hours, factor_lifetime_minutes, allowed_factors, prompt_version`;

/** The two kinds of entries that are reviewed. */
const entries = (name, table, columns, content) => {
  const newest = (where) => list(columns, table, `workspace_id = $2${where}`, NEWEST);
  return [
    { route: `/api/workspaces/{workspaceId}/${name}`, key: workspace, plain: newest("") },
    {
      route: `/api/workspaces/{workspaceId}/${name}`,
      query: "status=approved",
      key: workspace,
      plain: newest(" and status = 'approved'"),
    },
    {
      route: `/api/workspaces/{workspaceId}/${name}/pending`,
      query: "limit=25",
      key: workspace,
      plain: list(columns, table, "workspace_id = $2 and status = 'pending'", "created_at, id", 25),
    },
    {
      route: `/api/workspaces/{workspaceId}/${name}/export`,
      key: workspace,
      ids: false,
      plain: list(columns, table, "workspace_id = $2", NEWEST, 1_001),
    },
    { route: `/api/${name}/{id}`, key: row, plain: single(columns, table) },
    {
      route: `/api/${name}/{id}/versions`,
      key: (n, size) => row((n % many(size, 10)) + 1),
      plain: `select version, changed_by, change_reason, ${content}, null::jsonb as content from ${table} where tenant_id = $1 and id = $2
        union all select v.version, v.changed_by, v.reason, ${content
          .split(", ")
          .map(() => "null")
          .join(
            ", ",
          )}, v.content from ${table}_version v where v.tenant_id = $1 and v.entry_id = $2 order by 1 desc limit ${LIMIT}`,
    },
  ];
};

/** The chat, a channel, of a session. */
const chatOf = (session) => row((Number.parseInt(session.slice(-12), 16) % 6) + 1);
const widgetKey = (n) => `wgt_${String(1_000 + n).padStart(24, "0")}`;

/**
 * What is asked: `route` of openapi.json with `key` in the place of its parameter, and `query`, where `{key}` is the key too.
 * `as` is whose credential: a key of the whole tenant unless it says otherwise. `plain` is the select of the plain rows; their
 * first column is compared with the ids of the answer, unless `ids` is false: there the answer has none.
 */
export const READS = [
  {
    route: "/api/me",
    as: "owner",
    plain: withRows(ofMember(MEMBER, "member", "m.id = $2"), MEMBER_WORKSPACES),
    key: () => member(1),
  },
  {
    route: "/api/me/sessions",
    as: "owner",
    key: () => member(1),
    plain: `${ofMember(SESSION, "member_session", "m.member_id = $2 and m.ended_at is null and m.expires_at > now()")} order by m.last_used_at desc, m.id desc limit ${LIMIT}`,
  },
  {
    route: "/api/me/second-factors",
    as: "owner",
    key: () => member(1),
    ids: false,
    plain: `${ofMember("id::text, type, name, created_at, last_used_at", "second_factor", "m.member_id = $2 and m.confirmed_at is not null")}
      union all ${ofMember("hash, null, null, null, null", "recovery_code", "m.member_id = $2 and m.used_at is null")}`,
  },
  {
    route: "/api/members",
    as: "owner",
    plain: withRows(ofMember(MEMBER, "member", "m.removed_at is null"), MEMBER_WORKSPACES, "created_at, id"),
  },
  {
    route: "/api/api-keys",
    as: "owner",
    plain: withRows(
      list(KEY, "api_key", "true", "", 0),
      {
        columns: "l.last_used_at",
        joins: "join api_key_lookup l on l.tenant_id = $1 and l.api_key_id = r.id",
      },
      NEWEST,
    ),
  },
  { route: "/api/security-log", as: "owner", plain: list(SECURITY, "security_event", "true", "id desc") },
  {
    route: "/api/security-log",
    as: "owner",
    query: "type=sign_in_failed",
    plain: list(SECURITY, "security_event", "type = 'sign_in_failed'", "id desc"),
  },
  ...["actor", "member"].map((who) => ({
    route: "/api/security-log",
    as: "owner",
    query: `${who}Id={key}`,
    key: of(MEMBERS, member),
    plain: list(SECURITY, "security_event", `${who}_id = $2`, "id desc"),
  })),
  { route: "/api/audit-log", as: "owner", plain: list(AUDIT, "audit_entry", "true", "id desc") },
  {
    route: "/api/audit-log",
    as: "owner",
    query: "actorId={key}",
    key: of(MEMBERS, member),
    plain: list(AUDIT, "audit_entry", "actor_id = $2", "id desc"),
  },
  {
    route: "/api/audit-log",
    as: "owner",
    query: "resourceType=contact",
    plain: list(AUDIT, "audit_entry", "resource_type = 'contact' and resource_type <> 'message'", "id desc"),
  },
  {
    route: "/api/audit-log",
    as: "owner",
    query: "resourceId={key}",
    key: (n, size) => contact((n % many(size, EACH)) + 1),
    plain: list(AUDIT, "audit_entry", "resource_id = $2", "id desc"),
  },
  {
    route: "/api/tenant",
    as: "owner",
    plain: `select t.id, t.name, t.environment, t.webhooks_preview, t.sign_in_valid_minutes, t.require_second_factor, t.created_at,
      k.public_key, u.bytes, u.quota_bytes from tenant t left join signing_key k on k.tenant_id = t.id
      left join attachment_usage u on u.tenant_id = t.id where t.id = $1`,
  },
  {
    route: "/api/workspaces",
    plain: `select w.id, w.name, w.status, w.brand_id, w.primary_language, b.name as brand_name from workspace w join brand b on b.tenant_id = $1 and b.id = w.brand_id
      where w.tenant_id = $1 and w.deleted_at is null order by w.created_at, w.id`,
  },
  {
    route: "/api/workspaces/{workspaceId}",
    key: workspace,
    plain: withRows(single(WORKSPACE, "workspace"), {
      columns: "b.name as brand_name",
      joins: "join brand b on b.tenant_id = $1 and b.id = r.brand_id",
    }),
  },
  {
    route: "/api/workspaces/{workspaceId}/channels",
    key: workspace,
    plain: list(CHANNEL, "channel", "workspace_id = $2", "created_at, id", 0),
  },
  { route: "/api/channels/{id}", key: of(CHANNELS, row), plain: single(CHANNEL, "channel") },
  {
    route: "/api/brands",
    plain: list("id, name, created_at, updated_at", "brand", "true", "created_at, id", 0),
  },
  {
    route: "/api/contacts",
    plain: withRows(list(CONTACT, "contact", LISTED, NEWEST), CONTACT_POINTS, NEWEST),
  },
  {
    route: "/api/contacts",
    as: "workspaceKey",
    key: () => workspace(0),
    plain: withRows(
      `select ${prefixed("k", CONTACT)} from contact_workspace p join contact k on k.tenant_id = $1 and k.id = p.contact_id
        where p.tenant_id = $1 and p.workspace_id = $2 and k.erased_at is null and k.deleted_at is null and k.merged_into_id is null
        order by p.contact_created_at desc, p.contact_id desc limit ${LIMIT}`,
      CONTACT_POINTS,
      NEWEST,
    ),
  },
  {
    route: "/api/contacts",
    query: "externalId={key}",
    key: (n) => `CRM-${n}`,
    plain: withRows(single(CONTACT, "contact", "external_id = $2"), CONTACT_POINTS),
  },
  { route: "/api/contacts/{id}", key: contact, plain: withRows(single(CONTACT, "contact"), CONTACT_POINTS) },
  {
    route: "/api/contacts/{id}",
    as: "workspaceKey",
    key: (n, size) =>
      contact(
        ((n * WORKSPACES) % (size - WORKSPACES)) + WORKSPACES - (((n * WORKSPACES) % (size - WORKSPACES)) % WORKSPACES),
      ),
    plain: withRows(single(CONTACT, "contact"), CONTACT_POINTS),
  },
  { route: "/api/accounts", plain: list(ACCOUNT, "account", "true", NEWEST) },
  { route: "/api/accounts", as: "workspaceKey", plain: list(ACCOUNT, "account", "true", NEWEST), ids: false },
  {
    route: "/api/accounts",
    query: "externalId={key}",
    key: of(ACCOUNTS, (n) => `ACC-${n}`),
    plain: single(ACCOUNT, "account", "external_id = $2"),
  },
  { route: "/api/accounts/{id}", key: of(ACCOUNTS, row), plain: single(ACCOUNT, "account") },
  {
    route: "/api/accounts/{id}/contacts",
    key: of(ACCOUNTS, row),
    plain: withRows(list(CONTACT, "contact", `account_id = $2 and ${LISTED}`, NEWEST), CONTACT_POINTS, NEWEST),
  },
  {
    route: "/api/conversations/{id}",
    key: conversation,
    plain: withRows(single(CONVERSATION, "conversation"), {
      columns: "ch.type as channel_type, k.account_id",
      joins:
        "join channel ch on ch.tenant_id = $1 and ch.id = r.channel_id join contact k on k.tenant_id = $1 and k.id = r.contact_id",
    }),
  },
  { route: "/api/attachments/{id}", key: row, plain: single(ATTACHMENT, "attachment") },
  {
    route: "/api/conversations/{id}/attachments",
    key: (n, size) => conversation((n % (many(size, EACH) - 1)) + 1),
    plain: list(ATTACHMENT, "attachment", "conversation_id = $2", NEWEST),
  },
  {
    route: "/api/attention-items",
    plain: withRows(ofWorkspaces(ATTENTION, "attention_item", "true", NEWEST), ASSIGNEE, NEWEST),
  },
  {
    route: "/api/attention-items",
    query: "status=open",
    plain: withRows(ofWorkspaces(ATTENTION, "attention_item", "status = 'open'", NEWEST), ASSIGNEE, NEWEST),
  },
  {
    route: "/api/attention-items",
    query: "status=open&workspaceId={key}",
    key: workspace,
    plain: withRows(
      list(ATTENTION, "attention_item", "workspace_id = $2 and status = 'open'", NEWEST),
      ASSIGNEE,
      NEWEST,
    ),
  },
  {
    route: "/api/attention-items",
    query: "workspaceId={key}&type=csat_low",
    key: workspace,
    plain: withRows(
      list(ATTENTION, "attention_item", "workspace_id = $2 and type = 'csat_low'", NEWEST),
      ASSIGNEE,
      NEWEST,
    ),
  },
  {
    route: "/api/attention-items",
    query: "conversationId={key}",
    key: conversation,
    plain: withRows(list(ATTENTION, "attention_item", "conversation_id = $2", NEWEST), ASSIGNEE, NEWEST),
  },
  { route: "/api/attention-items/{id}", key: row, plain: withRows(single(ATTENTION, "attention_item"), ASSIGNEE) },
  {
    route: "/api/workspaces/{workspaceId}/identity-settings",
    as: "owner",
    key: workspace,
    ids: false,
    plain: single(IDENTITY, "identity_settings", "workspace_id = $2"),
  },
  {
    route: "/api/workspaces/{workspaceId}/retention-settings",
    as: "owner",
    key: workspace,
    ids: false,
    plain: single("identity_retention_months", "workspace"),
  },
  {
    route: "/api/workspaces/{workspaceId}/verification-sources",
    as: "owner",
    key: workspace,
    ids: false,
    plain: list("name, type, questions, url, sealed", "verification_source", "workspace_id = $2", "position", 0),
  },
  {
    route: "/api/workspaces/{workspaceId}/eid-schemes",
    as: "owner",
    key: workspace,
    ids: false,
    plain: list(
      "name, issuer, client_id, sealed, acr_values, person_identifier_claim, binding",
      "eid_scheme",
      "workspace_id = $2",
      "position",
      0,
    ),
  },
  {
    route: "/api/conversations/{id}/assurance",
    key: conversation,
    ids: false,
    plain: `select f.factor_type, f.factor_category, f.added_at, f.expires_at from verification_factor f
      where f.tenant_id = $1 and f.conversation_id = $2 and f.expires_at > clock_timestamp()
      union all select 'wrong', null, a.at, null from verification_attempt a
      where a.tenant_id = $1 and a.conversation_id = $2 and a.forgiven_at is null and a.wrong`,
  },
  ...entries(
    "kb-entries",
    "kb_entry",
    `${REVIEWED}, question, answer, alternate_questions, language, labels`,
    "question, answer, alternate_questions, labels, valid_until",
  ),
  ...entries(
    "policy-entries",
    "policy_entry",
    `${REVIEWED}, title, rule, category, effect, tools, conditions, required_assurance_level, priority`,
    "title, rule, category, effect, tools, conditions, required_assurance_level, priority, valid_until",
  ),
  {
    route: "/api/agents",
    plain: withRows(list(AGENT, "agent", "true", "", 0), AGENT_WORKSPACES, "kind = 'platform' desc, created_at, id"),
  },
  { route: "/api/agents/{id}", key: of(AGENTS, row), plain: withRows(single(AGENT, "agent"), AGENT_WORKSPACES) },
  {
    route: "/api/agents/{id}/instructions/versions",
    key: of(AGENTS, row),
    ids: false,
    plain: list(
      "version, instructions, changed_by, reason, created_at",
      "agent_instructions",
      "agent_id = $2",
      "version desc",
    ),
  },
  ...[
    ["kb-widgets", "kb"],
    ["contact-form-widgets", "contact_form"],
  ].map(([name, kind]) => ({
    route: `/api/workspaces/{workspaceId}/${name}`,
    key: workspace,
    plain: list(WIDGET, "widget", `workspace_id = $2 and kind = '${kind}'`, "created_at, id", 0),
  })),
  ...[
    ["kb-widgets", 2],
    ["contact-form-widgets", 1],
  ].map(([name, first]) => ({
    route: `/api/public/${name}/{publicKey}`,
    as: "nobody",
    key: of(50, (n) => widgetKey(n * 2 - 2 + first)),
    ids: false,
    plain: `select r.name, r.allowed_origins, r.settings, w.primary_language from widget_lookup l join widget r on r.tenant_id = $1 and r.id = l.widget_id
      join workspace w on w.tenant_id = $1 and w.id = r.workspace_id where l.public_key = $2`,
  })),
  {
    route: "/api/public/webchat/{publicKey}/messages",
    as: ({ key, signed }) => signed.webchatToken(chatOf(key), key),
    key: (n, size) => row((n % (many(size, EACH) - 1)) + 1),
    path: ({ key, signed }) => `/api/public/webchat/${signed.webchatKey(chatOf(key))}/messages`,
    plain: withRows(
      `select m.id, m.direction, m.author_type, m.author_id, m.body, m.body_format, m.external_id, m.created_at, m.conversation_id, m.sequence
      from webchat_thread t join message m on m.tenant_id = $1 and m.conversation_id = t.conversation_id and m.direction in ('inbound', 'outbound') and m.redacted_at is null
      where t.tenant_id = $1 and t.visitor_id = $2 order by m.created_at desc, m.id desc limit ${LIMIT}`,
      {
        columns: "a.id as attachment_id, a.file_name, a.content_type, a.size",
        joins: "left join attachment a on a.tenant_id = $1 and a.message_id = r.id",
      },
      NEWEST,
    ),
  },
  {
    route: "/api/calendar/connections",
    plain: list(CONNECTION, "calendar_connection", "disconnected_at is null", "created_at, id", 0),
  },
  {
    route: "/api/calendar/connections",
    query: "workspaceId={key}",
    key: workspace,
    plain: list(
      CONNECTION,
      "calendar_connection",
      "workspace_id = $2 and disconnected_at is null",
      "created_at, id",
      0,
    ),
  },
  {
    route: "/api/calendar/connections/{id}",
    key: of(CONNECTIONS, row),
    plain: single(CONNECTION, "calendar_connection", "id = $2 and disconnected_at is null"),
  },
  {
    route: "/api/calendar/connections/{id}/calendars",
    key: of(CONNECTIONS, row),
    plain: list(CALENDAR, "calendar", "connection_id = $2", "is_primary desc, name, id", 0),
  },
  {
    route: "/api/calendar/bookings",
    plain: withRows(ofWorkspaces(BOOKING, "booking", "true", "starts_at, id"), BOOKING_CONNECTION, "starts_at, id"),
  },
  {
    route: "/api/calendar/bookings",
    query: "workspaceId={key}&status=confirmed",
    key: workspace,
    plain: withRows(
      list(BOOKING, "booking", "workspace_id = $2 and status = 'confirmed'", "starts_at, id"),
      BOOKING_CONNECTION,
      "starts_at, id",
    ),
  },
  {
    route: "/api/calendar/bookings",
    query: "calendarId={key}&from=2026-11-10T00:00:00Z&to=2026-12-10T00:00:00Z",
    key: of(CALENDARS, row),
    plain: withRows(
      list(
        BOOKING,
        "booking",
        "calendar_id = $2 and starts_at >= '2026-11-10Z' and starts_at < '2026-12-10Z'",
        "starts_at, id",
      ),
      BOOKING_CONNECTION,
      "starts_at, id",
    ),
  },
  {
    route: "/api/calendar/bookings",
    query: "contactId={key}",
    key: (n, size) => contact((n % many(size, EACH)) + 1),
    plain: withRows(list(BOOKING, "booking", "contact_id = $2", "starts_at, id"), BOOKING_CONNECTION, "starts_at, id"),
  },
  {
    route: "/api/calendar/bookings",
    query: "conversationId={key}",
    key: conversation,
    plain: withRows(
      list(BOOKING, "booking", "conversation_id = $2", "starts_at, id"),
      BOOKING_CONNECTION,
      "starts_at, id",
    ),
  },
  { route: "/api/calendar/bookings/{id}", key: row, plain: withRows(single(BOOKING, "booking"), BOOKING_CONNECTION) },
  {
    route: "/api/calendar/free-busy",
    query: "calendarId={key}&from=2026-11-10T00:00:00Z&to=2026-11-17T00:00:00Z",
    key: of(CALENDARS, row),
    ids: false,
    plain: `select starts_at, ends_at from booking where tenant_id = $1 and calendar_id = $2 and status in ('tentative', 'confirmed') and ends_at > '2026-11-10Z' and starts_at < '2026-11-17Z'
      union all select starts_at, ends_at from calendar_busy where tenant_id = $1 and calendar_id = $2 and ends_at > '2026-11-10Z' and starts_at < '2026-11-17Z'`,
  },
  {
    route: "/api/workspaces/{workspaceId}/csat-config",
    as: "owner",
    key: workspace,
    ids: false,
    plain: single(
      "enabled, scale, delay_minutes, ask_once_per_days, low_score_threshold, questions",
      "csat_config",
      "workspace_id = $2",
    ),
  },
  {
    route: "/api/quality/csat/ratings",
    plain: ofWorkspaces(RATING, "csat_survey", "rated_at is not null", "rated_at desc, id desc"),
  },
  {
    route: "/api/quality/csat/ratings",
    query: "workspaceId={key}",
    key: workspace,
    plain: list(RATING, "csat_survey", "workspace_id = $2 and rated_at is not null", "rated_at desc, id desc"),
  },
  {
    route: "/api/quality/csat/ratings",
    query: "conversationId={key}",
    key: conversation,
    plain: list(RATING, "csat_survey", "conversation_id = $2 and rated_at is not null", "rated_at desc, id desc"),
  },
  {
    route: "/api/public/csat/{token}",
    as: "nobody",
    key: row,
    path: ({ key, signed }) => signed.surveyPage(key),
    ids: false,
    plain: `select s.scale, s.question, s.question_language, s.language, s.score, s.comment, s.rated_at, b.name as brand, w.name as workspace
      from csat_survey s join conversation c on c.tenant_id = $1 and c.id = s.conversation_id join contact k on k.tenant_id = $1 and k.id = c.contact_id
      join workspace w on w.tenant_id = $1 and w.id = c.workspace_id join brand b on b.tenant_id = $1 and b.id = w.brand_id
      where s.tenant_id = $1 and s.id = $2`,
  },
  ...[
    ["", "true"],
    ["entityType=kb_entry", "entity_type = 'kb_entry'"],
  ].map(([query, where]) => ({
    route: "/api/quality/scores",
    query,
    ids: false,
    plain: `select entity_type, entity_id, metric, sum(total) as total, sum(bad) as bad from outcome_count
      where tenant_id = $1 and ${where} and entity_type in ('agent', 'kb_entry', 'channel', 'tool') and day > current_date - 30
      group by 1, 2, 3 order by 1, 2, 3 limit ${LIMIT}`,
  })),
  {
    route: "/api/quality/scores",
    query: "entityType=kb_entry&entityId={key}",
    key: (n, size) => row((n % many(size, 360)) * 4 + 3),
    ids: false,
    plain: `select entity_type, entity_id, metric, sum(total) as total, sum(bad) as bad from outcome_count
      where tenant_id = $1 and entity_type = 'kb_entry' and entity_id = $2 and day > current_date - 30 group by 1, 2, 3`,
  },
  {
    route: "/api/quality/circuit-breakers",
    query: "limit=25",
    plain: withRows(ofWorkspaces(BREAKER, "circuit_breaker", "true", TRIPPED, 25), NAME_OF_ENTRY, TRIPPED),
  },
  {
    route: "/api/quality/circuit-breakers",
    query: "state=tripped&limit=25",
    plain: withRows(ofWorkspaces(BREAKER, "circuit_breaker", "state = 'tripped'", TRIPPED, 25), NAME_OF_ENTRY, TRIPPED),
  },
  {
    route: "/api/workspaces/{workspaceId}/breaker-settings",
    as: "owner",
    key: workspace,
    ids: false,
    plain: single(
      "metric, enabled, threshold, window_days, minimum_sample, action",
      "breaker_setting",
      "workspace_id = $2",
    ),
  },
  { route: "/api/cases", plain: withRows(ofWorkspaces(CASE, "support_case", "true", NEWEST), LINKS, NEWEST) },
  {
    route: "/api/cases",
    query: "workspaceId={key}&status=submitted",
    key: workspace,
    plain: withRows(list(CASE, "support_case", "workspace_id = $2 and status = 'submitted'", NEWEST), LINKS, NEWEST),
  },
  {
    route: "/api/cases",
    query: "assigneeId={key}",
    key: of(MEMBERS, member),
    plain: withRows(list(CASE, "support_case", "assignee_id = $2", NEWEST), LINKS, NEWEST),
  },
  {
    route: "/api/cases",
    query: "contactId={key}",
    key: (n, size) => contact((n % many(size, EACH)) + 1),
    plain: withRows(list(CASE, "support_case", "contact_id = $2", NEWEST), LINKS, NEWEST),
  },
  {
    route: "/api/cases",
    query: "conversationId={key}",
    key: conversation,
    plain: withRows(
      `select ${prefixed("s", CASE)} from case_conversation l join support_case s on s.tenant_id = $1 and s.id = l.case_id
        where l.tenant_id = $1 and l.conversation_id = $2 order by s.created_at desc, s.id desc limit ${LIMIT}`,
      LINKS,
      NEWEST,
    ),
  },
  { route: "/api/cases/{id}", key: row, plain: withRows(single(CASE, "support_case"), LINKS) },
  {
    route: "/api/cases/{id}/events",
    key: (n, size) => row((n % (many(size, EACH) - 1)) + 1),
    plain: list(CASE_EVENT, "case_event", "case_id = $2", "occurred_at, id"),
  },
  {
    route: "/api/bulk-actions/{id}",
    key: (n) => row((n % 40) + 1),
    plain: "select id, action, total, created_at from bulk_action where tenant_id = $1 and id = $2",
  },
  { route: "/api/labels", plain: list("id, name, colour, created_at, updated_at", "label", "true", "name") },
  { route: "/api/case-types", plain: list("id, key, name, fields", "case_type", "true", "key", 0) },
  {
    route: "/api/consumption",
    as: "owner",
    ids: false,
    plain: `select day, workspace_id, sum(inbound) as inbound, sum(outbound) as outbound from consumption
      where tenant_id = $1 and day between current_date - 29 and current_date group by 1, 2 order by 1, 2`,
  },
  {
    route: "/api/conversation-counts",
    ids: false,
    plain: `select status, count(*) from (select status from conversation where tenant_id = $1
      order by last_activity_at desc, id desc limit 1000) c group by 1`,
  },
  {
    route: "/api/conversations/{id}/consumption",
    key: (n, size) => conversation((n % (many(size, EACH) - 1)) + 1),
    ids: false,
    plain: `select (m.created_at at time zone 'UTC')::date, m.direction, count(*) from message m
      where m.tenant_id = $1 and m.conversation_id = $2 and m.direction <> 'internal' group by 1, 2`,
  },
  {
    route: "/api/captured-messages",
    as: "tester",
    tenant: id(KIND.tenant, TEST_SIDE),
    plain: list(OUTBOX, "outbox_message", "status = 'captured'", NEWEST),
  },
  { route: "/api/outbox", as: "owner", plain: list(OUTBOX, "outbox_message", "status = 'dead'", NEWEST) },
  {
    route: "/api/erasure-requests/{id}",
    key: of(ERASURES, row),
    as: "owner",
    plain: single("id, contact_id, certificate", "erasure_request"),
  },
];

/** The GET routes that are not measured here, with the reason. */
const SEARCHES = "the parts search, contacts and kb measure searches";
const ANOTHER = (part) => `the part ${part} measures it`;
export const LEFT_OUT = {
  "/healthz": "it shows no rows",
  "/readyz": "it shows no rows",
  "/widgets/{file}": "a file",
  "/api/public/logos/{tenantId}/{id}": "a file",
  "/api/conversations": ANOTHER("list"),
  "/api/conversations/{id}/messages": ANOTHER("messages"),
  "/api/conversations/{conversationId}/identity-events": ANOTHER("events"),
  "/api/quality/csat": ANOTHER("csat"),
  "/api/reports/{name}": ANOTHER("reports"),
  "/api/reports/conversations": ANOTHER("reports"),
  "/api/contacts/search": SEARCHES,
  "/api/accounts/search": SEARCHES,
  "/api/workspaces/{workspaceId}/kb-entries/search": SEARCHES,
  "/api/workspaces/{workspaceId}/policy-entries/search": SEARCHES,
  "/api/public/kb-widgets/{publicKey}/search": SEARCHES,
  "/api/kb-entries/{id}/impact": "up to 1,000 searches, within a budget of time",
  "/api/workspaces/{workspaceId}/kb-gaps": "as the impact of an entry",
  "/api/kb-entries/{id}/similar": "a search for the entry's own text",
  "/api/policy-entries/{id}/similar": "a search for the entry's own text",
  "/api/changes": ANOTHER("feed"),
  "/api/events": "a stream of events",
  "/api/public/attachments/{token}": "it streams a file",
  "/api/webhook-endpoints": "twenty rows at most",
  "/api/webhook-endpoints/{id}": "as the list",
  "/api/webhook-endpoints/{id}/deliveries": "a list for admins who look for a fault; the data sets have no deliveries",
  "/api/contacts/{id}/export": "it streams an archive",
  "/api/conversations/{id}/overview": "reads of other routes, one after the other",
  "/api/workspaces/{workspaceId}/assistant": "one row, by its key",
  "/api/workspaces/{workspaceId}/sources": "a hundred rows at most",
  "/api/sources/{id}": "one row, by its key, with a count of its proposals",
  "/api/workspaces/{workspaceId}/tools": "200 rows at most",
  "/api/workspaces/{workspaceId}/procedures": "100 rows at most",
  "/api/procedures/{id}": "one row, by its key",
  "/api/workspaces/{workspaceId}/assistant-tests": "100 rows at most",
  "/api/assistant-tests/{id}": "one row, by its key",
  "/api/assistant-tests/runs/{id}": "one row, by its key",
  "/api/assistant-tests/runs/{id}/conversations": "500 rows of one run at most, by its key",
  "/api/workspaces/{workspaceId}/assignees": "as /api/members, which is measured",
  "/api/pending-actions": "as attention items",
  "/api/pending-actions/{id}": "one row, by its key",
  "/api/conversations/{id}/pending-actions": "a few rows of one conversation, by an index",
  "/api/conversations/{id}/suggestions": "one message and three rows, by their keys",
  "/api/conversations/{id}/agent-activity": "a few rows of one conversation, by its key",
  "/api/conversations/{id}/viewers": "a few rows that live for seconds",
  "/api/conversations/{id}/participants": "at most fifty rows, by their conversation",
  "/api/conversations/{id}/draft": "one row, by its key",
  "/api/canned-replies": "a thousand rows at most, of which few are asked for",
  "/api/views": "150 rows at most",
  "/api/me/preferences": "one row, by its key",
  "/api/me/push-subscriptions": "ten rows at most, by their member",
  "/api/me/signature": "one row, by its key",
  "/api/channels/{id}/signature": "one row, by its key",
  "/api/channels/{id}/sign-in": "it leads to another server",
  "/api/public/channels/sign-in/callback": "it asks another server",
  "/api/messages/{id}/html": "a mail is parsed, which takes as long as the mail is large",
  "/api/messages/{id}/invitation": "a calendar file is parsed, which takes as long as the file is large",
  "/api/messages/{id}/original": "one row, by its message",
  "/api/conversations/{id}/mail-frame": "a few rows of one conversation, by their keys",
  "/api/public/webchat/{publicKey}/stream": "a stream of events",
  "/api/public/verifications/{token}": "a page that one person opens once",
  "/api/public/eid/start/{token}": "a page that one person opens once",
  "/api/public/eid/callback": "it asks another server",
  "/api/auth/external": "a setting",
  "/api/auth/external/start": "it leads to another server",
  "/api/auth/external/callback": "it asks another server",
};

/** @throws Error if a GET route is neither measured nor left out, or if one that is named here is not there */
export function assertComplete({ paths }) {
  const routes = Object.entries(paths).flatMap(([route, methods]) => (methods.get ? [route] : []));
  const measured = new Set(READS.map(({ route }) => route));
  const faults = [
    ...routes
      .filter((route) => !measured.has(route) && !(route in LEFT_OUT))
      .map((route) => `${route} is neither measured nor left out`),
    ...[...measured, ...Object.keys(LEFT_OUT)]
      .filter((route) => !routes.includes(route))
      .map((route) => `there is no ${route}`),
    ...[...measured].filter((route) => route in LEFT_OUT).map((route) => `${route} is both measured and left out`),
  ];
  if (faults.length) throw new Error(`bench/reads/routes.mjs: ${faults.join(", ")}`);
}
