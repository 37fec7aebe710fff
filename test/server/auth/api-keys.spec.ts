import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { SCOPES } from "../../../src/platform/caller/scope.js";
import { aTime, anId, DAY, HOUR } from "../e2e/support.js";
import { tablesWith } from "../../races/support.js";
import { keyFor, shortLivedKey, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(() => app.close());

const list = async () => (await owner.get("/api/api-keys", 200)).body;
const find = async (id: string) => (await list()).find((key) => key.id === id);
const works = async (key: Client): Promise<boolean> => {
  const { status } = await key.get("/api/me");
  if (status !== 200 && status !== 401) throw new Error(`answered ${status}`);
  return status === 200;
};
const create = async (body: object = {}) =>
  (await owner.post("/api/api-keys", { name: "test", scopes: ["kb:read"], ...body }, 201)).body;

describe("a new key", () => {
  test("is returned with every given field, and has never been used", async () => {
    const expiresAt = new Date(Date.now() + DAY).toISOString();
    const { id: ownerId } = (await owner.get("/api/me", 200)).body;
    const { key, ...described } = await create({
      name: "CRM synchronisation",
      scopes: ["kb:read", "contacts:write"],
      expiresAt,
    });
    expect(key).toMatch(/^svc_live_v1_[0-9A-Za-z]{36}$/);
    expect(described).toEqual({
      id: anId,
      name: "CRM synchronisation",
      prefix: key.slice(0, 16),
      environment: "live",
      scopes: ["kb:read", "contacts:write"],
      dataScope: { level: "organisation", brandId: null, workspaceId: null },
      status: "active",
      expiresAt,
      lastUsedAt: null,
      createdBy: ownerId,
      createdAt: aTime,
    });
    expect((await list())[0]).toEqual(described);
  });

  test("belongs to the side that the session works on", async () => {
    const made = (await (await tenant.owner("test")).post("/api/api-keys", { name: "test", scopes: ["kb:read"] }, 201))
      .body;
    expect(made).toMatchObject({ environment: "test", key: expect.stringMatching(/^svc_test_v1_/) });
    expect(await find(made.id)).toBeUndefined();
    expect((await app.client(made.key).get("/api/me", 200)).body).toMatchObject({
      environment: "test",
      tenantId: tenant.testTenantId,
    });
  });

  test("is shown once: no other response contains it", async () => {
    const { key, id } = await create();
    const answers = [
      await owner.get("/api/api-keys"),
      await owner.patch(`/api/api-keys/${id}`, { name: "Renamed" }),
      await app.client(key).get("/api/me"),
      await owner.post(`/api/api-keys/${id}/revoke`),
      await owner.get("/api/me"),
    ] as const;
    for (const { text } of answers) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(key.slice(-20));
    }
    expect(answers[0].body.every((one) => !("key" in one))).toBe(true);
  });

  test("is not in the database, whole or by its random part; its SHA-256 is there once", async () => {
    const { key } = await create();
    expect(await works(app.client(key))).toBe(true);
    expect(await tablesWith(app.db, key)).toEqual({});
    expect(await tablesWith(app.db, key.slice("svc_live_v1_".length + 4))).toEqual({});
    expect(await tablesWith(app.db, createHash("sha256").update(key).digest("hex"))).toEqual({ api_key_lookup: 1 });
  });

  test("accepts every documented scope, and rejects unknown, missing and repeated ones", async () => {
    expect((await create({ scopes: SCOPES })).scopes).toEqual([...SCOPES]);
    expect(SCOPES).toHaveLength(21);
    for (const scopes of [[], ["kb:admin"], ["*"], ["kb:read", "kb:read"], "kb:read", ["members:write"]])
      await owner.post("/api/api-keys", { name: "test", scopes }, 400);
  });

  test("cannot be created expired", async () => {
    for (const expiresAt of [new Date(Date.now() - 1_000).toISOString(), "1970-01-01T00:00:00Z"])
      await owner.post("/api/api-keys", { name: "test", scopes: ["kb:read"], expiresAt }, 400);
    expect((await create({ expiresAt: null })).expiresAt).toBeNull();
  });
});

describe("several keys", () => {
  test("are valid at the same time, and revoking one does not affect another", async () => {
    const [one, two, three] = [await keyFor(owner), await keyFor(owner), await keyFor(owner)];
    expect(await Promise.all([one, two, three].map(works))).toEqual([true, true, true]);
    await owner.post(`/api/api-keys/${two.id}/revoke`, undefined, 200);
    expect(await Promise.all([one, two, three].map(works))).toEqual([true, false, true]);
    expect((await Promise.all([one, two, three].map(({ id }) => find(id)))).map((key) => key?.status)).toEqual([
      "active",
      "revoked",
      "active",
    ]);
  });
});

describe("a key that expires", () => {
  test("works until it expires and is refused afterwards, even if it was in use", async () => {
    const key = await shortLivedKey(owner);
    const { expiresAt } = key;
    await vi.waitFor(async () => expect(await works(key)).toBe(false), { timeout: 100_000, interval: 20 });
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime() - 50);
    expect(await find(key.id)).toMatchObject({ status: "expired", expiresAt: expiresAt.toISOString() });
    expect(await works(key)).toBe(false);
    await owner.post(`/api/api-keys/${key.id}/rotate`, {}, 409);
  });
});

