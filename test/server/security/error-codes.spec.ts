import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { Client } from "../../support/client.js";
import { newAgent, UNKNOWN_ID } from "../e2e/support.js";
import { ask, type RawAnswer, speak } from "./http.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let agent: Client;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  agent = await newAgent(owner, [tenant.defaults.workspaceId]);
});
afterAll(() => app.close());

type Says = [status: number, code: string | null, detail: string | null];
const says = ({ status, headers }: { status: number; headers: Headers }): Says => [
  status,
  headers.get("x-error-code"),
  headers.get("x-error-detail"),
];
const rawSays = ({ status, headers }: RawAnswer): unknown[] => [status, headers["x-error-code"]];

describe("a refusal", () => {
  test("says what is missing, where the body is `Forbidden`: a scope, a session, a role or a setting", async () => {
    const writer = await keyFor(owner, { scopes: ["contacts:write"] });
    const hook = { url: "https://example.com/hook", events: ["message.received"] };
    const kinds: [Promise<{ status: number; text: string; headers: Headers }>, string, string][] = [
      [writer.get("/api/contacts"), "scope-missing", "needs contacts:read"],
      [writer.get("/api/changes"), "scope-missing", "needs a scope that ends in :read"],
      [writer.get("/api/members"), "members-only", "takes a member's session"],
      [agent.get("/api/audit-log"), "role-missing", "takes the role owner or admin"],
      [
        agent.post("/api/canned-replies", { shortcut: "hi", title: "Hi", body: "Hello" }),
        "role-missing",
        "takes the role owner or admin",
      ],
      [owner.get("/api/webhook-endpoints"), "webhooks-off", "turn on webhooksPreview: PATCH /api/tenant"],
      [owner.post("/api/webhook-endpoints", hook), "webhooks-off", "turn on webhooksPreview: PATCH /api/tenant"],
    ];
    for (const [request, code, detail] of kinds) {
      const answer = await request;
      expect(says(answer)).toEqual([403, code, detail]);
      expect(answer.text).toBe('{"error":"Forbidden"}');
    }
  });

  test("tells nothing of what exists: the same for an id that exists and for one that does not", async () => {
    const { id } = (await tenant.live.post("/api/contacts", { name: "Ada" }, 201)).body;
    const reader = await keyFor(owner, { scopes: ["kb:read"] });
    const foreign = (await app.tenant()).live;
    for (const client of [reader, foreign]) {
      const [known, unknown] = [
        await client.get(`/api/contacts/${id}`),
        await client.get(`/api/contacts/${UNKNOWN_ID}`),
      ];
      expect(says(known)).toEqual(says(unknown));
      expect(known.text).toBe(unknown.text);
    }
  });

  test("names the field of an id that is not found, unless it is in the path", async () => {
    const { workspaceId } = tenant.defaults;
    const contact = { name: "Ada" };
    const message = { body: "Hello" };
    const starts: [object, string][] = [
      [{ workspaceId: UNKNOWN_ID, contact }, "no such workspaceId"],
      [{ workspaceId, contactId: UNKNOWN_ID }, "no such contactId"],
      [{ workspaceId, contact, channelId: UNKNOWN_ID }, "no such channelId"],
      [
        { workspaceId, contact, message: { ...message, attachmentIds: [UNKNOWN_ID] } },
        "no such attachment in attachmentIds",
      ],
    ];
    for (const [body, detail] of starts) {
      const answer = await tenant.live.post("/api/conversations", body);
      expect(says(answer)).toEqual([404, "not-found", detail]);
      expect(answer.text).toBe('{"error":"Not found"}');
    }
    const dataScope = { level: "workspace", workspaceId: UNKNOWN_ID };
    expect(says(await owner.post("/api/api-keys", { name: "x", scopes: ["kb:read"], dataScope }))).toEqual([
      404,
      "not-found",
      "no such workspaceId in dataScope",
    ]);
    expect(says(await owner.get(`/api/contacts/${UNKNOWN_ID}`))).toEqual([404, "not-found", null]);
  });

  test("of a page whose origin is not allowed says so, and the page can read it", async () => {
    const { body: channels } = await tenant.live.get(`/api/workspaces/${tenant.defaults.workspaceId}/channels`, 200);
    const { id, address } = channels.find(({ type }) => type === "webchat")!;
    const settings = { allowedOrigins: ["https://www.example.com"] };
    await tenant.live.patch(`/api/channels/${id}`, { settings }, 200);
    const origin = 'http://localhost:8080/"><script>';
    const answer = await app.client().post(`/api/public/webchat/${address}/sessions`, {}, 403, { headers: { origin } });
    expect(says(answer)).toEqual([403, "origin-refused", "the page's origin is not among allowedOrigins"]);
    expect(answer.headers.get("access-control-expose-headers")).toContain("X-Error-Code, X-Error-Detail");
    const widget = await tenant.live.post(
      `/api/workspaces/${tenant.defaults.workspaceId}/kb-widgets`,
      { name: "Help", allowedOrigins: settings.allowedOrigins },
      201,
    );
    const look = await app
      .client()
      .get(`/api/public/kb-widgets/${widget.body.publicKey}`, 403, { headers: { origin } });
    expect(says(look)).toEqual(says(answer));
  });
});

