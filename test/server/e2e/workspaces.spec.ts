import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { aTime, anId, newAgent, newWorkspace, NOT_FOUND, set, start, UNKNOWN_ID } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant("Example Ltd");
  owner = await tenant.owner();
});
afterAll(() => app.close());

const list = async (client: Client) => (await client.get("/api/workspaces", 200)).body;
const newBrand = async (name = "Second") => (await owner.post("/api/brands", { name }, 201)).body;

describe("a new tenant", () => {
  test("has one brand with its name and one workspace, on each side", async () => {
    const { live, test: sandbox, defaults, testDefaults } = await app.tenant("Fresh Ltd");
    for (const [client, { brandId, workspaceId }] of [
      [live, defaults],
      [sandbox, testDefaults],
    ] as const) {
      expect((await client.get("/api/brands", 200)).body).toEqual([
        { id: brandId, name: "Fresh Ltd", createdAt: aTime, updatedAt: aTime },
      ]);
      expect(await list(client)).toEqual([
        {
          id: workspaceId,
          name: "Support",
          status: "active",
          brandId,
          brandName: "Fresh Ltd",
          primaryLanguage: "en",
          logoUrl: null,
        },
      ]);
    }
  });
});

describe("a workspace", () => {
  test("is listed with the six summary attributes, and read with all fields", async () => {
    const brand = await newBrand("Nordlicht");
    const made = await newWorkspace(tenant.live, brand.id, {
      name: " Hilfe ",
      primaryLanguage: "de",
      timezone: "Europe/Berlin",
    });
    const summary = {
      id: anId,
      name: "Hilfe",
      status: "active",
      brandId: brand.id,
      brandName: "Nordlicht",
      primaryLanguage: "de",
      logoUrl: null,
    };
    expect(made).toEqual({
      ...summary,
      timezone: "Europe/Berlin",
      assistantEnabled: true,
      identityRetentionMonths: 24,
      mailFooter: null,
      mailLogoUrl: null,
      createdAt: aTime,
      updatedAt: aTime,
    });
    expect((await tenant.live.get(`/api/workspaces/${made.id}`, 200)).body).toEqual(made);
    expect((await list(tenant.live)).at(-1)).toEqual(summary);
  });

  test("has English and UTC by default", async () => {
    expect(await newWorkspace(tenant.live, tenant.defaults.brandId)).toMatchObject({
      primaryLanguage: "en",
      timezone: "UTC",
    });
  });

  test("has the web chat and the API channel, both active", async () => {
    const { id } = await newWorkspace(owner, tenant.defaults.brandId);
    const common = {
      id: anId,
      workspaceId: id,
      status: "active",
      address: null,
      settings: {},
      hasCredentials: false,
      credentialFingerprint: null,
      signIn: null,
      webhookPath: null,
      lastTest: null,
      provisioning: { attempts: 0, lastError: null, nextRetryAt: null },
      createdAt: aTime,
      updatedAt: aTime,
    };
    const { body } = await tenant.live.get(`/api/workspaces/${id}/channels`, 200);
    expect(body.toSorted((a, b) => (a.type < b.type ? -1 : 1))).toEqual([
      { ...common, type: "api", name: "API" },
      { ...common, type: "webchat", name: "Web chat", address: expect.stringMatching(/^wc_[\w-]{43}$/) },
    ]);
  });

  test.each(["active", "inactive", "archived"])(
    "that is %s returns that status, in the list and by id",
    async (status) => {
      const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
      await set(app, "workspace", id, { status });
      expect((await list(tenant.live)).find((one) => one.id === id)!.status).toBe(status);
      expect((await tenant.live.get(`/api/workspaces/${id}`, 200)).body.status).toBe(status);
    },
  );

  test("requires a brand of the tenant and side: an unknown or foreign one returns 404", async () => {
    const other = await app.tenant();
    for (const brandId of [UNKNOWN_ID, other.defaults.brandId, tenant.testDefaults.brandId]) {
      expect((await tenant.live.post("/api/workspaces", { name: "Nowhere", brandId }, 404)).body).toEqual(NOT_FOUND);
    }
    expect((await list(tenant.live)).map(({ name }) => name)).not.toContain("Nowhere");
  });

  test("can be created by a key of one brand in that brand only, and not by a key of one workspace", async () => {
    const brand = await newBrand();
    const brandKey = await keyFor(owner, { dataScope: { level: "brand", brandId: brand.id } });
    const made = await newWorkspace(brandKey, brand.id);
    expect((await list(brandKey)).map(({ id }) => id)).toEqual([made.id]);
    await brandKey.post("/api/workspaces", { name: "Abroad", brandId: tenant.defaults.brandId }, 404);
    const key = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: made.id } });
    await key.post("/api/workspaces", { name: "Sibling", brandId: brand.id }, 404);
  });
});

