import { afterAll, beforeAll, expect, test } from "vitest";
import { type Side, sideOf, signIn } from "../contract/fixtures.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";

// What an operator's screen shows of a conversation, in one request.

let app: TestApp;
let tenant: TestTenant;
let side: Side;
let ada: Client;
let id: string;
let contactId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  side = await sideOf(tenant);
  ada = await signIn(side, "agent");
  const { body } = await tenant.live.post(
    "/api/conversations",
    { workspaceId: tenant.defaults.workspaceId, contact: { name: "Grace" } },
    201,
  );
  ({ id, contactId } = body);
  for (const text of ["Hello", "👍", "Are you there?"])
    await tenant.live.post(`/api/conversations/${id}/messages`, { body: text }, 201);
  await ada.put(`/api/conversations/${id}/draft`, { body: "It left" }, 200);
  await ada.post(
    "/api/cases",
    { workspaceId: tenant.defaults.workspaceId, contactId, conversationIds: [id], title: "Late" },
    201,
  );
});
afterAll(() => app.close());

const path = (more = ""): string => `/api/conversations/${id}/overview${more}`;

test("each part is what its own route answers", async () => {
  const { body } = await ada.get<Record<string, unknown>>(path(), 200);
  const own: Record<string, string> = {
    conversation: `/api/conversations/${id}`,
    messages: `/api/conversations/${id}/messages?order=desc&limit=50`,
    identityEvents: `/api/conversations/${id}/identity-events`,
    assurance: `/api/conversations/${id}/assurance`,
    viewers: `/api/conversations/${id}/viewers`,
    draft: `/api/conversations/${id}/draft`,
    otherConversations: `/api/conversations?contactId=${contactId}&limit=10`,
    cases: `/api/cases?conversationId=${id}&limit=10`,
    contactCases: `/api/cases?contactId=${contactId}&limit=10`,
    bookings: `/api/calendar/bookings?contactId=${contactId}&limit=10`,
  };
  expect(Object.keys(body)).toEqual(Object.keys(own));
  for (const [part, route] of Object.entries(own))
    expect(body[part], part).toEqual((await ada.get<object>(route, 200)).body);
  expect(body).toMatchObject({ messages: { data: [{ body: "Are you there?" }, {}, {}] }, draft: { body: "It left" } });
  expect(body).toMatchObject({ cases: { data: [{ title: "Late" }] } });
});

test("only the parts that were asked for, whatever the client has cached", async () => {
  const messages = await ada.get(`/api/conversations/${id}/messages?order=desc&limit=50`, 200);
  const { body } = await ada.get<Record<string, unknown>>(path("?parts=messages,assurance"), 200, {
    headers: { "if-none-match": messages.headers.get("etag")! },
  });
  expect(Object.keys(body)).toEqual(["assurance", "messages"]);
  expect(body.messages).toEqual(messages.body);
  expect((await ada.get(path("?parts=messages,secrets"), 400)).text).toMatch(/parts/);
});

test("an observer sees everything but drafts, and nobody sees another workspace", async () => {
  const observer = await signIn(side, "observer");
  expect((await observer.get<Record<string, unknown>>(path(), 200)).body).not.toHaveProperty("draft");
  await observer.get(path("?parts=draft"), 403);
  const outside = await signIn(side, "agent", []);
  await outside.get(path(), 404);
  await tenant.live.get(path(), 403);
});