describe("a failure", () => {
  test("of a cursor, an archived workspace and a repeated request has a code that says more than its status", async () => {
    await tenant.live.post("/api/contacts", { name: "Grace" }, 201);
    const { nextCursor } = (await tenant.live.get("/api/contacts?limit=1", 200)).body;
    const foreign = await tenant.live.get(`/api/conversations?cursor=${nextCursor}`, 400);
    expect(says(foreign)).toEqual([400, "cursor-foreign", null]);
    expect(says(await tenant.live.get("/api/changes?after=x", 400))).toEqual([400, "cursor-foreign", null]);

    const { id } = (
      await tenant.live.post(
        "/api/workspaces",
        { name: "Old", brandId: tenant.defaults.brandId, primaryLanguage: "en" },
        201,
      )
    ).body;
    await tenant.live.patch(`/api/workspaces/${id}`, { status: "archived" }, 200);
    const archived = await tenant.live.post("/api/conversations", { workspaceId: id, contact: { name: "Ada" } }, 409);
    expect(says(archived)).toEqual([409, "workspace-archived", null]);

    const headers = { "idempotency-key": "a-secret-is-in-the-answer" };
    const key = { name: "once", scopes: ["kb:read"] };
    await owner.post("/api/api-keys", key, 201, { headers });
    expect(says(await owner.post("/api/api-keys", key, 409, { headers }))).toEqual([409, "answer-not-kept", null]);
  });

  test("before a route is reached has a code, too", async () => {
    const host = `Host: ${new URL(app.baseUrl).host}\r\n`;
    const raw: [string, number, string][] = [
      [`GET /api/me HTTP/1.1\r\n${host}Expect: the-impossible\r\nConnection: close\r\n\r\n`, 417, "bad-request"],
      [`GET /api/me HTTP/1.1\r\n${host}X: ${"x".repeat(20_000)}\r\n\r\n`, 431, "headers-too-large"],
      [`BREW /api/me HTTP/1.1\r\n${host}\r\n`, 405, "method-not-allowed"],
      ["nonsense\r\n\r\n", 400, "bad-request"],
      ["GET /api/me HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "bad-request"],
    ];
    for (const [bytes, ...expected] of raw) expect(rawSays((await speak(app.baseUrl, bytes))!)).toEqual(expected);
    const html = { accept: "text/html" };
    const asked: [Parameters<typeof ask>[1], number, string][] = [
      [{ path: `/${"x".repeat(600)}` }, 404, "not-found"],
      [{ path: "/nothing", headers: html }, 404, "not-found"],
      [{ path: "/api/public/verifications/unknown", headers: html }, 404, "not-found"],
      [{ method: "PUT", path: "/api/contacts" }, 405, "method-not-allowed"],
    ];
    for (const [request, ...expected] of asked) expect(rawSays(await ask(app.baseUrl, request))).toEqual(expected);
  });

  test("of a client that asks too often has a code, and a page of another origin can read it", async () => {
    const limited = await startApp({ RATE_LIMIT_PER_MINUTE: 1 }, app.db);
    try {
      const path = "/api/public/kb-widgets/unknown";
      await new Client(limited.baseUrl).get(path);
      const answer = await new Client(limited.baseUrl).get(path, 429);
      expect(says(answer)).toEqual([429, "too-many-requests", null]);
      expect(answer.headers.get("access-control-expose-headers")).toContain("X-Error-Code");
    } finally {
      await limited.close();
    }
  });
});