describe("updating a workspace", () => {
  const STATUSES = ["active", "inactive", "archived"] as const;
  const ALLOWED: Record<string, readonly string[]> = {
    active: ["inactive", "archived"],
    inactive: ["active", "archived"],
    archived: ["inactive"],
  };

  test("changes only the given fields", async () => {
    const made = await newWorkspace(tenant.live, tenant.defaults.brandId);
    for (const change of [
      { name: " Renamed " },
      { primaryLanguage: "de" },
      { timezone: "America/New_York" },
      { assistantEnabled: false },
      { status: "inactive" },
      { assistantEnabled: true, status: "active" },
      {},
    ]) {
      const { body: before } = await tenant.live.get(`/api/workspaces/${made.id}`, 200);
      const { body: after } = await tenant.live.patch(`/api/workspaces/${made.id}`, change, 200);
      expect(after).toEqual({
        ...before,
        ...change,
        ...("name" in change ? { name: "Renamed" } : {}),
        updatedAt: aTime,
      });
      expect((await tenant.live.get(`/api/workspaces/${made.id}`, 200)).body).toEqual(after);
    }
    expect((await list(tenant.live)).find(({ id }) => id === made.id)).toMatchObject({
      name: "Renamed",
      primaryLanguage: "de",
      status: "active",
    });
  });

  test("accepts an ISO 639-1 language and a known time zone, but not its brand or its retention", async () => {
    const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
    for (const wrong of [
      { name: "" },
      { name: " " },
      { name: null },
      { name: "x".repeat(201) },
      { primaryLanguage: "xx" },
      { primaryLanguage: "EN" },
      { primaryLanguage: "eng" },
      { timezone: "Mars/Olympus" },
      { timezone: "+02:00" },
      { timezone: "" },
      { timezone: null },
      { assistantEnabled: "yes" },
      { assistantEnabled: null },
      { status: "deleted" },
      { status: null },
      { brandId: tenant.defaults.brandId },
      { identityRetentionMonths: 12 },
      { id: UNKNOWN_ID },
    ])
      expect([wrong, (await tenant.live.patch(`/api/workspaces/${id}`, wrong)).status]).toEqual([wrong, 400]);
    for (const wrong of [{ primaryLanguage: "xx" }, { timezone: "Mars/Olympus" }])
      await tenant.live.post("/api/workspaces", { name: "X", brandId: tenant.defaults.brandId, ...wrong }, 400);
  });

  test.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to])))(
    "from %s to %s is allowed or 409, and a refused update changes nothing",
    async (from, to) => {
      const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
      await set(app, "workspace", id, { status: from });
      const { body: before } = await tenant.live.get(`/api/workspaces/${id}`, 200);
      const answer = await tenant.live.patch(`/api/workspaces/${id}`, { status: to, name: "Moved" });
      if (from === to || ALLOWED[from]!.includes(to)) {
        expect([answer.status, answer.body]).toEqual([200, { ...before, status: to, name: "Moved", updatedAt: aTime }]);
      } else {
        expect([answer.status, answer.body]).toEqual([
          409,
          { error: `The workspace is ${from}: it cannot become ${to}` },
        ]);
        expect((await tenant.live.get(`/api/workspaces/${id}`, 200)).body).toEqual(before);
      }
    },
  );

  test("to archived refuses conversations, messages and replies and keeps reads; reactivating it restores everything", async () => {
    const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const conversation = await start(tenant.live, id, { message: { body: "Hello" } });
    const tries = (): Promise<number[]> =>
      Promise.all(
        [
          tenant.live.post("/api/conversations", { workspaceId: id, contact: { name: "Ada" } }),
          tenant.live.post(`/api/conversations/${conversation.id}/messages`, { body: "Hello?" }),
          tenant.live.post(`/api/conversations/${conversation.id}/reply`, { body: "Hello!" }),
        ].map(async (sent) => (await sent).status),
      );
    await tenant.live.patch(`/api/workspaces/${id}`, { status: "archived" }, 200);
    expect(await tries()).toEqual([409, 409, 409]);
    expect((await tenant.live.get(`/api/conversations/${conversation.id}/messages`, 200)).body.data).toHaveLength(1);
    await tenant.live.patch(`/api/workspaces/${id}`, { status: "inactive" }, 200);
    expect(await tries()).toEqual([201, 201, 200]);
  });

  test("is allowed to keys within their reach and to owners and admins", async () => {
    const brand = await newBrand();
    const workspace = await newWorkspace(tenant.live, brand.id);
    const within = [
      await keyFor(owner, { dataScope: { level: "brand", brandId: brand.id } }),
      await keyFor(owner, { dataScope: { level: "workspace", workspaceId: workspace.id } }),
      owner,
    ];
    for (const client of within) await client.patch(`/api/workspaces/${workspace.id}`, { name: "Ours" }, 200);
    for (const client of within.slice(0, 2))
      expect(
        (await client.patch(`/api/workspaces/${tenant.defaults.workspaceId}`, { name: "Theirs" }, 404)).body,
      ).toEqual(NOT_FOUND);
    await (await newAgent(owner, [workspace.id])).patch(`/api/workspaces/${workspace.id}`, { name: "X" }, 403);
    await (
      await keyFor(owner, { scopes: ["workspaces:read"] })
    ).patch(`/api/workspaces/${workspace.id}`, { name: "X" }, 403);
  });
});

