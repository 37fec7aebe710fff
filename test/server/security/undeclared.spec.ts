import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { operations } from "../../support/contract.js";
import { ROUTES, withName } from "../../support/routes.js";
import { UNKNOWN_ID } from "../e2e/support.js";
import { ask } from "./http.js";

let app: TestApp;
let owner: Client;
let key: Client;
beforeAll(async () => {
  app = await startApp();
  const tenant = await app.tenant();
  owner = await tenant.owner();
  key = tenant.live;
  await owner.patch("/api/tenant", { webhooksPreview: true }, 200);
});
afterAll(() => app.close());

const isRefused = (answer: string): boolean => answer.startsWith('400 {"error":"property dryRun should not exist');
/** The routes that a caller has to prove themselves for. */
const gated = operations
  .map((operation) => ({ operation, name: `${operation.method} ${operation.path}` }))
  .map((one) => ({ ...one, route: ROUTES.find(({ name }) => name === one.name)! }))
  .filter(({ route }) => route.access !== "public");
const send = async ({ operation: { method, path } }: (typeof gated)[number], query: string, body?: object) => {
  const url = withName(path).replace(/\{[^}]+\}/g, UNKNOWN_ID) + query;
  for (const { token } of [owner, key]) {
    const { status, text } = await ask(app.baseUrl, {
      method,
      path: url,
      body: body && JSON.stringify(body),
      headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) },
    });
    // Some take a key only.
    if (status !== 403) return `${status} ${text}`;
  }
  return "403";
};

test("no route ignores a query parameter that it does not declare", async () => {
  const wrong: string[] = [];
  for (const one of gated) {
    const answer = await send(one, "?dryRun=true");
    if (!isRefused(answer)) wrong.push(`${one.name}: ${answer}`);
  }
  expect(wrong).toEqual([]);
});

test("a route that takes no body refuses one", async () => {
  const wrong: string[] = [];
  const bodiless = gated.filter(({ operation }) => operation.method !== "GET" && !operation.requestBody);
  expect(bodiless.length).toBeGreaterThan(50);
  for (const one of bodiless) {
    const answer = await send(one, "", { dryRun: true });
    if (!isRefused(answer)) wrong.push(`${one.name}: ${answer}`);
  }
  expect(wrong).toEqual([]);
});

test("an erasure with dryRun is refused, and the contact stays", async () => {
  const { id } = (await key.post("/api/contacts", { name: "Ada" }, 201)).body;
  const { status } = await ask(app.baseUrl, {
    method: "POST",
    path: `/api/contacts/${id}/erasure`,
    body: '{"dryRun":true}',
    headers: { authorization: `Bearer ${key.token}`, "content-type": "application/json" },
  });
  expect(status).toBe(400);
  await key.get(`/api/contacts/${id}`, 200);
});

test("a change with If-Match is refused, because it is not compared", async () => {
  const { id } = (await key.post("/api/contacts", { name: "Ada" }, 201)).body;
  const path = `/api/contacts/${id}` as const;
  const change = await ask(app.baseUrl, {
    method: "PATCH",
    path,
    body: '{"name":"Grace"}',
    headers: { authorization: `Bearer ${key.token}`, "content-type": "application/json", "if-match": '"old"' },
  });
  expect(change).toMatchObject({
    status: 400,
    text: '{"error":"If-Match is not supported, so nothing was changed: send the request without it"}',
  });
  expect((await key.get(path, 200)).body.name).toBe("Ada");
});

test("what is wrong is named with its place, and what is missing is called missing", async () => {
  const [workspace] = (await owner.get("/api/workspaces", 200)).body;
  const workspaceId = workspace!.id;
  const says = async (body: object): Promise<string> => {
    const { text } = await ask(app.baseUrl, {
      method: "POST",
      path: "/api/conversations",
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${key.token}`, "content-type": "application/json" },
    });
    return (JSON.parse(text) as { error: string }).error;
  };
  const contact = { name: "Ada" };
  expect(await says({ contact })).toBe("workspaceId is missing");
  expect(await says({ workspaceId, contact: { id: 1 } })).toBe("property contact.id should not exist");
  expect(await says({ workspaceId, contact: { property: 1 } })).toBe("property contact.property should not exist");
  // The word before the name is the name.
  expect(await says({ workspaceId, contact: { value: 1, in: 1 } })).toBe(
    "property contact.value should not exist; property contact.in should not exist",
  );
  expect(await says({ workspaceId, contact: { emails: ["x"] } })).toMatch(/^each value in contact\.emails must be /);
  expect(await says({ workspaceId, contact, message: {} })).toBe("message.body is missing");
  expect(await says({ workspaceId, contact, message: "hello" })).toBe("message must be an object");
  expect(await says({ workspaceId, contact, message: { body: "x", attachmentIds: "x" } })).toBe(
    "message.attachmentIds must be an array",
  );
});

test("a key at a path without /api, or with an empty id, is told what is wrong", async () => {
  const says = async (path: string, method = "GET"): Promise<unknown> => {
    const { status, text } = await ask(app.baseUrl, {
      method,
      path,
      headers: { authorization: `Bearer ${key.token}` },
    });
    return [status, JSON.parse(text)];
  };
  const forgotten = [404, { error: "Not found: the paths of the API begin with /api" }];
  expect(await says("/contacts")).toEqual(forgotten);
  expect(await says(`/contacts/${UNKNOWN_ID}`)).toEqual(forgotten);
  expect(await says("/conversations", "POST")).toEqual(forgotten);
  expect(await says("/nothing")).toEqual([404, { error: "Not found" }]);
  const page = await ask(app.baseUrl, {
    path: "/contacts",
    headers: { authorization: `Bearer ${key.token}`, accept: "text/html,*/*" },
  });
  expect([page.status, page.text.slice(0, 9).toLowerCase()]).toEqual([200, "<!doctype"]);
  expect(await says("/api/contacts/?limit=1")).toEqual([404, { error: "Not found" }]);
});

test("a 401 says how a caller proves who they are", async () => {
  const { status, headers } = await ask(app.baseUrl, { path: "/api/contacts" });
  expect([status, headers["www-authenticate"]]).toEqual([401, "Bearer"]);
});
