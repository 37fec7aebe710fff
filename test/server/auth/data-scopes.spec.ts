import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCOPES } from "../../../src/platform/caller/scope.js";
import { newAgent, newWorkspace, start, walk } from "../e2e/support.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";

/** The contents of a workspace. */
interface Place {
  workspaceId: string;
  brandId: string;
  conversationId: string;
  contactId: string;
  entryId: string;
  pendingId: string;
}

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
/** Two workspaces of one brand and one of another, each with one object of each kind. */
let a1: Place;
let a2: Place;
let b1: Place;
/** Keys by their data scope. */
let keys: Record<"organisation" | "brand" | "workspace", Client & { id: string }>;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  const { brandId, workspaceId } = tenant.defaults;
  const otherBrand = (await owner.post("/api/brands", { name: "B" }, 201)).body.id;
  a1 = await fill(workspaceId, brandId);
  a2 = await fill((await newWorkspace(tenant.live, brandId)).id, brandId);
  b1 = await fill((await newWorkspace(tenant.live, otherBrand)).id, otherBrand);
  keys = {
    organisation: await keyFor(owner, { dataScope: { level: "organisation" } }),
    brand: await keyFor(owner, { dataScope: { level: "brand", brandId } }),
    workspace: await keyFor(owner, { dataScope: { level: "workspace", workspaceId } }),
  };
});
afterAll(() => app.close());

async function fill(workspaceId: string, brandId: string): Promise<Place> {
  const { id: conversationId, contactId } = await start(tenant.live, workspaceId, { message: { body: "Hello" } });
  const entry = async (status: string): Promise<string> =>
    (await tenant.live.post(`/api/workspaces/${workspaceId}/kb-entries`, { question: "Q", answer: "A", status }, 201))
      .body.id;
  return {
    workspaceId,
    brandId,
    conversationId,
    contactId,
    entryId: await entry("approved"),
    pendingId: await entry("pending"),
  };
}

const LEVELS: ["organisation" | "brand" | "workspace", () => Place[], () => Place[]][] = [
  ["organisation", () => [a1, a2, b1], () => []],
  ["brand", () => [a1, a2], () => [b1]],
  ["workspace", () => [a1], () => [a2, b1]],
];
const ids = (list: { id: string }[]): string[] => list.map(({ id }) => id).sort();
const of = (places: Place[], what: keyof Place): string[] => [...new Set(places.map((place) => place[what]))].sort();
/** From the initial data only, because other tests add more. */
const seen = (list: { id: string }[], what: keyof Place): string[] =>
  ids(list).filter((id) => of([a1, a2, b1], what).includes(id));

describe.each(LEVELS)("a key restricted to its %s", (level, placesInScope, outside) => {
  test("lists all objects within its data scope, and no others", async () => {
    const key = keys[level];
    expect(seen((await key.get("/api/workspaces", 200)).body, "workspaceId")).toEqual(
      of(placesInScope(), "workspaceId"),
    );
    expect(seen((await key.get("/api/brands", 200)).body, "brandId")).toEqual(of(placesInScope(), "brandId"));
    expect(seen(await walk(key, "/api/conversations"), "conversationId")).toEqual(
      of(placesInScope(), "conversationId"),
    );
    expect(seen(await walk(key, "/api/contacts"), "contactId")).toEqual(of(placesInScope(), "contactId"));
    for (const { workspaceId, conversationId, entryId, pendingId } of placesInScope()) {
      expect(seen(await walk(key, `/api/conversations?workspaceId=${workspaceId}`), "conversationId")).toEqual([
        conversationId,
      ]);
      expect(seen(await walk(key, `/api/workspaces/${workspaceId}/kb-entries`), "entryId")).toEqual([entryId]);
      expect(seen((await key.get(`/api/workspaces/${workspaceId}/kb-entries/pending`, 200)).body, "pendingId")).toEqual(
        [pendingId],
      );
    }
  });

  test("reads and writes within its data scope, and gets 404 for everything outside it", async () => {
    const key = keys[level];
    const everything = ({
      workspaceId,
      conversationId,
      contactId,
      entryId,
      pendingId,
    }: Place): [string, string, object?][] => [
      ...[
        `workspaces/${workspaceId}`,
        `workspaces/${workspaceId}/channels`,
        `workspaces/${workspaceId}/kb-entries`,
        `workspaces/${workspaceId}/kb-entries/pending`,
        `conversations?workspaceId=${workspaceId}`,
        `conversations/${conversationId}`,
        `conversations/${conversationId}/messages`,
        `conversations/${conversationId}/identity-events`,
        `contacts/${contactId}`,
        `kb-entries/${entryId}`,
        `kb-entries/${pendingId}`,
      ].map((path): [string, string] => ["GET", path]),
      ["POST", `conversations/${conversationId}/messages`, { body: "Hello" }],
      ["POST", `conversations/${conversationId}/reply`, { body: "Hello" }],
      ["POST", `conversations/${conversationId}/notes`, { body: "Hello" }],
      ["POST", "conversations", { workspaceId, contact: { name: "Ada" } }],
      ["POST", `workspaces/${workspaceId}/kb-entries`, { question: "Q", answer: "A" }],
    ];
    const ask = async (place: Place): Promise<Record<string, number>> => {
      const statuses: Record<string, number> = {};
      for (const [method, path, body] of everything(place))
        statuses[`${method} ${path}`] = (await key.send(method, `/api/${path}`, body)).status;
      return statuses;
    };
    for (const place of placesInScope())
      expect(Object.entries(await ask(place)).filter(([, status]) => status !== 200 && status !== 201)).toEqual([]);
    for (const place of outside())
      expect(Object.entries(await ask(place)).filter(([, status]) => status !== 404)).toEqual([]);
  });

  test("returns its data scope", async () => {
    const { body } = await keys[level].get("/api/me", 200);
    const reach = {
      organisation: { level: "tenant", brandId: null, workspaceIds: null },
      brand: { level: "brand", brandId: a1.brandId, workspaceIds: null },
      workspace: { level: "workspaces", brandId: null, workspaceIds: [a1.workspaceId] },
    }[level];
    expect(body).toEqual({
      kind: "apiKey",
      id: keys[level].id,
      name: "test",
      tenantId: tenant.tenantId,
      environment: "live",
      scopes: [...SCOPES],
      role: null,
      reach,
    });
  });
});

