import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ApiKeyVerifier } from "../../../src/auth/api-keys/api-key.verifier.js";
import { AssistantTestChangeEntity, AssistantTestRunEntity } from "../../../src/learning/rehearsal/rehearsal.entity.js";
import { Afterwards } from "../../../src/platform/jobs/afterwards.js";
import { recordIdentityEvent } from "../../../src/identity/events/identity-event.js";
import { assist } from "../assistant/support.js";
import {
  attach,
  environmentOf,
  idFor,
  makeFor,
  pendingAction,
  sharedIdFor,
  type Side,
  sideOf,
  signIn,
} from "../contract/fixtures.js";
import { PROTECTED, type Route, withName } from "../../support/routes.js";
import { eventually } from "../../support/eventually.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { operations, resolved } from "../../support/contract.js";
import { everyNth } from "../../support/sweep.js";
import { ask, type RawAnswer } from "./http.js";

let app: TestApp;
let tenant: TestTenant;
let live: Side;
let testSide: Side;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  live = await sideOf(tenant);
  testSide = await sideOf(tenant, "test");
  // Writes the last use of the keys now, so that it does not change while lists are compared.
  await app.app.get(ApiKeyVerifier, { strict: false }).beforeApplicationShutdown();
});
afterAll(() => app.close());

/** The link of an attachment changes every second, a stream does not end, and a sign-in begins with new secrets each time. */
const UNPOLLED = ["GET /api/attachments/{id}", "GET /api/events", "GET /api/channels/{id}/sign-in"];
const READS = PROTECTED.filter(({ method, name }) => method === "GET" && !UNPOLLED.includes(name));
const sideFor = (route: Route): Side => (environmentOf(route) === "test" ? testSide : live);
const make = (resource: string, side = live): Promise<string> => makeFor({ name: "changed", resource }, side);