describe("a deleted workspace", () => {
  test("disappears at once with all its content, for every caller", async () => {
    const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const key = await keyFor(owner, { dataScope: { level: "brand", brandId: tenant.defaults.brandId } });
    const agent = await newAgent(owner, [id]);
    const conversation = await start(tenant.live, id, { externalId: "gone", message: { body: "Hello" } });
    const { body: entry } = await tenant.live.post(
      `/api/workspaces/${id}/kb-entries`,
      { question: "Q", answer: "A", status: "pending" },
      201,
    );
    expect((await tenant.live.delete(`/api/workspaces/${id}`, 200)).body).toEqual({ ok: true });
    const readings = [
      `/api/workspaces/${id}`,
      `/api/workspaces/${id}/channels`,
      `/api/workspaces/${id}/kb-entries`,
      `/api/workspaces/${id}/kb-entries/pending`,
      `/api/kb-entries/${entry.id}`,
      `/api/conversations?workspaceId=${id}`,
      `/api/conversations/${conversation.id}`,
      `/api/conversations/${conversation.id}/messages`,
      `/api/conversations/${conversation.id}/identity-events`,
    ];
    for (const client of [tenant.live, owner, key, agent]) {
      expect((await list(client)).map((one) => one.id)).not.toContain(id);
      for (const path of readings) expect((await client.get(path, 404)).body, path).toEqual(NOT_FOUND);
      expect((await client.get("/api/conversations?externalId=gone", 200)).body).toEqual({ data: [] });
      for (const kind of ["messages", "reply", "notes"])
        expect(
          (await client.post(`/api/conversations/${conversation.id}/${kind}`, { body: "More" }, 404)).body,
        ).toEqual(NOT_FOUND);
      expect((await client.post(`/api/kb-entries/${entry.id}/approve`, undefined, 404)).body).toEqual(NOT_FOUND);
    }
  });

  test("cannot be deleted again; an unknown one and another tenant's also return 404, and the latter stays", async () => {
    const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
    await tenant.live.delete(`/api/workspaces/${id}`, 200);
    const other = await app.tenant();
    for (const gone of [id, UNKNOWN_ID, other.defaults.workspaceId, tenant.testDefaults.workspaceId]) {
      expect((await tenant.live.delete(`/api/workspaces/${gone}`, 404)).body).toEqual(NOT_FOUND);
    }
    await other.live.get(`/api/workspaces/${other.defaults.workspaceId}`, 200);
    await tenant.test.get(`/api/workspaces/${tenant.testDefaults.workspaceId}`, 200);
  });

  test("deletes the keys that were restricted to it, and no others", async () => {
    const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const key = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: id } });
    const sibling = await keyFor(owner, {
      dataScope: { level: "workspace", workspaceId: tenant.defaults.workspaceId },
    });
    await key.get("/api/workspaces", 200);
    await tenant.live.delete(`/api/workspaces/${id}`, 200);
    await expect.poll(async () => (await key.get("/api/workspaces")).status, { timeout: 10_000 }).toBe(401);
    const { body: keys } = await owner.get("/api/api-keys", 200);
    expect(Object.fromEntries(keys.map((one) => [one.id, one.status]))).toMatchObject({
      [key.id]: "revoked",
      [sibling.id]: "active",
    });
    await sibling.get("/api/workspaces", 200);
  });

  test("keeps its contacts, because they belong to the tenant", async () => {
    const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const { contactId } = await start(tenant.live, id);
    await tenant.live.delete(`/api/workspaces/${id}`, 200);
    await tenant.live.get(`/api/contacts/${contactId}`, 200);
  });
});

