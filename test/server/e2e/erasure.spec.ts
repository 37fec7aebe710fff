import { createPublicKey, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { system } from "../../../src/platform/caller/caller.js";
import { Database } from "../../../src/platform/database/database.js";
import { recordIdentityEvent } from "../../../src/identity/events/identity-event.js";
import { OutboxService } from "../../../src/platform/outbox/outbox.service.js";
import { isValid } from "../../../src/privacy/erasure/certificate.js";
import { tablesWith } from "../../races/support.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { aTime, anId, newAgent, newWorkspace, NOT_FOUND, start, UNKNOWN_ID } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let workspaceId: string;
/** A word that appears in every text about the person, and nowhere else. */
let needle: string;
let phone: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  ({ workspaceId } = tenant.defaults);
});
afterAll(() => app.close());
let serial = 0;
beforeEach(() => {
  needle = `needle${randomUUID().replaceAll("-", "")}`;
  phone = `+49309018${String(2000 + ++serial)}`;
});

const erase = async (id: string, client: Client = tenant.live) =>
  (await client.post(`/api/contacts/${id}/erasure`, undefined, 200)).body;
const key = (): { headers: Record<string, string> } => ({ headers: { "idempotency-key": randomUUID() } });
const block = (conversationId: string, number = phone) =>
  app.transaction(tenant.tenantId, (tx) =>
    recordIdentityEvent(
      tx,
      { conversationId, transitionKey: randomUUID() },
      { eventType: "ani_blocked", scopeDimension: "caller_ani", scopeValues: [number] },
    ),
  );
const factor = (conversationId: string, factorBoundToPrincipal: string) =>
  app.transaction(tenant.tenantId, (tx) =>
    recordIdentityEvent(
      tx,
      { conversationId, transitionKey: randomUUID() },
      {
        eventType: "factor_failed",
        factorBoundToPrincipal,
        factorCategory: "knowledge",
        factorType: "kba_dynamic",
        evidenceRef: "kbv:contact_attributes",
      },
    ),
  );
const eventsOf = async (conversationId: string) =>
  (await tenant.live.get(`/api/conversations/${conversationId}/identity-events`, 200)).body.events;
const messagesOf = async (conversationId: string) =>
  (await tenant.live.get(`/api/conversations/${conversationId}/messages`, 200)).body.data;

/** Creates a person with data in every table. */
async function person(): Promise<{
  contactId: string;
  conversation: Schemas["Conversation"];
  retried: { path: string; body: object; headers: Record<string, string> }[];
}> {
  const retried: { path: string; body: object; headers: Record<string, string> }[] = [];
  const post = async <P extends string, S extends number>(path: P, body: object, status: S) => {
    const { headers } = key();
    retried.push({ path, body, headers });
    return (await tenant.live.post(path, body, status, { headers })).body;
  };
  const { id: contactId } = await post(
    "/api/contacts",
    {
      name: needle,
      externalId: needle,
      emails: [`${needle}@example.com`],
      phones: [phone],
      labels: [needle],
      attributes: { city: needle },
    },
    201,
  );
  const conversation = await post(
    "/api/conversations",
    {
      workspaceId,
      contactId,
      externalId: needle,
      subject: needle,
      metadata: { note: needle },
      message: { body: needle, externalId: needle },
    },
    201,
  );
  await tenant.live.patch(`/api/conversations/${conversation.id}`, { labels: [needle], summary: needle }, 200);
  // As of a call.
  await app.db.query("update conversation set caller_id = $2 where id = $1", [conversation.id, phone]);
  await post(`/api/conversations/${conversation.id}/messages`, { body: `it is ${needle}` }, 201);
  await post(`/api/conversations/${conversation.id}/notes`, { body: `${needle} called` }, 201);
  await tenant.live.post(
    `/api/conversations/${conversation.id}/reply`,
    { body: `Dear ${needle}`, clientMessageId: needle },
    200,
  );
  const owner = await tenant.owner();
  await owner.put(`/api/conversations/${conversation.id}/draft`, { body: `Dear ${needle}` }, 200);
  await factor(conversation.id, contactId);
  await block(conversation.id);
  return { contactId, conversation, retried };
}

