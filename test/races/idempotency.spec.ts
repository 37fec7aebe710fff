import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { raise } from "../../src/conversations/attention/raise.js";
import { Afterwards } from "../../src/platform/jobs/afterwards.js";
import { codeOf, person, withApp } from "../server/auth/second-factor-support.js";
import { calendarFor } from "../server/calendar/support.js";
import { makeFor, type Side, sideOf } from "../server/contract/fixtures.js";
import { keyFor, PASSWORD, startApp, type TestApp, type TestTenant } from "../support/app.js";
import { type Answer, type Client, fileForm } from "../support/client.js";
import { operations } from "../support/contract.js";
import { concurrently, rowCounts, tablesWith } from "./support.js";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const withKey = (key: string) => ({ headers: { "Idempotency-Key": key } });
const replayed = ({ headers }: Answer): string | null => headers.get("Idempotency-Replayed");
const conversation = async (tenant: TestTenant): Promise<string> =>
  (
    await tenant.live.post(
      "/api/conversations",
      { workspaceId: tenant.defaults.workspaceId, contact: {}, message: { body: "Hello" } },
      201,
    )
  ).body.id;

describe("an Idempotency-Key", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await app.tenant();
  });

  test("belongs to one body: another body returns 422 and has no effect", async () => {
    const path = `/api/conversations/${await conversation(tenant)}/notes`;
    const first = await tenant.live.post(path, { body: "one" }, 201, withKey("body"));
    await tenant.live.post(path, { body: "two" }, 422, withKey("body"));
    await tenant.live.post(path, { body: "one", externalId: "x" }, 422, withKey("body"));
    expect((await tenant.live.post(path, { body: "one" }, 201, withKey("body"))).text).toBe(first.text);
    expect((await tenant.live.get<{ data: unknown[] }>(path.replace("notes", "messages"), 200)).body.data).toHaveLength(
      2,
    );
  });

  test("is not used up by a 400, 404 or 409", async () => {
    const { workspaceId } = tenant.defaults;
    const reply = `/api/conversations/${await conversation(tenant)}/reply`;
    const create = `/api/workspaces/${workspaceId}/kb-entries`;
    const set = (change: string) => app.db.query(`update workspace set ${change} where id = $1`, [workspaceId]);

    await tenant.live.post(reply, { body: "" }, 400, withKey("failed"));
    await set(`status = 'archived'`);
    await tenant.live.post(reply, { body: "Hello" }, 409, withKey("failed"));
    await set(`status = 'active'`);
    expect(replayed(await tenant.live.post(reply, { body: "Hello" }, 200, withKey("failed")))).toBeNull();

    await set("deleted_at = now()");
    await tenant.live.post(create, { question: "Q", answer: "A" }, 404, withKey("failed"));
    await set("deleted_at = null");
    expect(replayed(await tenant.live.post(create, { question: "Q", answer: "A" }, 201, withKey("failed")))).toBeNull();
  });

  test("is not used up by a wrong code for a new authenticator app, and the code counts", async () => {
    const { id: memberId, client } = await person(await tenant.owner());
    const { body: added } = await client.post("/api/me/second-factors", { type: "totp", name: "Phone" }, 201);
    const { secret } = added.totp!;
    const confirm = (code: string): Promise<Answer> =>
      client.post(`/api/me/second-factors/${added.id}/confirm`, { code }, undefined, withKey("code"));
    const wrong = codeOf(secret) === "000000" ? "111111" : "000000";
    expect((await confirm(wrong)).status).toBe(400);
    expect(await app.db.query("select tries from second_factor where member_id = $1", [memberId])).toEqual([
      { tries: 1 },
    ]);
    const code = codeOf(secret);
    const answers = await concurrently(5, () => confirm(code));
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [200, answers[0]!.text]));
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
  });

  test("is scoped to one caller, path, side and tenant", async () => {
    const owner = await tenant.owner();
    const other = await app.tenant();
    const shared = { name: "Ada" };
    const callers: [string, Client][] = [
      ["a key", tenant.live],
      ["another key", await keyFor(owner)],
      ["a member", owner],
      ["the test side", tenant.test],
      ["another tenant", other.live],
    ];
    const ids = new Set<string>();
    for (const [who, client] of callers) {
      const answer = await client.post("/api/contacts", shared, 201, withKey("mine"));
      expect([who, replayed(answer)]).toEqual([who, null]);
      ids.add(answer.body.id);
    }
    expect(ids.size).toBe(callers.length);

    const [one, two] = [await conversation(tenant), await conversation(tenant)];
    for (const path of [`${one}/messages`, `${one}/notes`, `${two}/messages`, `${two}/notes`]) {
      expect([
        path,
        replayed(await tenant.live.post(`/api/conversations/${path}`, { body: "same" }, 201, withKey("mine"))),
      ]).toEqual([path, null]);
    }
  });

  test("has no effect on other methods", async () => {
    const owner = await tenant.owner();
    const { id } = await keyFor(owner, { scopes: ["kb:read"] });
    await owner.patch(`/api/api-keys/${id}`, { name: "first" }, 200, withKey("patch"));
    expect((await owner.patch(`/api/api-keys/${id}`, { name: "second" }, 200, withKey("patch"))).body.name).toBe(
      "second",
    );
  });
});