describe("the last use of a key", () => {
  test("appears within about two seconds, is updated by the next use, and belongs to that key only", async () => {
    const [used, idle] = [await keyFor(owner), await keyFor(owner)];
    const before = Date.now();
    await used.get("/api/contacts", 200);
    const first = await vi.waitFor(
      async () => {
        const { lastUsedAt } = (await find(used.id))!;
        expect(lastUsedAt).toEqual(aTime);
        return lastUsedAt!;
      },
      { timeout: 100_000 },
    );
    expect(new Date(first).getTime()).toBeGreaterThanOrEqual(before);
    expect(new Date(first).getTime()).toBeLessThanOrEqual(Date.now());
    await used.get("/api/contacts", 200);
    await vi.waitFor(
      async () =>
        expect(new Date((await find(used.id))!.lastUsedAt!).getTime()).toBeGreaterThan(new Date(first).getTime()),
      { timeout: 100_000 },
    );
    expect((await find(idle.id))!.lastUsedAt).toBeNull();
  });

  test("is not updated by a request that was refused because the key had been revoked", async () => {
    const key = await keyFor(owner);
    await owner.post(`/api/api-keys/${key.id}/revoke`, undefined, 200);
    expect(await works(key)).toBe(false);
    // A later use of another key has been recorded by now, so this one would have been recorded too.
    const other = await keyFor(owner);
    await other.get("/api/me", 200);
    await vi.waitFor(async () => expect((await find(other.id))!.lastUsedAt).toEqual(aTime), { timeout: 100_000 });
    expect((await find(key.id))!.lastUsedAt).toBeNull();
  });
});

describe("a rotated key", () => {
  const rotate = async (id: string, body?: object) => (await owner.post(`/api/api-keys/${id}/rotate`, body, 201)).body;

  test("works beside its successor during the overlap, and not afterwards", async () => {
    const old = await keyFor(owner, {
      scopes: ["kb:read"],
      dataScope: { level: "workspace", workspaceId: tenant.defaults.workspaceId },
    });
    const before = Date.now();
    const next = await rotate(old.id, { overlapHours: 3 });
    expect(next).toMatchObject({
      name: "test",
      scopes: ["kb:read"],
      dataScope: { level: "workspace", brandId: null, workspaceId: tenant.defaults.workspaceId },
      status: "active",
      expiresAt: null,
      lastUsedAt: null,
    });
    expect([next.id === old.id, next.key === old.key]).toEqual([false, false]);
    expect(next.prefix).toBe(next.key.slice(0, 16));
    expect(await Promise.all([works(old), works(app.client(next.key))])).toEqual([true, true]);
    const { expiresAt, status } = (await find(old.id))!;
    expect(status).toBe("active");
    expect(Math.abs(new Date(expiresAt!).getTime() - before - 3 * HOUR)).toBeLessThan(60_000);
  });

  test("is refused at once with an overlap of 0, and its successor works", async () => {
    const old = await keyFor(owner);
    expect(await works(old)).toBe(true);
    const next = await rotate(old.id, { overlapHours: 0 });
    expect(await Promise.all([works(old), works(app.client(next.key))])).toEqual([false, true]);
    expect((await find(old.id))!.status).toBe("expired");
  });

  test("has an overlap of one day by default, with or without a body", async () => {
    for (const body of [undefined, {}]) {
      const old = await keyFor(owner);
      const before = Date.now();
      await rotate(old.id, body);
      expect(Math.abs(new Date((await find(old.id))!.expiresAt!).getTime() - before - DAY)).toBeLessThan(60_000);
    }
  });

  test("does not outlive its own expiry", async () => {
    const expiresAt = new Date(Date.now() + HOUR).toISOString();
    const old = await keyFor(owner, { expiresAt });
    await rotate(old.id, { overlapHours: 168 });
    expect((await find(old.id))!.expiresAt).toBe(expiresAt);
  });

  test("has no successor if it was revoked or its rotation has ended: 409; an unknown key is 404", async () => {
    const [revoked, ended] = [await keyFor(owner), await keyFor(owner)];
    await owner.post(`/api/api-keys/${revoked.id}/revoke`, undefined, 200);
    await rotate(ended.id, { overlapHours: 0 });
    const before = (await list()).length;
    for (const { id } of [revoked, ended]) await owner.post(`/api/api-keys/${id}/rotate`, {}, 409);
    await owner.post("/api/api-keys/01890000-0000-7000-8000-000000000000/rotate", {}, 404);
    expect(await list()).toHaveLength(before);
  });

  test("accepts an overlap of whole hours from 0 to 168", async () => {
    const { id } = await keyFor(owner);
    for (const overlapHours of [-1, 169, 0.5, "1"])
      await owner.post(`/api/api-keys/${id}/rotate`, { overlapHours }, 400);
  });
});