describe("an erasure", () => {
  test("has something to empty in each column that the check of erased conversations names", async () => {
    const { conversation } = await person();
    const [check] = await app.db.query<{ definition: string }>(
      "select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'conversation_erased'",
    );
    const columns = [...check!.definition.matchAll(/\((\w+) (?:IS NULL|=)/g)].map(([, column]) => column!);
    expect(columns.length).toBeGreaterThan(6);
    const [row] = await app.db.query<Record<string, unknown>>("select * from conversation where id = $1", [
      conversation.id,
    ]);
    const empty = columns.filter((column) => ["null", "[]", "{}", '""'].includes(JSON.stringify(row![column] ?? null)));
    expect(empty).toEqual(["redacted_at"]);
    await erase(conversation.contactId);
  });

  test("leaves none of the person's data in any table, and returns the counts of the deleted rows", async () => {
    const { contactId, conversation } = await person();
    expect(Object.keys(await tablesWith(app.db, needle)).sort()).toEqual([
      "contact",
      "contact_label",
      "contact_point",
      "contact_workspace",
      "conversation",
      "conversation_label",
      "directory_entry",
      "draft",
      "idempotency_key",
      "message",
      "search_entry",
    ]);
    const answer = await erase(contactId);
    expect(answer).toEqual({
      id: anId,
      contactId,
      status: "completed",
      completedAt: aTime,
      certificate: expect.objectContaining({
        erasureId: answer.id,
        tenantId: tenant.tenantId,
        contactIds: [contactId],
      }),
      erased: {
        contacts: 1,
        contactPoints: 2,
        conversations: 1,
        messages: 4,
        attachments: 0,
        identityEvents: 2,
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
        storedAnswers: 4,
      },
    });
    expect(answer.certificate.erased).toEqual(answer.erased);
    expect(await tablesWith(app.db, needle)).toEqual({});
    expect(await tablesWith(app.db, phone)).toEqual({});
    expect(await eventsOf(conversation.id)).toEqual([]);
  });

  test("hides the contact like an absent one, and keeps its conversations as resolved statistics", async () => {
    const { contactId, conversation } = await person();
    const before = (await tenant.live.get(`/api/conversations/${conversation.id}`, 200)).body;
    await erase(contactId);
    expect((await tenant.live.get(`/api/contacts/${contactId}`, 404)).body).toEqual(NOT_FOUND);
    expect((await tenant.live.get(`/api/contacts?externalId=${needle}`, 200)).body).toEqual({ data: [] });
    expect((await tenant.live.get("/api/contacts?limit=100", 200)).text).not.toContain(contactId);
    expect((await tenant.live.get(`/api/conversations/${conversation.id}`, 200)).body).toEqual({
      ...before,
      externalId: null,
      subject: null,
      summary: null,
      lastMessagePreview: null,
      labels: [],
      metadata: {},
      status: "resolved",
      resolution: "abandoned",
      resolvedAt: aTime,
      waitingSince: null,
      unreadCount: 0,
      lastActivityAt: aTime,
      updatedAt: aTime,
    });
    expect(
      (await tenant.live.get(`/api/conversations?workspaceId=${workspaceId}&limit=1`, 200)).body.data[0]!.id,
      "whoever mirrors sees the change",
    ).toBe(conversation.id);
    const messages = await messagesOf(conversation.id);
    expect(messages.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    for (const message of messages)
      expect(message).toMatchObject({ body: "", redactedAt: aTime, externalId: null, clientMessageId: null });
  });

  test("deletes the responses stored for retries: a repeat returns 409 and changes nothing", async () => {
    const { contactId, retried } = await person();
    await erase(contactId);
    for (const { path, body, headers } of retried)
      expect((await tenant.live.post(path, body, 409, { headers })).text).not.toContain(needle);
    expect(await tablesWith(app.db, needle)).toEqual({});
  });

  test("deletes every event of the contact and the locks of its phone numbers, in all conversations, and no others", async () => {
    const { contactId } = await person();
    const other = await start(tenant.live, workspaceId);
    await factor(other.id, contactId);
    await block(other.id);
    await factor(other.id, other.contactId);
    await block(other.id, "+4930901821");
    expect((await erase(contactId)).erased.identityEvents).toBe(4);
    expect(
      (await eventsOf(other.id)).map(
        ({ factorBoundToPrincipal, scopeValues }) => factorBoundToPrincipal ?? scopeValues![0],
      ),
    ).toEqual([other.contactId, "+4930901821"]);
  });

  test("of a survivor includes the contacts merged into it, as does an erasure of a merged contact", async () => {
    for (const asked of [0, 1, 2]) {
      const all = [
        await person(),
        await start(tenant.live, workspaceId, { subject: needle }),
        await start(tenant.live, workspaceId, { subject: needle }),
      ].map(({ contactId }) => contactId);
      await app.db.query("update contact set merged_into_id = $2 where id = $1", [all[1], all[0]]);
      await app.db.query("update contact set merged_into_id = $2 where id = $1", [all[2], all[1]]);
      const answer = await erase(all[asked]!);
      expect(answer).toMatchObject({ contactId: all[0], erased: { contacts: 3, conversations: 3 } });
      expect(answer.certificate.contactIds.toSorted()).toEqual(all.toSorted());
      expect(await tablesWith(app.db, needle)).toEqual({});
      for (const id of all) {
        await tenant.live.get(`/api/contacts/${id}`, 404);
        expect(await erase(id)).toEqual(answer);
      }
      needle += "x";
      phone = `+49309018${String(2000 + ++serial)}`;
    }
  });

  test.each([
    ["kb", "question", { answer: "A" }],
    ["policy", "title", { rule: "R", effect: "deny" }],
  ])(
    "deletes unapproved %s entries learned from the person, and approved ones lose only the evidence",
    async (kind, said, more) => {
      const { contactId, conversation } = await person();
      const other = await start(tenant.live, workspaceId, { message: { body: "Hello" } });
      const evidence = { conversationId: conversation.id, messageId: (await messagesOf(conversation.id))[0]!.id };
      const kept = { conversationId: other.id, messageId: (await messagesOf(other.id))[0]!.id };
      const add = async (status: string, all: object[], question: string): Promise<string> =>
        (
          await tenant.live.post<{ id: string }>(
            `/api/workspaces/${workspaceId}/${kind}-entries`,
            { [said]: question, ...more, status, evidence: all },
            201,
          )
        ).body.id;
      const [approved, pending, unrelated] = [
        await add("approved", [evidence, kept], "Q"),
        await add("pending", [evidence], needle),
        await add("pending", [kept], "Q"),
      ];
      await app.db.query(`update ${kind}_entry set duplicate_of_id = $2 where id = $1`, [unrelated, pending]);
      expect((await erase(contactId)).erased).toMatchObject({ [`${kind}Entries`]: 1, [`${kind}Evidence`]: 1 });
      expect((await tenant.live.get(`/api/${kind}-entries/${approved}`, 200)).body).toMatchObject({
        evidence: [kept],
        evidenceCount: 1,
      });
      await tenant.live.get(`/api/${kind}-entries/${pending}`, 404);
      expect((await tenant.live.get(`/api/${kind}-entries/${unrelated}`, 200)).body).toMatchObject({
        evidence: [kept],
        duplicateOfId: null,
      });
      await tenant.live.post(
        `/api/workspaces/${workspaceId}/${kind}-entries`,
        { [said]: needle, ...more, evidence: [evidence] },
        404,
      );
      expect(await tablesWith(app.db, needle)).toEqual({});
    },
  );

  test("deletes captured and queued mail to the person's addresses, and no other mail", async () => {
    const email = `${needle}@example.com`;
    const sides = [
      { client: tenant.test, ...tenant.testDefaults, tenantId: tenant.testTenantId, environment: "test" as const },
      { client: tenant.live, ...tenant.defaults, tenantId: tenant.tenantId, environment: "live" as const },
    ];
    for (const side of sides) {
      const { contactId } = await start(side.client, side.workspaceId, { contact: { emails: [email] } });
      const outbox = app.app.get(OutboxService);
      await app.app.get(Database).transaction(system("test", side.tenantId, side.environment), async (tx) => {
        await outbox.mail(tx, { to: email.toUpperCase(), subject: "Your link", body: needle });
        await outbox.mail(tx, { to: "somebody@example.com", subject: "Your link", body: "else" });
      });
      expect((await erase(contactId, side.client)).erased.mails).toBe(1);
      expect((await app.db.query(`select 1 from outbox_message where tenant_id = $1`, [side.tenantId])).length).toBe(1);
    }
    expect((await app.db.query("select 1 from outbox_queue")).length).toBe(1);
    expect((await (await tenant.owner("test")).get("/api/captured-messages", 200)).body.data).toMatchObject([
      { to: "somebody@example.com" },
    ]);
  });

  test("is final: later writes about the contact are refused and write nothing", async () => {
    const { contactId, conversation } = await person();
    await erase(contactId);
    await tenant.live.post("/api/conversations", { workspaceId, contactId, message: { body: needle } }, 404);
    for (const [what, body] of Object.entries({
      messages: { body: needle, externalId: needle },
      reply: { body: needle },
      notes: { body: needle },
    })) {
      for (const options of [{}, key()])
        expect(
          (
            await tenant.live.post<{ error: string }>(
              `/api/conversations/${conversation.id}/${what}`,
              body,
              409,
              options,
            )
          ).body.error,
        ).toMatch(/erased/);
    }
    expect(await factor(conversation.id, contactId)).toBe(false);
    expect(await block(conversation.id)).toBe(false);
    const other = await start(tenant.live, workspaceId);
    expect(await factor(other.id, contactId)).toBe(false);
    // A conversation resolved long ago does not start a successor either.
    await app.db.query(`update conversation set resolved_at = now() - interval '8 days' where id = $1`, [
      conversation.id,
    ]);
    await tenant.live.post(`/api/conversations/${conversation.id}/messages`, { body: needle }, 409);
    expect(await tablesWith(app.db, needle)).toEqual({});
    await expect(app.db.query("update contact set name = $2 where id = $1", [contactId, needle])).rejects.toThrow(
      "contact_erased",
    );
    await expect(
      app.db.query("update conversation set subject = $2 where id = $1", [conversation.id, needle]),
    ).rejects.toThrow("conversation_erased");
  });

  test("applies to the contact, not the person: the same externalId and email create a new contact later", async () => {
    const { contactId } = await person();
    await erase(contactId);
    const again = await start(tenant.live, workspaceId, {
      contact: { externalId: needle, emails: [`${needle}@example.com`] },
    });
    expect(again.contactId).not.toBe(contactId);
    expect((await tenant.live.get(`/api/contacts/${again.contactId}`, 200)).body).toMatchObject({ externalId: needle });
    expect((await tenant.live.get(`/api/contacts/${contactId}`, 404)).body).toEqual(NOT_FOUND);
  });

  test("repeated or sent concurrently, returns the first erasure with its certificate, and so does reading it", async () => {
    const { contactId } = await person();
    const [first, ...rest] = await Promise.all(Array.from({ length: 8 }, () => erase(contactId)));
    for (const answer of [
      ...rest,
      await erase(contactId),
      (await tenant.live.get(`/api/erasure-requests/${first!.id}`, 200)).body,
    ])
      expect(answer).toEqual(first);
    expect(await app.db.query("select 1 from erasure_request where contact_id = $1", [contactId])).toHaveLength(1);
    await tenant.live.get(`/api/erasure-requests/${UNKNOWN_ID}`, 404);
    await tenant.test.get(`/api/erasure-requests/${first!.id}`, 404);
  });

  test("retried with its Idempotency-Key returns the same response byte for byte", async () => {
    const { contactId } = await person();
    const options = key();
    const first = await tenant.live.post(`/api/contacts/${contactId}/erasure`, undefined, 200, options);
    const again = await tenant.live.post(`/api/contacts/${contactId}/erasure`, undefined, 200, options);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });
});

describe("permission to erase", () => {
  test("a workspace key can erase people who appear in its workspace alone, and read the erasure; another key gets 404", async () => {
    const { id: elsewhere } = await newWorkspace(owner, tenant.defaults.brandId);
    const restricted = await keyFor(owner, { dataScope: { level: "workspace", workspaceId } });
    const foreign = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: elsewhere } });
    const { contactId } = await start(tenant.live, workspaceId);
    expect((await foreign.post(`/api/contacts/${contactId}/erasure`, undefined, 404)).body).toEqual(NOT_FOUND);
    const answer = await erase(contactId, restricted);
    expect(answer.erased.conversations).toBe(1);
    expect((await restricted.get(`/api/erasure-requests/${answer.id}`, 200)).body).toEqual(answer);
    const { contactId: alone } = await start(tenant.live, workspaceId);
    await foreign.get(`/api/erasure-requests/${(await erase(alone)).id}`, 404);
  });

  test("an agent cannot erase, even though it can write contacts", async () => {
    const agent = await newAgent(owner, [workspaceId]);
    const { contactId } = await start(tenant.live, workspaceId);
    await agent.post(`/api/contacts/${contactId}/erasure`, undefined, 403);
    await tenant.live.get(`/api/contacts/${contactId}`, 200);
  });
});