describe("a repeated request", () => {
  test("gets the first response even if the resource was deleted, while a new request gets 404 and another body 422", async () => {
    const tenant = await app.tenant();
    const path = `/api/conversations/${await conversation(tenant)}/reply`;
    const first = await tenant.live.post(path, { body: "Hello" }, 200, withKey("gone"));
    await tenant.live.delete(`/api/workspaces/${tenant.defaults.workspaceId}`, 200);
    const again = await tenant.live.post(path, { body: "Hello" }, 200, withKey("gone"));
    expect([again.text, replayed(again)]).toEqual([first.text, "true"]);
    await tenant.live.post(path, { body: "Bye" }, 422, withKey("gone"));
    await tenant.live.post(path, { body: "Hello" }, 404, withKey("new"));
    await tenant.live.post(path, { body: "Hello" }, 404);
  });

  test("is checked for 401, 403 and 400 before its key is looked up", async () => {
    const tenant = await app.tenant();
    const owner = await tenant.owner();
    const email = `${randomUUID()}@example.com`;
    const { body: member } = await owner.post(
      "/api/members",
      { email, name: "Agent", role: "agent", workspaceIds: [tenant.defaults.workspaceId], password: PASSWORD },
      201,
    );
    const agent = await owner.login(email, PASSWORD);
    const path = `/api/conversations/${await conversation(tenant)}/reply`;
    const first = await agent.post(path, { body: "Hello" }, 200, withKey("order"));
    await agent.post(path, { body: 17 }, 400, withKey("order"));

    await owner.patch(`/api/members/${member.id}`, { role: "observer" }, 200);
    await agent.post(path, { body: "Hello" }, 403, withKey("order"));
    await owner.patch(`/api/members/${member.id}`, { role: "agent" }, 200);
    expect((await agent.post(path, { body: "Hello" }, 200, withKey("order"))).text).toBe(first.text);

    await owner.delete(`/api/members/${member.id}`, 200);
    await agent.post(path, { body: "Hello" }, 401, withKey("order"));
  });

  test("that creates or rotates an API key returns 409, and no table contains the raw key", async () => {
    const tenant = await app.tenant();
    const owner = await tenant.owner();
    const made = await owner.post("/api/api-keys", { name: "made", scopes: ["kb:read"] }, 201, withKey("raw"));
    await owner.post("/api/api-keys", { name: "made", scopes: ["kb:read"] }, 409, withKey("raw"));
    const rotated = await owner.post(`/api/api-keys/${made.body.id}/rotate`, {}, 201, withKey("raw"));
    await owner.post(`/api/api-keys/${made.body.id}/rotate`, {}, 409, withKey("raw"));
    // The search works: it finds the part of the key that may be shown.
    expect(await tablesWith(app.db, made.body.prefix)).toMatchObject({ api_key: 1 });
    for (const { body } of [made, rotated]) expect(await tablesWith(app.db, body.key)).toEqual({});
  });

  test("that adds a second factor or makes recovery codes returns 409, and no table contains the secrets", async () => {
    const { client } = await person(await (await app.tenant()).owner());
    const body = { type: "totp", name: "Phone" };
    const { totp, id } = (await client.post("/api/me/second-factors", body, 201, withKey("raw"))).body;
    await client.post("/api/me/second-factors", body, 409, withKey("raw"));
    // The repeat did not replace the app.
    await client.post(`/api/me/second-factors/${id}/confirm`, { code: codeOf(totp!.secret) }, 200);
    const path = "/api/me/second-factors/recovery-codes";
    const { codes } = (await client.post(path, undefined, 201, withKey("raw"))).body;
    await client.post(path, undefined, 409, withKey("raw"));
    for (const secret of [totp!.secret, codes[0]!]) expect(await tablesWith(app.db, secret)).toEqual({});
  });
});