/** Changes what the list shows in the object that the path names. A new list needs an entry here. test/server/feed has GET /api/changes. */
const CHANGE: Record<string, (id: string) => Promise<unknown>> = {
  "GET /api/members": () => make("members"),
  "GET /api/me/sessions": () => tenant.owner("test"),
  // On the other side, whose log is that of the live side, and after the answer.
  "GET /api/security-log": async () => {
    const sign = { email: tenant.ownerEmail, password: `not ${PASSWORD}`, environment: "test" };
    await live.owner.as(undefined).post("/api/auth/login", sign, 401);
    await app.app.get(Afterwards).finished();
  },
  "GET /api/api-keys": () => make("api-keys"),
  "GET /api/brands": () => live.owner.post("/api/brands", { name: "Another" }, 201),
  "GET /api/workspaces": () => make("workspaces"),
  "GET /api/workspaces/{workspaceId}/channels": (id) =>
    app.db.query(`update channel set name = 'Renamed' where workspace_id = $1`, [id]),
  "GET /api/contacts": () => make("contacts"),
  "GET /api/contacts/search": () => live.key.post("/api/contacts", { name: "A question" }, 201),
  "GET /api/accounts": () => make("accounts"),
  "GET /api/accounts/search": () => live.key.post("/api/accounts", { name: "A question" }, 201),
  "GET /api/accounts/{id}/contacts": async (id) =>
    live.key.put(`/api/contacts/${await make("contacts")}/account`, { accountId: id }, 200),
  "GET /api/conversations": () => make("conversations"),
  "GET /api/conversation-counts": () => make("conversations"),
  "GET /api/attention-items": () => make("attention-items"),
  "GET /api/pending-actions": () => make("pending-actions"),
  "GET /api/audit-log": () => make("brands"),
  "GET /api/calendar/connections": () => make("connections"),
  "GET /api/calendar/connections/{id}/calendars": (id) =>
    app.db.query(`update calendar set name = 'Renamed' where connection_id = $1`, [id]),
  "GET /api/calendar/bookings": () => make("bookings"),
  "GET /api/cases": () => make("cases"),
  "GET /api/cases/{id}/events": (id) => live.owner.patch(`/api/cases/${id}`, { title: "Renamed" }, 200),
  "GET /api/labels": () => make("labels"),
  "GET /api/case-types": () => make("case-types"),
  "GET /api/conversations/{id}/attachments": (id) => attach(live, id),
  "GET /api/conversations/{id}/messages": (id) =>
    live.key.post(`/api/conversations/${id}/messages`, { body: "Hello again" }, 201),
  "GET /api/conversations/{id}/agent-activity": async (id) => {
    await live.key.post(`/api/conversations/${id}/release`, {}, 200);
    await live.key.post(`/api/conversations/${id}/messages`, { body: "Hello again" }, 201);
    await assist(app);
  },
  "GET /api/conversations/{id}/pending-actions": (id) => pendingAction(live, id),
  "GET /api/workspaces/{workspaceId}/tools": () => make("tools"),
  "GET /api/workspaces/{workspaceId}/procedures": () => make("procedures"),
  "GET /api/workspaces/{workspaceId}/assistant-tests": () => make("assistant-tests"),
  "GET /api/assistant-tests/runs/{id}/conversations": (id) =>
    app.transaction(live.tenantId, async (tx) => {
      const { workspaceId } = await tx.findOrThrow(AssistantTestRunEntity, { id });
      tx.changesWorkspace(workspaceId);
      await tx.update(AssistantTestChangeEntity, { runId: id }, { turn: 2 });
    }),
  "GET /api/workspaces/{workspaceId}/assignees": () => signIn(live, "agent"),
  "GET /api/conversations/{id}/participants": (id) =>
    live.key.post(`/api/conversations/${id}/participants`, { address: "henry@example.com" }, 201),
  "GET /api/conversations/{id}/viewers": async (id) =>
    (await signIn(live, "agent")).put(`/api/conversations/${id}/viewing`, { state: "viewing" }, 200),
  "GET /api/canned-replies": () => make("canned-replies"),
  "GET /api/views": () => make("views"),
  "GET /api/conversations/{conversationId}/identity-events": (id) =>
    app.transaction(live.tenantId, (tx) =>
      recordIdentityEvent(
        tx,
        { conversationId: id, transitionKey: "blocked" },
        { eventType: "ani_blocked", scopeDimension: "caller_ani", scopeValues: ["+4930901820"] },
      ),
    ),
  "GET /api/webhook-endpoints": () => make("webhook-endpoints"),
  "GET /api/webhook-endpoints/{id}/deliveries": (id) => live.owner.post(`/api/webhook-endpoints/${id}/test`, {}, 201),
  "GET /api/workspaces/{workspaceId}/sources": () => make("sources"),
  "GET /api/workspaces/{workspaceId}/kb-entries": () => make("kb-entries"),
  "GET /api/workspaces/{workspaceId}/kb-entries/pending": () => make("kb-entries"),
  "GET /api/workspaces/{workspaceId}/kb-entries/search": (id) =>
    live.key.post(`/api/workspaces/${id}/kb-entries`, { question: "A question", answer: "An answer" }, 201),
  "GET /api/kb-entries/{id}/versions": (id) => live.key.patch(`/api/kb-entries/${id}`, { answer: "Better" }, 200),
  "GET /api/kb-entries/{id}/similar": (id) => live.key.patch(`/api/kb-entries/${id}`, { answer: "Better" }, 200),
  "GET /api/outbox": () => make("outbox"),
  "GET /api/workspaces/{workspaceId}/kb-widgets": () => make("kb-widgets"),
  "GET /api/workspaces/{workspaceId}/contact-form-widgets": () => make("contact-form-widgets"),
  "GET /api/workspaces/{workspaceId}/policy-entries": () => make("policy-entries"),
  "GET /api/workspaces/{workspaceId}/policy-entries/pending": () => make("policy-entries"),
  "GET /api/workspaces/{workspaceId}/policy-entries/search": (id) =>
    live.key.post(
      `/api/workspaces/${id}/policy-entries`,
      { title: "A question", rule: "Of rules", effect: "deny" },
      201,
    ),
  "GET /api/policy-entries/{id}/versions": (id) => live.key.patch(`/api/policy-entries/${id}`, { rule: "Better" }, 200),
  "GET /api/policy-entries/{id}/similar": (id) => live.key.patch(`/api/policy-entries/${id}`, { rule: "Better" }, 200),
  "GET /api/agents": () => make("agents"),
  "GET /api/agents/{id}/instructions/versions": (id) =>
    live.key.put(`/api/agents/${id}/instructions`, { instructions: "Help more" }, 200),
  "GET /api/quality/csat/ratings": () => make("csat-ratings"),
  "GET /api/quality/scores": () => make("circuit-breakers"),
  "GET /api/quality/circuit-breakers": () => make("circuit-breakers"),
  "GET /api/reports/conversations": () => make("conversations"),
  "GET /api/captured-messages": () =>
    testSide.owner.post("/api/members", { email: "captured@example.com", name: "C", role: "agent" }, 201),
};

type Reader = (validator?: string) => Promise<RawAnswer>;

