import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPENAPI_FILE } from "../../../src/app.js";
import { UNAUDITED_TABLES } from "../../../src/audit/unaudited.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { bodyFor, idFor, isOwn, ownMember, send, type Side, sideOf } from "./fixtures.js";
import { each, PROTECTED, type Route } from "../../support/routes.js";

let app: TestApp;
let tenant: TestTenant;
let live: Side;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  live = await sideOf(tenant);
});
afterAll(() => app.close());

/** Columns whose changes are not audited on their own. A new column must be audited or be listed here. */
const BOOKKEEPING: Record<string, string[]> = {
  agent: ["instructions_version"],
  attachment: ["conversation_id", "message_id", "position"],
  attention_item: ["occurrences", "resolved_at", "resolved_by"],
  booking: ["conflict", "etag", "last_error", "revision", "seen", "sent", "url", "written"],
  calendar_connection: [
    "attempts",
    "credential_fingerprint",
    "discovered_at",
    "failing_since",
    "last_error",
    "last_synced_at",
    "next_retry_at",
    "revision",
  ],
  circuit_breaker: ["resolved_at", "resolved_by"],
  pending_action: ["decided_at", "decided_by", "started_at"],
  tool: ["version"],
  channel: [
    "attempts",
    "credential_fingerprint",
    "failing_since",
    "last_error",
    "last_test",
    "next_retry_at",
    "revision",
  ],
  contact: ["last_seen_at"],
  conversation: [
    "account_id",
    "assisted",
    "channel_type",
    "context_from",
    "delivers",
    "first_reply_at",
    "last_activity_at",
    "last_message_preview",
    "last_sequence",
    "last_turn",
    "message_count",
    "open_attention_count",
    "pending_action_count",
    "resolved_at",
    "resolved_by",
    "sender_proof",
    "summary_derived",
    "unread_count",
    "waiting_since",
  ],
  contact_point: ["added_at", "original", "position"],
  csat_config: ["workspace_id"],
  identity_settings: ["workspace_id"],
  kb_entry: [
    "answered",
    "change_reason",
    "changed_by",
    "helpful",
    "retrieved",
    "reviewed_at",
    "reviewed_by",
    "version",
  ],
  member: ["invitation_expires_at", "invitation_mailed", "last_seen_at", "presence"],
  second_factor: [
    "challenge",
    "counter",
    "credential_id",
    "last_step",
    "last_used_at",
    "public_key",
    "sealed",
    "transports",
    "tries",
    "tries_since",
  ],
  member_session: [
    "address",
    "device",
    "environment",
    "expires_at",
    "external",
    "last_used_at",
    "member_id",
    "network",
    "refresh_number",
    "rotated_at",
    "used_number",
  ],
  message: [
    "authentication",
    "brought_by",
    "conversation_id",
    "delivery_status",
    "held_until",
    "sender_proof",
    "sequence",
    "undo",
    "unread_before",
    "waited_since",
  ],
  policy_entry: [
    "answered",
    "change_reason",
    "changed_by",
    "helpful",
    "retrieved",
    "reviewed_at",
    "reviewed_by",
    "version",
  ],
  tenant: ["environment"],
  webhook_endpoint: ["active_since", "failing_since", "previous_until"],
};

test("every table is audited or lists a reason not to be", async () => {
  const tables = await app.db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const audited = await app.db.query<{ name: string }>(
    `select distinct tgrelid::regclass::text as name from pg_trigger where tgname = 'audit_insert' and tgenabled = 'O'`,
  );
  expect([...audited.map(({ name }) => name), ...Object.keys(UNAUDITED_TABLES)].sort()).toEqual(
    tables.map(({ name }) => name).sort(),
  );
});

test("every column of an audited table is audited or listed as bookkeeping", async () => {
  const rows = await app.db.query<{ table: string; column: string }>(`select c.relname as table, a.attname as column
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_trigger u on u.tgrelid = c.oid and u.tgname = 'audit_update' left join pg_proc f on f.oid = u.tgfoid
    where t.tgname = 'audit_insert' and coalesce(f.prosrc, '') not like '%old.' || quote_ident(a.attname) || ' %'
      and a.attname not in ('tenant_id', 'organisation_id', 'id', 'created_at', 'created_by', 'updated_at') order by 1, 2`);
  const found: Record<string, string[]> = {};
  for (const { table, column } of rows) (found[table] ??= []).push(column);
  expect(found).toEqual(BOOKKEEPING);
});

