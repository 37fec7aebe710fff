import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { PASSWORD, startApp, type TestApp } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { inTurn } from "../../support/in-turn.js";
import { type Attempt, badKeys, badSessions, malformed, resigned } from "./credentials.js";
import { bodyFor, send, sharedIdFor, type Side, sideOf, signIn, snapshot, urlOf } from "./fixtures.js";
import { each, PROTECTED, type Route, ROUTES } from "../../support/routes.js";

let app: TestApp;
let anonymous: Client;
let side: Side;
let attempts: Attempt[];
beforeAll(async () => {
  app = await startApp();
  anonymous = app.client();
  side = await sideOf(await app.tenant());
  const other = await sideOf(await app.tenant());
  attempts = [...malformed(side.key.token!), ...(await badKeys(app, side)), ...(await badSessions(side, other))];
});
afterAll(() => app.close());

const UNAUTHORIZED = '401 {"error":"Unauthorized"}';

/** Signing out comes last: if it were accepted, it would end the session that the others use. */
const TRIED = [...PROTECTED].sort((a, b) => Number(a.path.endsWith("/logout")) - Number(b.path.endsWith("/logout")));

test('every route returns 401 with exactly {error: "Unauthorized"} without one valid credential in the right place, and changes nothing', async () => {
  const tried = [];
  for (const route of TRIED) tried.push({ route, id: await sharedIdFor(route, side), good: bodyFor(route, side) });
  const before = await snapshot(app.db);
  const wrong: string[] = [];
  for (const [turn, { route, id, good }] of tried.entries()) {
    // Some of them on each route, others on the next one.
    for (const { what, authorization, headers, query, body } of inTurn(attempts, { few: 8, whole: 3 }, turn)) {
      if (body !== undefined && !route.takesBody) continue;
      const request = {
        id,
        query,
        body: typeof body === "object" ? { ...good, ...body } : (body ?? good),
        headers: { ...(authorization === undefined ? {} : { authorization }), ...headers },
      };
      const { status, text } = await send(anonymous, route, request);
      if (`${status} ${text}` !== UNAUTHORIZED) wrong.push(`${route.name}, ${what}: ${status} ${text}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(await snapshot(app.db)).toEqual(before);
}, 600_000);

test("HEAD is guarded like GET on every route", async () => {
  const open: string[] = [];
  for (const route of PROTECTED.filter(({ method }) => method === "GET")) {
    const url = app.baseUrl + urlOf(route, { id: await sharedIdFor(route, side) });
    const { status } = await fetch(url, { method: "HEAD" });
    if (status !== 401) open.push(`${route.name}: ${status}`);
  }
  expect(open).toEqual([]);
});

test("a token that combines one member's session with another member is refused, even while the session is cached", async () => {
  const agent = await signIn(side, "agent");
  const mixed = agent.as(await resigned(agent.token!, { sub: decodeJwt(side.owner.token!).sub }));
  await mixed.get("/api/me", 401);
  await agent.get("/api/me", 200);
  await mixed.get("/api/me", 401);
});

test("removing a member or a role on one side also applies to sessions on the other side", async () => {
  const member = await signIn(side, "admin");
  const onTest = await anonymous.login(member.email, PASSWORD, "test");
  const becomes = (status: number) =>
    vi.waitFor(async () => expect((await onTest.get("/api/api-keys")).status).toBe(status), {
      timeout: 100_000,
      interval: 100,
    });
  await onTest.get("/api/api-keys", 200);
  await side.owner.patch(`/api/members/${member.id}`, { role: "observer" }, 200);
  await becomes(403);
  await side.owner.delete(`/api/members/${member.id}`, 200);
  await becomes(401);
});

test("the scheme is case-insensitive: the same key is accepted as bearer, Bearer and BEARER", async () => {
  for (const scheme of ["bearer", "Bearer", "BEARER"])
    await anonymous.get("/api/me", 200, { headers: { authorization: `${scheme} ${side.key.token}` } });
});

/** What each public route returns without a credential or with an invalid one of its own: 404 is a page, 400 a missing id. */
const PUBLIC: Record<string, { body?: object; status: 200 | 303 | 400 | 401 | 404 }> = {
  "GET /healthz": { status: 200 },
  "GET /readyz": { status: 200 },
  "GET /api/public/verifications/{token}": { status: 404 },
  "POST /api/public/verifications/{token}": { status: 404 },
  "GET /api/public/eid/start/{token}": { status: 404 },
  "POST /api/public/eid/start/{token}": { status: 404 },
  "GET /api/public/csat/{token}": { status: 404 },
  "POST /api/public/csat/{token}": { status: 404 },
  "GET /api/public/eid/callback": { status: 404 },
  "POST /api/auth/login": { body: { email: "nobody@example.com", password: "a wrong password" }, status: 401 },
  "POST /api/auth/second-factor": { body: { token: "not-a-sign-in", code: "123456" }, status: 401 },
  "POST /api/auth/refresh": { status: 401 },
  "POST /api/auth/password": { body: { token: "not-an-invitation", password: "a new password" }, status: 401 },
  // The answer is the same whether or not a member has the email.
  "POST /api/auth/password-reset": { body: { email: "nobody@example.com" }, status: 200 },
  "GET /api/auth/external": { status: 200 },
  // No provider is configured. test/server/auth covers one that is.
  "GET /api/auth/external/start": { status: 404 },
  "GET /api/auth/external/callback": { status: 404 },
  // Without the cookie of a sign-in it leads to the dashboard, which says so.
  "GET /api/public/channels/sign-in/callback": { status: 303 },
  "POST /api/auth/email-proof": { body: { token: "not-a-link" }, status: 401 },
  "GET /widgets/{file}": { status: 404 },
  "GET /api/public/attachments/{token}": { status: 401 },
  "GET /api/public/logos/{tenantId}/{id}": { status: 400 },
  "POST /api/webhooks/channels/{channelId}": { body: {}, status: 400 },
  "POST /api/webhooks/mail/{channelId}/mime": { body: {}, status: 400 },
  // An unknown chat. test/server/webchat covers existing chats.
  "POST /api/public/webchat/{publicKey}/sessions": { body: {}, status: 404 },
  "POST /api/public/webchat/{publicKey}/messages": { body: { body: "x", clientMessageId: "x" }, status: 404 },
  "POST /api/public/webchat/{publicKey}/typing": { body: { typing: true }, status: 404 },
  "GET /api/public/webchat/{publicKey}/messages": { status: 404 },
  "POST /api/public/webchat/{publicKey}/attachments": { status: 404 },
  "GET /api/public/webchat/{publicKey}/stream": { status: 404 },
  "GET /api/public/kb-widgets/{publicKey}": { status: 404 },
  "GET /api/public/kb-widgets/{publicKey}/search": { status: 404 },
  "GET /api/public/contact-form-widgets/{publicKey}": { status: 404 },
  "POST /api/public/contact-form-widgets/{publicKey}/submissions": {
    body: { email: "nobody@example.com", message: "Hello" },
    status: 404,
  },
  "POST /api/webhooks/auth-provider": {
    body: {
      type: "organization.created",
      timestamp: "2026-01-01T00:00:00Z",
      data: { id: "org", name: "Org", owner: { email: "o@example.com", name: "O" } },
    },
    status: 401,
  },
};
const isPublic = ({ access }: Route): boolean => access === "public";

test.each(each(ROUTES.filter(isPublic)))(
  "%s, which is public, ignores API keys and checks its own credential if it has one",
  async (name, route) => {
    const { body, status } = PUBLIC[name]!;
    for (const headers of [
      {},
      { authorization: "nonsense" },
      { authorization: `Bearer ${side.key.token}` },
      { authorization: `Bearer ${side.owner.token}` },
    ]) {
      const answer = await send(anonymous, route, { body, headers: headers as Record<string, string> });
      expect(`${answer.status} ${answer.text}`).toMatch(
        {
          200: /^200 \{("ok":true|"name":null)\}$/,
          303: /^303 $/,
          400: /^400 \{"error":"The id in the path is not a UUID"\}$/,
          401: UNAUTHORIZED,
          404: /^404 (<!doctype html>|\{"error":"Not found"\}$)/,
        }[status],
      );
    }
  },
);