const readerOf =
  (route: Route, id = ""): Reader =>
  (validator) =>
    ask(app.baseUrl, {
      path: withName(route.path)
        .replace(/\{[^}]+\}/, id)
        .replace(/search$/, "$&?q=question"),
      headers: {
        authorization: `Bearer ${sideFor(route).owner.token}`,
        ...(validator === undefined ? {} : { "if-none-match": validator }),
      },
    });

/** Reads twice without a change in between: the last use of a key appears a second later. */
const settled = (read: (validator?: string) => Promise<RawAnswer>): Promise<RawAnswer> =>
  vi.waitFor(
    async () => {
      const first = await read();
      expect((await read(first.headers.etag)).status).toBe(304);
      return first;
    },
    { timeout: 100_000 },
  );

test("every list has a change in this file", () => {
  const lists = operations.filter(({ method, path, responses }) => {
    // The public routes have tests of their own, and so does the feed.
    if (path.startsWith("/api/public/") || path === "/api/changes") return false;
    const schema = resolved(responses[200]?.content?.["application/json"]?.schema ?? {}) as {
      type?: string;
      properties?: object;
    };
    return (
      method === "GET" &&
      (schema.type === "array" ||
        (schema.properties && ("data" in schema.properties || /\/(identity-events|conversation-counts)$/.test(path))))
    );
  });
  expect(lists.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(CHANGE).sort());
});

test.each(READS.map((route): [string, Route] => [route.name, route]))(
  "%s answers 304 without a body to the current ETag",
  async (_, route) => {
    const read = readerOf(route, await sharedIdFor(route, sideFor(route)));
    const turn = READS.indexOf(route);
    // If the process learns late of an earlier write, the ETag is renewed in between. Then this begins again.
    const etag = await vi.waitFor(
      async () => {
        const { etag: current } = (await settled(read)).headers;
        expect(current).toMatch(/^"[\w.-]{20,}"$/);
        // Some of them on each route, others on the next one.
        const validators = [current!, `W/${current}`, `"other", ${current}`, `"a",W/"b",${current}`, "*"];
        for (const validator of everyNth(validators, 2, turn)) {
          const again = await read(validator);
          expect([validator, again.status, again.text]).toEqual([validator, 304, ""]);
          expect(again.headers.etag).toBe(current);
          expect(again.headers["x-request-id"]).toBeTruthy();
          expect(again.headers["content-type"]).toBeUndefined();
        }
        return current!;
      },
      { timeout: 100_000 },
    );
    for (const validator of everyNth(['"other"', etag.slice(1, -1), etag.toUpperCase(), `"${etag.slice(2)}`], 2, turn))
      expect([validator, (await read(validator)).status]).toEqual([validator, 200]);
  },
);

describe("a changed list", () => {
  test.each(READS.filter(({ name }) => name in CHANGE).map((route): [string, Route] => [route.name, route]))(
    "is sent again with a new ETag (%s)",
    async (name, route) => {
      // A new one, which the change and nothing else changes.
      const id = await idFor(route, sideFor(route));
      const read = readerOf(route, id);
      const before = await settled(read);
      await CHANGE[name]!(id ?? "");
      const after = await read(before.headers.etag);
      expect(after.status).toBe(200);
      expect(after.headers.etag).not.toBe(before.headers.etag);
      expect(after.text).not.toBe(before.text);
    },
  );
});

test("callers who see different content get different ETags, and no 304 for each other's", async () => {
  const foreign: number[] = [];
  // Again, if what a test before caused changes something in between. No round may have a 304 for another's.
  await eventually(async () => {
    const etag = (await live.key.get("/api/workspaces", 200)).headers.get("etag")!;
    const options = { headers: { "if-none-match": etag } };
    foreign.push((await testSide.key.get("/api/workspaces", undefined, options)).status);
    expect((await live.key.get("/api/workspaces", undefined, options)).status).toBe(304);
  });
  expect(new Set(foreign)).toEqual(new Set([200]));
});

test("an ETag grants no access: without credentials it is 401, for a missing object 404", async () => {
  const etag = (await live.key.get("/api/workspaces", 200)).headers.get("etag")!;
  for (const validator of [etag, "*"]) {
    expect((await ask(app.baseUrl, { path: "/api/workspaces", headers: { "if-none-match": validator } })).status).toBe(
      401,
    );
    expect(
      (
        await live.key.get("/api/contacts/01890000-0000-7000-8000-000000000000", undefined, {
          headers: { "if-none-match": validator },
        })
      ).status,
    ).toBe(404);
  }
});
