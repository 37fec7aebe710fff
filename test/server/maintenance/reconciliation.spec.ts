import { afterAll, beforeAll, expect, test } from "vitest";
import { recordIdentityEvent } from "../../../src/identity/events/identity-event.js";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { snapshot } from "../contract/fixtures.js";
import { tablesWith } from "../../races/support.js";
import { controlOf, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { insertEvents, newPlace } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  ({ workspaceId } = tenant.defaults);
});
afterAll(() => app.close());

const NOTHING = {
  contacts: 0,
  contactPoints: 0,
  conversations: 0,
  messages: 0,
  attachments: 0,
  identityEvents: 0,
  verifications: 0,
  attentionItems: 0,
  csatComments: 0,
  cases: 0,
  bookings: 0,
  kbEntries: 0,
  kbEvidence: 0,
  policyEntries: 0,
  policyEvidence: 0,
  mails: 0,
  storedAnswers: 0,
};
const run = async () => (await app.app.get(DailyService).runNow())!;

test("the daily run finds an erased contact's data from a restored backup, erases it again, and reports it", async () => {
  const body = { name: "needle", externalId: "needle", emails: ["needle@example.com"], phones: ["+4930901820"] };
  const { id } = (await tenant.live.post("/api/contacts", body, 201)).body;
  const conversation = (
    await tenant.live.post("/api/conversations", { workspaceId, contactId: id, message: { body: "Hello" } }, 201, {
      headers: { "idempotency-key": "before" },
    })
  ).body;
  const neighbour = await newPlace(tenant.live, workspaceId);
  const { id: messageId } = (await tenant.live.get(`/api/conversations/${conversation.id}/messages`, 200)).body
    .data[0]!;
  const first = await tenant.live.post(`/api/contacts/${id}/erasure`, undefined, 200, {
    headers: { "idempotency-key": "erasure" },
  });
  expect((await run()).leftovers).toEqual(NOTHING);

  // The data as an older backup restores it, under a tombstone that was kept.
  const { tenantId } = tenant;
  await app.db.query(
    `update contact set erased_at = null, name = 'needle', external_id = 'needle', attributes = '{"is": "needle"}' where id = $1`,
    [id],
  );
  await app.db.query(
    `insert into contact_point (tenant_id, id, contact_id, kind, value, position) values ($1, gen_random_uuid(), $2, 'phone', '+4930901820', 0), ($1, gen_random_uuid(), $2, 'email', 'needle@example.com', 1)`,
    [tenantId, id],
  );
  await app.db.query(`update conversation set redacted_at = null, subject = 'needle' where id = $1`, [conversation.id]);
  await app.db.query(`update message set redacted_at = null, body = 'needle', external_id = 'needle' where id = $1`, [
    messageId,
  ]);
  await app.db.query(
    `update idempotency_key set response = '{"url": "/api/contacts/${id}?subject=needle"}' where response is null`,
  );
  await app.db.query(
    `insert into kb_entry (tenant_id, id, workspace_id, status, question, answer, language, evidence) values ($1, gen_random_uuid(), $2, 'pending', 'needle', 'A', 'en', $3)`,
    [tenantId, workspaceId, JSON.stringify([{ conversationId: conversation.id, messageId }])],
  );
  await app.db.query(
    `insert into identity_event (tenant_id, id, workspace_id, conversation_id, event_type, factor_bound_to_principal, evidence_ref, transition_key)
    values ($1, gen_random_uuid(), $2, $3, 'verification_agent_context_used', $4, 'tool:needle', 'bound')`,
    [tenantId, workspaceId, conversation.id, id],
  );
  // The person's phone, in another conversation.
  await insertEvents(app.db, neighbour, [new Date()]);

  expect((await run()).leftovers).toEqual({
    contacts: 1,
    contactPoints: 2,
    conversations: 1,
    messages: 1,
    attachments: 0,
    identityEvents: 2,
    verifications: 0,
    attentionItems: 0,
    csatComments: 0,
    cases: 0,
    bookings: 0,
    kbEntries: 1,
    kbEvidence: 0,
    policyEntries: 0,
    policyEvidence: 0,
    mails: 0,
    storedAnswers: 1,
  });
  expect(await tablesWith(app.db, "needle")).toEqual({});
  expect(await tablesWith(app.db, "+4930901820")).toEqual({});
  await tenant.live.get(`/api/contacts/${id}`, 404);
  const [{ result }] = (await controlOf(app.db).query(`select result from job_run where name = 'daily'`)) as [
    { result: { leftovers: unknown } },
  ];
  expect(result.leftovers).toMatchObject({ contacts: 1, identityEvents: 2 });
  expect((await run()).leftovers).toEqual(NOTHING);
  // The erasure's own response is kept, like that of any retryable request.
  expect(
    (
      await tenant.live.post(`/api/contacts/${id}/erasure`, undefined, 200, {
        headers: { "idempotency-key": "erasure" },
      })
    ).text,
  ).toBe(first.text);
});

test("the daily run processes more tombstones than one batch, including the last", async () => {
  const { contactId } = await newPlace(tenant.live, workspaceId);
  await tenant.live.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
  await app.db.query(
    `insert into erased_contact (tenant_id, id, erasure_id) select tenant_id, gen_random_uuid(), erasure_id from erased_contact, generate_series(1, 450) where id = $1`,
    [contactId],
  );
  const { contactId: last } = await newPlace(tenant.live, workspaceId);
  await app.db.query(
    `insert into erased_contact (tenant_id, id, erasure_id) select tenant_id, $2, erasure_id from erased_contact where id = $1`,
    [contactId, last],
  );
  expect((await run()).leftovers).toEqual({ ...NOTHING, contacts: 1, conversations: 1, messages: 1 });
});

test("the preview shows for each workspace how many events are due and since when, and deletes nothing", async () => {
  const other = await app.tenant();
  const [here, there] = [
    await newPlace(tenant.live, workspaceId),
    await newPlace(other.test, other.testDefaults.workspaceId),
  ];
  await app.transaction(tenant.tenantId, (tx) =>
    recordIdentityEvent(
      tx,
      { conversationId: here.conversationId, transitionKey: "new" },
      { eventType: "ani_blocked", scopeDimension: "caller_ani", scopeValues: ["+4930901821"] },
    ),
  );
  await insertEvents(app.db, here, ["2020-01-02T00:00:00.000Z", "2020-01-01T00:00:00.000Z"]);
  await insertEvents(app.db, there, ["2021-03-01T12:00:00.000Z"]);
  const before = await snapshot(app.db);
  const due = await app.app.get(DailyService).preview();
  expect(due).toHaveLength(2);
  expect(due).toEqual(
    expect.arrayContaining([
      {
        tenantId: tenant.tenantId,
        environment: "live",
        workspaceId,
        workspace: "Support",
        identityEvents: 2,
        oldest: "2020-01-01T00:00:00.000Z",
      },
      {
        tenantId: other.testTenantId,
        environment: "test",
        workspaceId: other.testDefaults.workspaceId,
        workspace: "Support",
        identityEvents: 1,
        oldest: "2021-03-01T12:00:00.000Z",
      },
    ]),
  );
  expect(await snapshot(app.db)).toEqual(before);
  expect(await run()).toMatchObject({ identityEvents: 3 });
  expect(await app.app.get(DailyService).preview()).toEqual([]);
});