/** Changes that identity events and the security log record. */
const TOLD_ELSEWHERE = [
  "POST /api/conversations/{id}/verification/questions",
  "POST /api/conversations/{id}/verification/answers",
  "POST /api/conversations/{id}/verification/require",
  "POST /api/conversations/{id}/verification/magic-links",
  "POST /api/conversations/{id}/verification/codes",
  "POST /api/conversations/{id}/verification/codes/verify",
  "POST /api/conversations/{id}/verification/eid-requests",
  // The security log has it.
  "POST /api/me/second-factors/recovery-codes",
];
/**
 * Routes that change nothing, or nothing in this test's data. test/server/e2e/audit-log.spec.ts covers the entry of an unlock, and
 * test/server/channels/delivery.spec.ts that of a message that is sent again.
 */
const WITHOUT_EFFECT = [
  "POST /api/channels/{id}/test",
  "POST /api/channels/{id}/retry-provisioning",
  "POST /api/messages/{id}/retry",
  "POST /api/conversations/search",
  "POST /api/workspaces/{workspaceId}/policy-entries/evaluate",
  "POST /api/workspaces/{workspaceId}/assistant/preview",
  "PUT /api/me/presence",
  "PUT /api/conversations/{id}/viewing",
  "PUT /api/conversations/{id}/draft",
  "DELETE /api/conversations/{id}/draft",
  "POST /api/canned-replies/{id}/render",
  "POST /api/views",
  "PATCH /api/views/{id}",
  "DELETE /api/views/{id}",
  "PUT /api/me/preferences",
  // An event for the tenant's own receiver, listed with its deliveries.
  "POST /api/webhook-endpoints/{id}/test",
  // A mail. The proof itself is a security event.
  "POST /api/me/email-proof",
  // test/server/auth/sessions-list.spec.ts covers its entries.
  "DELETE /api/me/sessions",
  "POST /api/conversations/{id}/read",
  "POST /api/conversations/{id}/verification/unlock",
  "POST /api/conversations/{id}/reopen",
  "POST /api/conversations/{id}/release",
  "POST /api/conversations/{id}/unassign",
];
const WRITES = PROTECTED.filter(
  ({ method, name }) => method !== "GET" && !TOLD_ELSEWHERE.includes(name) && !WITHOUT_EFFECT.includes(name),
);

interface Entry {
  id: string;
  action: string;
  actor_kind: string;
  actor_id: string;
  tenant_id: string;
}
const entriesOf = (action: string): Promise<Entry[]> =>
  app.db.query<Entry>("select * from audit_entry where action = $1 order by id", [action]);
const { paths } = JSON.parse(fs.readFileSync(OPENAPI_FILE, "utf8")) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};
const operationOf = ({ method, path }: Route): string => paths[path]![method.toLowerCase()]!.operationId;

describe("the audit log names the operation and the actor", () => {
  test.each(each(WRITES))("%s", async (_, route) => {
    const action = operationOf(route);
    const { client: own, side } = isOwn(route) ? await ownMember(live, "admin") : { client: live.owner, side: live };
    for (const client of route.access === "scope" ? [live.key, own] : [own]) {
      const { body: me } = await client.get("/api/me", 200);
      const before = new Set((await entriesOf(action)).map(({ id }) => id));
      const id = await idFor(route, side);
      const made = new Set((await entriesOf(action)).map((entry) => entry.id));
      expect((await send(client, route, { id, body: bodyFor(route, side) })).status).toBeLessThan(300);
      const entries = (await entriesOf(action)).filter((entry) => !before.has(entry.id) && !made.has(entry.id));
      expect(entries, "the route left no audit entry").not.toEqual([]);
      expect(entries.map((entry) => entry.tenant_id)).toContain(live.tenantId);
      for (const entry of entries)
        expect(entry).toMatchObject({ actor_kind: client === live.key ? "apiKey" : "member", actor_id: me.id });
    }
  });
});
