import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newWorkspace } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { REFUND, startToolServer, type ToolServer } from "./tools-support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let server: ToolServer;
let path: `/api/workspaces/${string}/tools`;
beforeAll(async () => {
  server = await startToolServer();
  app = await startApp({ OUTBOUND_ALLOW: [server.host] });
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await app.close();
  await server.close();
});
beforeEach(async () => {
  path = `/api/workspaces/${(await newWorkspace(tenant.live, tenant.defaults.brandId)).id}/tools`;
});

const url = "https://shop.example.com/refund";
const create = (body: object = {}) => owner.post(path, { ...REFUND, url, ...body }, 201);
const refuse = (body: object, status: 400 | 409) => owner.post(path, { ...REFUND, url, ...body }, status);
const refusal = async (body: object): Promise<string> =>
  (await owner.post(path, { ...REFUND, url, ...body }, 400)).body.error;
const versionOf = async (id: string): Promise<number> =>
  (await app.db.query<{ version: number }>("select version from tool where id = $1", [id]))[0]!.version;

describe("a tool", () => {
  test("is created, listed by name, changed and deleted", async () => {
    const { body: made } = await create({ credentials: { authorization: "Bearer secret-1" } });
    expect(made).toEqual({
      ...REFUND,
      id: expect.any(String) as string,
      workspaceId: path.split("/")[3],
      url,
      hasCredentials: true,
      idempotent: false,
      statusUrl: null,
      publicFields: [],
      timeoutSeconds: 10,
      expiresAfterHours: 24,
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    });
    await create({ name: "a_tool" });
    const { body: list } = await tenant.live.get(path, 200);
    expect(list.data.map(({ name }: { name: string }) => name)).toEqual(["a_tool", REFUND.name]);
    const one = `/api/tools/${made.id}` as const;
    expect((await owner.patch(one, { description: "Pays back", timeoutSeconds: 5 }, 200)).body).toMatchObject({
      description: "Pays back",
      timeoutSeconds: 5,
      hasCredentials: true,
    });
    expect((await owner.delete(one, 200)).body).toEqual({ ok: true });
    await owner.patch(one, {}, 404);
    expect((await tenant.live.get(path, 200)).body.data).toHaveLength(1);
  });

  test("gets a new version with each change, and none without", async () => {
    const { id } = (await create()).body;
    expect(await versionOf(id)).toBe(1);
    await owner.patch(`/api/tools/${id}`, {}, 200);
    expect(await versionOf(id)).toBe(1);
    await owner.patch(`/api/tools/${id}`, { description: "Other" }, 200);
    await owner.patch(`/api/tools/${id}`, { credentials: { authorization: "Bearer secret-2" } }, 200);
    expect(await versionOf(id)).toBe(3);
  });

  test("keeps its credentials for the same host only, sealed, and shows them nowhere", async () => {
    const { id } = (await create({ credentials: { authorization: "Bearer secret-3" } })).body;
    const one = `/api/tools/${id}` as const;
    expect((await owner.patch(one, { url: `${url}/2` }, 200)).body.hasCredentials).toBe(true);
    expect((await owner.patch(one, { url: "https://elsewhere.example.com/" }, 200)).body.hasCredentials).toBe(false);
    await owner.patch(one, { credentials: { authorization: "Bearer secret-4" } }, 200);
    expect((await owner.patch(one, { credentials: null }, 200)).body.hasCredentials).toBe(false);
    await owner.patch(one, { credentials: { authorization: "Bearer secret-5" } }, 200);
    const [row] = await app.db.query<{ sealed: Buffer }>("select sealed from tool where id = $1", [id]);
    expect(row!.sealed.toString("latin1")).not.toContain("secret-5");
    expect(JSON.stringify((await owner.get(path, 200)).body)).not.toContain("secret-5");
    expect(JSON.stringify((await owner.get("/api/audit-log?resourceType=tool", 200)).body)).not.toContain("secret");
  });

  test("is for owners and admins to change, signed in, and for keys to read", async () => {
    await tenant.live.post(path, { ...REFUND, url }, 403);
    const { id } = (await create()).body;
    await tenant.live.patch(`/api/tools/${id}`, {}, 403);
    await tenant.live.delete(`/api/tools/${id}`, 403);
    const other = await (await app.tenant()).owner();
    await other.get(path, 404);
    await other.post(path, { ...REFUND, url }, 404);
    await other.patch(`/api/tools/${id}`, {}, 404);
  });

  test("has a name of its own in the workspace, and none of Parley's", async () => {
    await create();
    await refuse({}, 409);
    for (const name of ["search_knowledge", "hand_off", "ask_verification", "propose_booking", "add_note", "set_label"])
      await refuse({ name }, 409);
    for (const name of ["", "1st", "a b", "a.b", "é", "a".repeat(65)]) await refuse({ name }, 400);
  });

  const ELSEWHERE: [string, string][] = [
    [
      "http://shop.example.com/",
      "url: The URL must begin with https://: http is only for servers that the setting OUTBOUND_ALLOW names",
    ],
    ["https://127.0.0.1/", "url: The host has no public address"],
    ["https://user:word@shop.example.com/", "url: The URL must not hold a user name or a password"],
    ["ftp://shop.example.com/", "url: The URL must begin with https:// and name a host"],
  ];
  test("is not called without TLS, in the own network, or with a password in its URL", async () => {
    for (const [address, error] of ELSEWHERE)
      expect([address, await refusal({ url: address })]).toEqual([address, error]);
  });

  test("is asked for its status on the same host", async () => {
    await create({ statusUrl: "https://shop.example.com/status" });
    expect(await refusal({ name: "b", statusUrl: "https://other.example.com/" })).toBe(
      "statusUrl must be on the same host as url",
    );
  });
});