describe("every authenticated POST", () => {
  let tenant: TestTenant;
  let owner: Client;
  let ownerId: string;
  let contactId: string;
  let accountId: string;
  let calendarId: string;
  let side: Side;
  beforeAll(async () => {
    tenant = await app.tenant();
    side = await sideOf(tenant);
    ({ owner, ownerId } = side);
    ({ calendarId } = await calendarFor(side));
    contactId = (await owner.post("/api/contacts", { name: "Ada" }, 201)).body.id;
    accountId = (await owner.post("/api/accounts", { name: "Analytical Engines" }, 201)).body.id;
  });

  const takesKey = ({ parameters = [] }: (typeof operations)[number]): boolean =>
    parameters.some(({ name }) => name === "Idempotency-Key");
  /** Every authenticated POST except those under `/api/auth/`. */
  const retried = operations.filter(
    (operation) =>
      operation.method === "POST" && operation["x-access"] !== "public" && !operation.path.startsWith("/api/auth/"),
  );

  interface Example {
    /** Who sends it. Default: the owner. Routes about the caller's own sign-in need a member of their own. */
    by?: () => Promise<Client>;
    id?: () => Promise<string>;
    body?: () => unknown;
    secret?: true;
  }

  const webhook = async (name: string): Promise<string> => makeFor({ name, resource: "webhook-endpoints" }, side);
  let newcomer: Client;
  const aNewcomer = async (): Promise<Client> => (newcomer = (await person(owner)).client);
  const withAnApp = async (): Promise<Client> => {
    await withApp(await aNewcomer());
    return newcomer;
  };
  let appSecret: string;
  const newApp = async (): Promise<string> => {
    const { body } = await newcomer.post("/api/me/second-factors", { type: "totp", name: "Phone" }, 201);
    appSecret = body.totp!.secret;
    return body.id;
  };

  const someKey = async (): Promise<string> => (await keyFor(owner, { scopes: ["kb:read"] })).id;
  const someChannel = async (): Promise<string> =>
    (
      await owner.post(
        `/api/workspaces/${tenant.defaults.workspaceId}/channels`,
        { type: "contact_form", name: "Form" },
        201,
      )
    ).body.id;
  const trippedBreaker = async (): Promise<string> => makeFor({ name: "tripped", resource: "circuit-breakers" }, side);
  const deadMessage = async (): Promise<string> => makeFor({ name: "dead", resource: "outbox" }, side);
  let sourceContactId: string;
  const twoContacts = async (): Promise<string> => {
    sourceContactId = (await tenant.live.post("/api/contacts", { name: "Ada" }, 201)).body.id;
    return (await tenant.live.post("/api/contacts", { name: "Ada" }, 201)).body.id;
  };
  const newConversation = () => ({
    workspaceId: tenant.defaults.workspaceId,
    contact: { name: "Ada", emails: ["ada@example.com"] },
    message: { body: "Hello" },
  });
  const newConversationId = async (): Promise<string> =>
    (await owner.post("/api/conversations", newConversation(), 201)).body.id;
  let renderedFor: string;
  const cannedReply = async (): Promise<string> => {
    renderedFor = await newConversationId();
    return makeFor({ name: "rendered", resource: "canned-replies" }, side);
  };
  const openItem = async (): Promise<string> => {
    const conversationId = await newConversationId();
    await app.transaction(tenant.tenantId, (tx) =>
      raise(tx, { conversationId, type: "csat_low", severity: "medium", reason: "1 of 5" }),
    );
    return (await owner.get(`/api/attention-items?conversationId=${conversationId}`, 200)).body.data[0]!.id;
  };
  let argumentsHash: string;
  const anAction = async (): Promise<string> => {
    const id = await makeFor({ name: "an action", resource: "pending-actions" }, side);
    ({ argumentsHash } = (await owner.get(`/api/pending-actions/${id}`, 200)).body);
    return id;
  };
  let questionId: string;
  const askedConversation = async (): Promise<string> => {
    const id = await newConversationId();
    questionId = (await owner.post(`/api/conversations/${id}/verification/questions`, {}, 200)).body.questions[0]!
      .questionId;
    return id;
  };
  let codeId: string;
  const codeConversation = async (): Promise<string> => {
    const id = await newConversationId();
    codeId = (await owner.post(`/api/conversations/${id}/verification/codes`, { channel: "email" }, 200)).body.codeId;
    return id;
  };
  const provenConversation = async (): Promise<string> => {
    const id = await askedConversation();
    await owner.post(`/api/conversations/${id}/verification/answers`, { questionId, answer: "Ada" }, 200);
    return id;
  };
  const workspace = () => Promise.resolve(tenant.defaults.workspaceId);
  const entry = { question: "How long?", answer: "Two days." };
  const policy = { title: "T", rule: "R", effect: "deny" };
  const newPolicy = async (status: string): Promise<string> =>
    (await owner.post(`/api/workspaces/${tenant.defaults.workspaceId}/policy-entries`, { ...policy, status }, 201)).body
      .id;
  const pendingEntry = async (): Promise<string> =>
    (
      await owner.post(
        `/api/workspaces/${tenant.defaults.workspaceId}/kb-entries`,
        { ...entry, status: "pending" },
        201,
      )
    ).body.id;

  /** A request that succeeds for each of those routes. */
  const EXAMPLES: Record<string, Example> = {
    "/api/members": { body: () => ({ email: `${randomUUID()}@example.com`, name: "Grace", role: "admin" }) },
    "/api/members/{id}/invite": {
      id: async () =>
        (await owner.post("/api/members", { email: `${randomUUID()}@example.com`, name: "Grace", role: "agent" }, 201))
          .body.id,
    },
    "/api/me/push-subscriptions": {
      body: () => ({
        endpoint: `https://nobody.invalid/${randomUUID()}`,
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg",
      }),
    },
    "/api/me/push-subscriptions/{id}/test": {
      id: () => makeFor({ name: "a browser", resource: "push-subscriptions" }, side),
    },
    "/api/me/second-factors": { by: aNewcomer, body: () => ({ type: "totp", name: "Phone" }), secret: true },
    "/api/me/second-factors/recovery-codes": { by: withAnApp, secret: true },
    "/api/me/second-factors/{id}/confirm": {
      by: aNewcomer,
      id: newApp,
      body: () => ({ code: codeOf(appSecret) }),
    },
    "/api/me/email-proof": { by: aNewcomer },
    "/api/api-keys": { body: () => ({ name: "k", scopes: ["kb:read"] }), secret: true },
    "/api/api-keys/{id}/rotate": { id: someKey, body: () => ({ overlapHours: 1 }), secret: true },
    "/api/api-keys/{id}/revoke": { id: someKey },
    "/api/workspaces": { body: () => ({ name: "Sales", brandId: tenant.defaults.brandId }) },
    "/api/brands": { body: () => ({ name: "Brand" }) },
    "/api/contacts": { body: () => ({ name: "Ada", emails: ["ada@example.com"] }) },
    "/api/contacts/bulk-actions": {
      body: () => ({ ids: [contactId], type: "label", add: ["vip"] }),
    },
    "/api/contacts/import": { body: () => new Blob(["name\nAda\n"], { type: "text/csv" }) },
    "/api/contacts/{id}/merge": { id: twoContacts, body: () => ({ sourceContactId }) },
    "/api/accounts": { body: () => ({ name: "Analytical Engines" }) },
    "/api/accounts/bulk-actions": { body: () => ({ ids: [accountId], type: "delete" }) },
    "/api/contacts/{id}/erasure": {
      id: async () => (await tenant.live.post("/api/contacts", { name: "Ada" }, 201)).body.id,
    },
    "/api/attachments": { body: () => fileForm("Hello") },
    "/api/conversations": { body: newConversation },
    "/api/conversations/search": { body: () => ({ query: "hello" }) },
    "/api/conversations/{id}/messages": { id: newConversationId, body: () => ({ body: "Are you there?" }) },
    "/api/conversations/{id}/reply": { id: newConversationId, body: () => ({ body: "Yes." }) },
    "/api/conversations/{id}/notes": { id: newConversationId, body: () => ({ body: "A note." }) },
    "/api/conversations/compose": {
      body: () => ({ workspaceId: tenant.defaults.workspaceId, contactId, body: "Hello" }),
    },
    "/api/conversations/{id}/participants": {
      id: async () => makeFor({ name: "POST /api/conversations/{id}/participants", resource: "conversations" }, side),
      body: () => ({ address: "grace@example.com" }),
    },
    "/api/messages/{id}/forward": {
      id: async () => makeFor({ name: "POST /api/messages/{id}/forward", resource: "messages" }, side),
      body: () => ({ to: ["grace@example.com"], attachments: false }),
    },
    "/api/messages/{id}/invitation": {
      id: async () => makeFor({ name: "POST /api/messages/{id}/invitation", resource: "messages" }, side),
      body: () => ({ answer: "accepted" }),
    },
    "/api/messages/{id}/cancel": {
      id: async () => makeFor({ name: "held", resource: "messages" }, side),
    },
    // Waits to be sent: nothing changes, however often.
    "/api/messages/{id}/retry": {
      id: async () => makeFor({ name: "held", resource: "messages" }, side),
    },
    "/api/canned-replies": { body: () => ({ shortcut: "delay", title: "A delay", body: "Hello {{contact.name}}" }) },
    "/api/canned-replies/{id}/render": {
      id: cannedReply,
      body: () => ({ conversationId: renderedFor }),
    },
    "/api/views": { body: () => ({ name: "Open", filter: { status: ["open"] } }) },
    "/api/conversations/{id}/resolve": { id: newConversationId, body: () => ({ resolution: "answered" }) },
    "/api/conversations/{id}/wait": { id: newConversationId },
    "/api/conversations/{id}/reopen": { id: newConversationId },
    "/api/conversations/{id}/snooze": { id: newConversationId, body: () => ({ until: "2099-01-01T00:00:00Z" }) },
    "/api/conversations/{id}/take-over": { id: newConversationId, body: () => ({ force: true }) },
    "/api/conversations/{id}/release": { id: newConversationId },
    "/api/conversations/{id}/assign": { id: newConversationId, body: () => ({ memberId: ownerId }) },
    "/api/conversations/{id}/unassign": { id: newConversationId },
    "/api/conversations/{id}/read": { id: newConversationId },
    "/api/conversations/{id}/unread": { id: newConversationId },
    "/api/conversations/{id}/labels": { id: newConversationId, body: () => ({ add: ["vip"] }) },
    "/api/bulk-actions": { body: () => ({ filter: { contactId }, action: { type: "read" } }) },
    "/api/labels": { body: () => ({ name: `Label ${randomUUID()}` }) },
    "/api/conversations/{id}/verification/questions": { id: newConversationId, body: () => ({ count: 1 }) },
    "/api/conversations/{id}/verification/answers": {
      id: askedConversation,
      body: () => ({ questionId, answer: "Ada" }),
    },
    "/api/conversations/{id}/verification/require": {
      id: provenConversation,
      body: () => ({ level: "identified", purpose: "a test" }),
    },
    "/api/conversations/{id}/verification/eid-requests": {
      id: newConversationId,
      body: () => ({ scheme: "bank-id", mode: "link" }),
    },
    "/api/eid-requests/{id}/confirm": {
      id: async () => makeFor({ name: "confirmed", resource: "eid-requests" }, side),
    },
    "/api/conversations/{id}/verification/codes": { id: newConversationId, body: () => ({ channel: "email" }) },
    "/api/conversations/{id}/verification/codes/verify": {
      id: codeConversation,
      body: () => ({ codeId, code: "123456" }),
    },
    "/api/conversations/{id}/verification/magic-links": { id: newConversationId, body: () => ({ channel: "email" }) },
    "/api/conversations/{id}/verification/unlock": { id: newConversationId },
    "/api/cases": { body: () => ({ workspaceId: tenant.defaults.workspaceId, title: "A parcel is lost" }) },
    "/api/workspaces/{workspaceId}/kb-widgets": {
      id: async () => tenant.defaults.workspaceId,
      body: () => ({ name: "Search" }),
    },
    "/api/workspaces/{workspaceId}/contact-form-widgets": {
      id: async () => tenant.defaults.workspaceId,
      body: () => ({ name: "Form" }),
    },
    "/api/workspaces/{workspaceId}/channels": {
      id: async () => tenant.defaults.workspaceId,
      body: () => ({ type: "contact_form", name: "Form" }),
    },
    "/api/channels/{id}/test": { id: someChannel },
    "/api/channels/{id}/retry-provisioning": { id: someChannel },
    "/api/outbox/{id}/retry": { id: deadMessage },
    "/api/calendar/connections": {
      body: () => ({
        workspaceId: tenant.defaults.workspaceId,
        serverUrl: "https://calendar.invalid/",
        username: "desk",
        password: "secret",
      }),
    },
    "/api/calendar/bookings": {
      body: () => ({ calendarId, title: "Fitting", startsAt: "2030-05-06T09:00:00Z", endsAt: "2030-05-06T10:00:00Z" }),
    },
    "/api/quality/circuit-breakers/{id}/resolve": { id: trippedBreaker, body: () => ({ note: "Mended" }) },
    "/api/case-types": { body: () => ({ key: `k${randomUUID()}`, name: "Refund" }) },
    "/api/attention-items/{id}/resolve": { id: openItem },
    "/api/workspaces/{workspaceId}/tools": {
      id: workspace,
      body: () => ({
        name: `tool-${randomUUID()}`,
        description: "Refunds",
        parameters: { type: "object" },
        effect: "write",
        url: "https://shop.example.com/refund",
      }),
    },
    "/api/workspaces/{workspaceId}/procedures": {
      id: workspace,
      body: () => ({
        name: `Steps ${randomUUID()}`,
        startsWith: { entries: [], phrases: [] },
        steps: [{ id: "hello", type: "say", text: "Hello" }],
      }),
    },
    "/api/workspaces/{workspaceId}/assistant-tests": {
      id: workspace,
      body: () => ({ name: `A test ${randomUUID()}`, turns: [{ says: "Hello" }] }),
    },
    "/api/workspaces/{workspaceId}/assistant-tests/run": { id: workspace, body: () => ({}) },
    "/api/workspaces/{workspaceId}/assistant-rehearsal": { id: workspace, body: () => ({ draft: {} }) },
    "/api/procedures/{id}/try": {
      id: async () => makeFor({ name: "tried", resource: "procedures" }, side),
      body: () => ({ messages: ["Hello"] }),
    },
    "/api/pending-actions/{id}/approve": {
      id: anAction,
      body: () => ({ argumentsHash }),
    },
    "/api/suggestions/{id}/outcome": {
      id: () => makeFor({ name: "suggested", resource: "suggestions" }, side),
      body: () => ({ outcome: "edited" }),
    },
    "/api/conversations/{id}/rewrite": {
      id: newConversationId,
      body: () => ({ text: "Hello", as: "shorter" }),
      secret: true,
    },
    "/api/conversations/{id}/summary": { id: newConversationId, body: () => ({}), secret: true },
    "/api/messages/{id}/translation": {
      id: async () => makeFor({ name: "translated", resource: "messages" }, side),
      body: () => ({ language: "de" }),
      secret: true,
    },
    "/api/pending-actions/{id}/reject": { id: anAction, body: () => ({ reason: "No" }) },
    "/api/workspaces/{workspaceId}/kb-entries": { id: workspace, body: () => entry },
    "/api/workspaces/{workspaceId}/kb-entries/import": {
      id: workspace,
      body: () => ({ format: "csv", content: "question,answer\nQ,A" }),
    },
    "/api/kb-entries/{id}/archive": {
      id: async () =>
        (await owner.post(`/api/workspaces/${tenant.defaults.workspaceId}/kb-entries`, entry, 201)).body.id,
    },
    "/api/kb-entries/{id}/approve": { id: pendingEntry },
    "/api/kb-entries/{id}/reject": { id: pendingEntry, body: () => ({ reason: "Outdated" }) },
    "/api/workspaces/{workspaceId}/sources": {
      id: workspace,
      body: () => ({ kind: "website", url: `https://docs.example.com/${randomUUID()}/` }),
    },
    "/api/sources/{id}/read": {
      id: async () => makeFor({ name: "read", resource: "sources" }, side),
    },
    "/api/workspaces/{workspaceId}/policy-entries": { id: workspace, body: () => policy },
    "/api/workspaces/{workspaceId}/policy-entries/import": {
      id: workspace,
      body: () => ({ format: "csv", content: "title,rule,effect\nT,R,deny" }),
    },
    "/api/workspaces/{workspaceId}/assistant/preview": { id: workspace, body: () => ({ margin: 0.1 }) },
    "/api/workspaces/{workspaceId}/policy-entries/evaluate": { id: workspace, body: () => ({ tool: "refund" }) },
    "/api/agents": { body: () => ({ name: "A", instructions: "Help", workspaceIds: [tenant.defaults.workspaceId] }) },
    "/api/policy-entries/{id}/archive": { id: () => newPolicy("approved") },
    "/api/policy-entries/{id}/approve": { id: () => newPolicy("pending") },
    "/api/policy-entries/{id}/reject": { id: () => newPolicy("pending"), body: () => ({ reason: "Outdated" }) },
    "/api/webhook-endpoints": {
      body: () => ({ url: "https://hooks.example.com/parley", events: ["message.sent"] }),
      secret: true,
    },
    "/api/webhook-endpoints/{id}/test": { id: () => webhook("POST /api/webhook-endpoints/{id}/test") },
    "/api/webhook-endpoints/{id}/rotate-secret": {
      id: () => webhook("POST /api/webhook-endpoints/{id}/rotate-secret"),
      secret: true,
    },
    "/api/webhook-endpoints/{id}/redeliver": {
      id: () => webhook("POST /api/webhook-endpoints/{id}/redeliver"),
      body: () => ({ since: "2020-01-01T00:00:00Z" }),
    },
    "/api/webhook-deliveries/{id}/redeliver": {
      id: async () => makeFor({ name: "redelivered", resource: "webhook-deliveries" }, side),
    },
  };

  test("repeated with its Idempotency-Key, returns the first response and has no second effect", async () => {
    expect(
      retried.map(({ path }) => path).filter((path) => !EXAMPLES[path]),
      "give an example of a request that succeeds",
    ).toEqual([]);
    const sent: { path: string; secret?: true; first: Answer; send: () => Promise<Answer> }[] = [];
    for (const { path } of retried) {
      const { by, id, body: content, secret } = EXAMPLES[path]!;
      const client = (await by?.()) ?? owner;
      const url = path.replace(/\{\w+\}/, (await id?.()) ?? "");
      const body = content?.();
      const send = (): Promise<Answer> => client.post(url, body, undefined, withKey("retry"));
      sent.push({ path, secret, first: await send(), send });
    }
    expect(
      sent.flatMap(({ path, first }) => ([200, 201].includes(first.status) ? [] : [[path, first.status, first.text]])),
    ).toEqual([]);
    await app.app.get(Afterwards).finished();
    const rows = await rowCounts(app.db);
    const repeat = async (some: typeof sent): Promise<unknown[]> => {
      const wrong: unknown[] = [];
      for (const { path, secret, first, send } of some) {
        const again = await send();
        const isRight = secret
          ? again.status === 409
          : again.status === first.status && again.text === first.text && replayed(again) === "true";
        if (!isRight) wrong.push([path, again.status, again.text, first.text]);
      }
      return wrong;
    };
    expect(await repeat(sent)).toEqual([]);
    await app.app.get(Afterwards).finished();
    if (JSON.stringify(await rowCounts(app.db)) === JSON.stringify(rows)) return;
    // Some repeat had an effect. The next one has it again, and tells which.
    for (const one of sent) {
      const before = await rowCounts(app.db);
      await repeat([one]);
      expect([one.path, await rowCounts(app.db)]).toEqual([one.path, before]);
    }
    expect(await rowCounts(app.db)).toEqual(rows);
  });

  test("openapi.json documents the Idempotency-Key on exactly these routes", () => {
    expect(operations.filter(takesKey).map(({ method, path }) => `${method} ${path}`)).toEqual(
      retried.map(({ path }) => `POST ${path}`),
    );
  });
});