describe("the certificate", () => {
  test("is signed with the tenant's published key: a changed value, or another tenant's or side's key, makes it invalid", async () => {
    const { contactId } = await person();
    const { certificate } = await erase(contactId);
    const keyOf = async (client: Client) => createPublicKey((await client.get("/api/tenant", 200)).body.erasureKey);
    const mine = await keyOf(owner);
    expect(isValid(certificate, mine)).toBe(true);
    expect(
      isValid(
        JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(certificate).reverse()))) as typeof certificate,
        mine,
      ),
      "in any order",
    ).toBe(true);
    for (const change of [
      { erasureId: UNKNOWN_ID },
      { contactIds: [] },
      { completedAt: "2020-01-01T00:00:00.000Z" },
      { erased: { ...certificate.erased, messages: 5 } },
      { more: 1 },
      { signature: "" },
      { digest: "x" },
    ]) {
      expect(isValid({ ...certificate, ...change }, mine)).toBe(false);
    }
    expect(isValid(certificate, await keyOf(await tenant.owner("test")))).toBe(false);
    expect(isValid(certificate, await keyOf(await (await app.tenant()).owner()))).toBe(false);
  });

  test("every member reads the same tenant and its key, one per side; no response or table has the private key in clear", async () => {
    const { body } = await owner.get("/api/tenant", 200);
    expect(body).toEqual({
      id: tenant.tenantId,
      name: tenant.name,
      environment: "live",
      webhooksPreview: false,
      requireSecondFactor: false,
      signInValidMinutes: 15,
      attachmentBytes: 0,
      attachmentQuotaBytes: 10 * 1_073_741_824,
      erasureKey: expect.stringMatching(/^-----BEGIN PUBLIC KEY-----\n/),
      createdAt: aTime,
    });
    const fresh = await app.tenant();
    const owners = await Promise.all([fresh.owner(), fresh.owner()]);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => owners[n % 2]!.get("/api/tenant", 200)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await (await fresh.owner("test")).get("/api/tenant", 200)).body).toMatchObject({
      id: fresh.testTenantId,
      environment: "test",
    });
    expect(await tablesWith(app.db, "PRIVATE KEY")).toEqual({});
  });
});

/** Has no time limit, which would depend on the machine. A manual run prints the time. */
test.runIf(process.env.PRINT_TIMES)("erasing 10,000 events is fast", async () => {
  const { contactId, conversation } = await person();
  await app.db.query(
    `insert into identity_event (tenant_id, id, workspace_id, conversation_id, event_type, factor_bound_to_principal, evidence_ref, transition_key)
    select $1, gen_random_uuid(), $2, $3, 'verification_agent_context_used', $4, 'tool:x', gen_random_uuid()::text from generate_series(1, 10000)`,
    [tenant.tenantId, workspaceId, conversation.id, contactId],
  );
  await app.db.query("analyze identity_event");
  const began = performance.now();
  const { erased } = await erase(contactId);
  process.stdout.write(`${erased.identityEvents} events: ${(performance.now() - began).toFixed(1)} ms\n`);
});