describe("a key", () => {
  test("can change its name, scopes and expiry, and nothing else", async () => {
    const { key, ...before } = await create({ name: "Before" });
    const expiresAt = new Date(Date.now() + DAY).toISOString();
    let known: object = before;
    for (const change of [
      { name: "After" },
      { scopes: ["contacts:read", "kb:write"] },
      { expiresAt },
      {},
      { expiresAt: null, scopes: ["contacts:read"] },
    ]) {
      known = { ...known, ...change };
      expect((await owner.patch(`/api/api-keys/${before.id}`, change, 200)).body).toEqual(known);
    }
    for (const change of [
      { dataScope: null },
      { dataScope: { level: "organisation" } },
      { status: "active" },
      { key: "svc_live_v1_x" },
      { environment: "test" },
      { scopes: [] },
      { scopes: null },
      { scopes: ["kb:admin"] },
      { name: null },
      { name: "X", expiresAt: "1970-01-01T00:00:00Z" },
      { expiresAt: "never" },
    ])
      expect([change, (await owner.patch(`/api/api-keys/${before.id}`, change)).status]).toEqual([change, 400]);
    expect(await find(before.id)).toEqual({ ...known, lastUsedAt: null });
    expect((await app.client(key).get("/api/me", 200)).body).toMatchObject({
      name: "After",
      scopes: ["contacts:read"],
    });
  });

  test("gets new scopes and loses old ones at once", async () => {
    const key = await keyFor(owner, { scopes: ["kb:read", "contacts:read"] });
    await key.get("/api/contacts", 200);
    await key.get("/api/workspaces", 403);
    await owner.patch(`/api/api-keys/${key.id}`, { scopes: ["workspaces:read"] }, 200);
    await key.get("/api/contacts", 403);
    await key.get("/api/workspaces", 200);
  });

  describe.each(["active", "expired", "revoked"])("that is %s", (status) => {
    const made = async (): Promise<Client & { id: string }> => {
      const key = await keyFor(owner);
      if (status === "expired") await owner.post(`/api/api-keys/${key.id}/rotate`, { overlapHours: 0 }, 201);
      if (status === "revoked") await owner.post(`/api/api-keys/${key.id}/revoke`, undefined, 200);
      expect((await find(key.id))!.status).toBe(status);
      return key;
    };
    const MOVES: [
      string,
      (id: string) => Promise<{ status: number }>,
      { active: [number, string]; expired: [number, string]; revoked: [number, string] },
    ][] = [
      [
        "revoked",
        (id) => owner.post(`/api/api-keys/${id}/revoke`),
        { active: [200, "revoked"], expired: [200, "revoked"], revoked: [200, "revoked"] },
      ],
      [
        "rotated without overlap",
        (id) => owner.post(`/api/api-keys/${id}/rotate`, { overlapHours: 0 }),
        { active: [201, "expired"], expired: [409, "expired"], revoked: [409, "revoked"] },
      ],
      [
        "rotated with overlap",
        (id) => owner.post(`/api/api-keys/${id}/rotate`, { overlapHours: 1 }),
        { active: [201, "active"], expired: [409, "expired"], revoked: [409, "revoked"] },
      ],
      [
        "renamed",
        (id) => owner.patch(`/api/api-keys/${id}`, { name: "X" }),
        { active: [200, "active"], expired: [200, "expired"], revoked: [200, "revoked"] },
      ],
      [
        "given other scopes",
        (id) => owner.patch(`/api/api-keys/${id}`, { scopes: ["kb:read"] }),
        { active: [200, "active"], expired: [409, "expired"], revoked: [409, "revoked"] },
      ],
      [
        "given no end",
        (id) => owner.patch(`/api/api-keys/${id}`, { expiresAt: null }),
        { active: [200, "active"], expired: [409, "expired"], revoked: [409, "revoked"] },
      ],
      [
        "given a later end",
        (id) => owner.patch(`/api/api-keys/${id}`, { expiresAt: new Date(Date.now() + DAY).toISOString() }),
        { active: [200, "active"], expired: [409, "expired"], revoked: [409, "revoked"] },
      ],
    ];
    test.each(MOVES)("when %s, is updated, or answers 409 and does not change", async (_, act, table) => {
      const key = await made();
      const before = await find(key.id);
      const [answered, after] = table[status as keyof typeof table];
      expect((await act(key.id)).status).toBe(answered);
      const now = (await find(key.id))!;
      expect([now.status, await works(key)]).toEqual([after, after === "active"]);
      if (answered === 409) expect(now).toEqual(before);
    });
  });

  test("stays revoked: revoking it again changes nothing, and renaming does not reactivate it", async () => {
    const key = await keyFor(owner);
    for (let n = 0; n < 2; n++)
      expect((await owner.post(`/api/api-keys/${key.id}/revoke`, undefined, 200)).body).toEqual({ ok: true });
    await owner.patch(`/api/api-keys/${key.id}`, { name: "Zombie" }, 200);
    expect([await works(key), (await find(key.id))!.status]).toEqual([false, "revoked"]);
  });
});
