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
  "POST /api/procedures/{id}/try",
  "POST /api/workspaces/{workspaceId}/assistant-tests/run",
  "POST /api/workspaces/{workspaceId}/assistant-rehearsal",
  "POST /api/workspaces/{workspaceId}/assistant/preview",
  "PUT /api/me/presence",
  "PUT /api/conversations/{id}/viewing",
  "PUT /api/conversations/{id}/draft",
  "DELETE /api/conversations/{id}/draft",
  "POST /api/canned-replies/{id}/render",
  "POST /api/sources/{id}/read",
  "POST /api/suggestions/{id}/outcome",
  "POST /api/conversations/{id}/rewrite",
  "POST /api/conversations/{id}/summary",
  "POST /api/messages/{id}/translation",
  "POST /api/views",
  "PATCH /api/views/{id}",
  "DELETE /api/views/{id}",
  "POST /api/me/push-subscriptions",
  "DELETE /api/me/push-subscriptions/{id}",
  "POST /api/me/push-subscriptions/{id}/test",
  "PUT /api/me/preferences",
  "PUT /api/me/signature",
  // An event for the tenant's own receiver, listed with its deliveries.
  "POST /api/webhook-endpoints/{id}/test",
  // A mail. The proof itself is a security event.
  "POST /api/me/email-proof",
  // test/server/auth/sessions-list.spec.ts covers its entries.
  "DELETE /api/me/sessions",
  "POST /api/conversations/{id}/read",
  "POST /api/conversations/{id}/unread",
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