describe("the schema of the arguments", () => {
  const schema = (property: object): object => ({ type: "object", properties: { a: property } });
  const nested = (depth: number): object => (depth ? { type: "array", items: nested(depth - 1) } : { type: "string" });

  const INVALID: [string, object, string][] = [
    ["no object at the top", { type: "string" }, "must be a JSON Schema with the type object"],
    ["a reference", schema({ $ref: "#/properties/a" }), "must not use the keyword $ref"],
    ["an id", { type: "object", $id: "https://example.com/" }, "must not use the keyword $id"],
    ["an unknown type", schema({ type: "text" }), "must have a valid value for each type"],
    ["an unknown format", schema({ format: "regex" }), "must have a valid value for each format"],
    ["what takes long", schema({ type: "array", uniqueItems: true }), "must not use the keyword uniqueItems"],
    [
      "too many parts",
      { type: "object", properties: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`p${n}`, {}])) },
      "must have at most 200 parts",
    ],
    ["too much depth", schema(nested(9)), "must be nested at most 8 deep"],
    ["too much text", schema({ description: "a".repeat(16_384) }), "must be at most 16 KiB of JSON"],
    ["a part that is no object", schema([]), "must have an object as each part"],
    [
      "what the server cannot fill in",
      schema({ "x-bound": "contact.password" }),
      "must have a valid value for each x-bound",
    ],
    [
      "what the server fills in, but deeper",
      schema({ type: "object", properties: { b: { "x-bound": "contact.id" } } }),
      "must have x-bound only in properties of its top level",
    ],
  ];
  test("is refused where it is none, is large, or holds what Parley does not know", async () => {
    for (const [what, parameters, error] of INVALID)
      expect([what, await refusal({ parameters })]).toEqual([what, `parameters ${error}`]);
  });

  const SLOW = [
    "(a+)+$",
    "^(a+)+$",
    "^(a|a)*$",
    "^a*a*$",
    "^\\d{0,9}\\d{0,9}$",
    "^.*x.*$",
    "a+",
    "^(?=a)a$",
    "^\\1$",
    "^a{999}$",
    "^[a$",
  ];
  const FAST = ["^#W\\d{7}$", "^[A-Z]{2}\\d{3,20}$", "^[^@]+@example\\.com$", "^-?\\d{4}$", "^.{3}$"];
  test("takes patterns, but none that may take long", async () => {
    for (const pattern of SLOW) {
      const error = await refusal({ parameters: schema({ type: "string", pattern }) });
      expect(error, pattern).toContain("patterns that begin with ^");
    }
    for (const [n, pattern] of FAST.entries())
      await create({ name: `tool_${n}`, parameters: schema({ type: "string", pattern }) });
  });
});