describe("the data scope of a restricted key", () => {
  test("includes workspaces that its brand gets later, and contacts as soon as they write there", async () => {
    const place = await newWorkspace(tenant.live, a1.brandId);
    expect((await keys.brand.get(`/api/workspaces/${place.id}`)).status).toBe(200);
    expect((await keys.workspace.get(`/api/workspaces/${place.id}`)).status).toBe(404);
    const { id } = (await tenant.live.post("/api/contacts", { name: "Grace" }, 201)).body;
    expect((await keys.workspace.get(`/api/contacts/${id}`)).status).toBe(404);
    await start(tenant.live, a1.workspaceId, { contactId: id });
    expect((await keys.workspace.get(`/api/contacts/${id}`)).status).toBe(200);
  });

  test("includes the contacts that the key created", async () => {
    const { id } = (await keys.workspace.post("/api/contacts", { name: "Grace" }, 201)).body;
    expect((await keys.workspace.get(`/api/contacts/${id}`)).status).toBe(200);
    expect(ids(await walk(keys.workspace, "/api/contacts"))).toContain(id);
    expect((await keys.brand.get(`/api/contacts/${id}`)).status).toBe(404);
  });

  test("must name a brand or workspace of the tenant: an unknown one, or another tenant's, is 404", async () => {
    const other = await app.tenant();
    for (const dataScope of [
      { level: "brand", brandId: other.defaults.brandId },
      { level: "workspace", workspaceId: other.defaults.workspaceId },
      { level: "brand", brandId: tenant.testDefaults.brandId },
      { level: "workspace", workspaceId: tenant.testDefaults.workspaceId },
      { level: "brand", brandId: a1.workspaceId },
      { level: "workspace", workspaceId: a1.brandId },
    ])
      await owner.post("/api/api-keys", { name: "test", scopes: ["kb:read"], dataScope }, 404);
  });

  test("is never wider than requested: a restriction without its id, or with an id that does not match, is refused", async () => {
    for (const dataScope of [
      {},
      [],
      { level: "brand" },
      { level: "workspace" },
      { level: "brand", brandId: null },
      { level: "brand", workspaceId: a1.workspaceId },
      { level: "workspace", brandId: a1.brandId },
      { level: "tenant" },
      { level: "organisation", brandId: a1.brandId },
      { level: "organisation", workspaceId: a1.workspaceId },
      { level: "brand", brandId: a1.brandId, workspaceId: a1.workspaceId },
      { brandId: a1.brandId },
    ])
      expect([
        dataScope,
        (await owner.post("/api/api-keys", { name: "test", scopes: ["kb:read"], dataScope })).status,
      ]).toEqual([dataScope, 400]);
  });
});

describe("GET /api/me", () => {
  test("returns a member's role and, if access is restricted, the workspaces", async () => {
    const me = (await owner.get("/api/me", 200)).body;
    expect(me).toEqual({
      kind: "member",
      id: me.id,
      name: "Owner",
      tenantId: tenant.tenantId,
      environment: "live",
      scopes: null,
      role: "owner",
      reach: { level: "tenant", brandId: null, workspaceIds: null },
    });
    const agent = await newAgent(owner, [a1.workspaceId, b1.workspaceId]);
    const { reach, role } = (await agent.get("/api/me", 200)).body;
    expect([role, { ...reach, workspaceIds: [...reach.workspaceIds!].sort() }]).toEqual([
      "agent",
      { level: "workspaces", brandId: null, workspaceIds: [a1.workspaceId, b1.workspaceId].sort() },
    ]);
  });

  test("shows a test key that it belongs to the test side, and the key cannot access live data", async () => {
    expect((await tenant.test.get("/api/me", 200)).body).toMatchObject({
      kind: "apiKey",
      environment: "test",
      tenantId: tenant.testTenantId,
    });
    expect(ids((await tenant.test.get("/api/workspaces", 200)).body)).toEqual([tenant.testDefaults.workspaceId]);
    expect(await walk(tenant.test, "/api/conversations")).toEqual([]);
    for (const path of [
      `workspaces/${a1.workspaceId}`,
      `conversations/${a1.conversationId}`,
      `contacts/${a1.contactId}`,
      `kb-entries/${a1.entryId}`,
    ])
      expect([path, (await tenant.test.get(`/api/${path}`)).status]).toEqual([path, 404]);
  });
});