describe("a brand", () => {
  test("is created with a name and listed after the existing brands", async () => {
    const made = await newBrand(" Polar ");
    expect(made).toEqual({ id: anId, name: "Polar", createdAt: aTime, updatedAt: aTime });
    const { body } = await tenant.live.get("/api/brands", 200);
    expect(body.at(-1)).toEqual(made);
    expect(body[0]!.id).toBe(tenant.defaults.brandId);
  });

  test("can be renamed, and its workspaces return the new name", async () => {
    const brand = await newBrand("Before");
    const workspace = await newWorkspace(tenant.live, brand.id);
    const renamed = (await owner.patch(`/api/brands/${brand.id}`, { name: " After " }, 200)).body;
    expect(renamed).toEqual({ ...brand, name: "After", updatedAt: aTime });
    expect((await owner.patch(`/api/brands/${brand.id}`, {}, 200)).body).toEqual(renamed);
    expect((await tenant.live.get(`/api/workspaces/${workspace.id}`, 200)).body.brandName).toBe("After");
    expect((await list(tenant.live)).find(({ id }) => id === workspace.id)!.brandName).toBe("After");
    for (const wrong of [{ name: "" }, { name: null }, { name: "x".repeat(201) }, { id: UNKNOWN_ID }])
      await owner.patch(`/api/brands/${brand.id}`, wrong, 400);
  });

  test("is visible to restricted callers only if they reach one of its workspaces", async () => {
    const brand = await newBrand();
    const workspace = await newWorkspace(tenant.live, brand.id);
    const callers = [
      await keyFor(owner, { dataScope: { level: "brand", brandId: brand.id } }),
      await keyFor(owner, { dataScope: { level: "workspace", workspaceId: workspace.id } }),
      await newAgent(owner, [workspace.id]),
    ];
    for (const caller of callers)
      expect((await caller.get("/api/brands", 200)).body.map(({ id }) => id)).toEqual([brand.id]);
    expect((await (await newAgent(owner, [])).get("/api/brands", 200)).body).toEqual([]);
  });
});
