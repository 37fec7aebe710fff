import { setTimeout as sleep } from "node:timers/promises";
import { Logger } from "@nestjs/common";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { NOTE_API_KEY_USE } from "../../../src/auth/api-keys/api-keys.queries.js";
import { Database } from "../../../src/platform/database/database.js";
import { Homes } from "../../../src/platform/database/homes.js";
import { Servers } from "../../../src/platform/database/servers.js";
import { CLAIM_DUE } from "../../../src/platform/outbox/outbox.queries.js";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { ProvisioningService } from "../../../src/workspaces/provisioning/provisioning.service.js";
import { OutboxService } from "../../../src/platform/outbox/outbox.service.js";
import { start, walk } from "../e2e/support.js";
import { keyFor, PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { TestDatabase } from "../../support/database.js";
import { eventually } from "../../support/eventually.js";
import { type FragileServer, fragileServer } from "../../support/servers.js";

// Two servers with an organisation each, and one of the servers goes down.

let second: FragileServer;
let app: TestApp;
/** The first organisation is on control, the second one on the further server, which was empty. */
let here: TestTenant;
let there: TestTenant;
beforeAll(async () => {
  second = await fragileServer("second");
  app = await startApp({ DATABASE_SERVERS: [second.setting], DATABASE_WAIT_SECONDS: 60 });
  here = await app.tenant("Here");
  there = await app.tenant("There");
});
afterAll(async () => {
  await app.close();
  await second.drop();
});

const countIn = async (db: TestDatabase, table: string, { tenantId, testTenantId }: TestTenant): Promise<number> => {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from ${table} where tenant_id in ($1, $2)`,
    [tenantId, testTenantId],
  );
  return row!.count;
};
test("a new organisation goes to the emptiest server, with both sides and all that it has", async () => {
  const homes = app.app.get(Homes);
  expect(await homes.nameOf(here.tenantId)).toBe("control");
  expect(await homes.nameOf(there.tenantId)).toBe("second");
  expect(await homes.nameOf(there.testTenantId)).toBe("second");
  for (const table of ["brand", "workspace", "api_key", "agent"]) {
    expect(await countIn(app.db, table, there), table).toBe(0);
    expect(await countIn(second, table, there), table).toBeGreaterThan(0);
    expect(await countIn(second, table, here), table).toBe(0);
  }
});

test("keys, sessions, and what they read and write are of the organisation's server", async () => {
  for (const [tenant, its, other] of [
    [here, app.db, second],
    [there, second, app.db],
  ] as const) {
    const { id } = await start(tenant.live, tenant.defaults.workspaceId);
    await tenant.live.post(`/api/conversations/${id}/reply`, { body: "Good day" }, 200);
    expect((await walk(tenant.live, "/api/conversations")).map((one) => one.id)).toEqual([id]);
    const owner = await tenant.owner();
    await owner.post(`/api/conversations/${id}/notes`, { body: "A regular" }, 201);
    expect(await countIn(its, "message", tenant)).toBe(2);
    expect(await countIn(other, "message", tenant)).toBe(0);
    await tenant.test.get("/api/conversations", 200);
  }
});

test("an Idempotency-Key holds on each server", async () => {
  for (const tenant of [here, there]) {
    const headers = { "Idempotency-Key": "once" };
    const body = { name: "Bulk" };
    const first = await tenant.live.post("/api/accounts", body, 201, { headers });
    const again = await tenant.live.post("/api/accounts", body, 201, { headers });
    expect(again.body).toEqual(first.body);
  }
});

test("what is unique over all organisations is so over all servers", async () => {
  const provisioning = app.app.get(ProvisioningService);
  const owner = (email: string) => ({ email, name: "Owner", password: PASSWORD, proven: true });
  for (const tenant of [here, there])
    for (let n = 0; n < 2; n++)
      await expect(provisioning.create({ name: "Again", owner: owner(tenant.ownerEmail) })).rejects.toMatchObject({
        status: 409,
      });
  const made = await Promise.all(
    [1, 2, 3, 4].map((n) => provisioning.provision("org_1", "Organisation", owner(`owner-${n}@org.example`))),
  );
  expect(new Set(made.map(({ tenantId }) => tenantId)).size).toBe(1);
  const member = { name: "Twice", email: here.ownerEmail, role: "agent" };
  await (await there.owner()).post("/api/members", member, 409);
});

test("jobs do the work of each server, and of nobody who is elsewhere", async () => {
  const outbox = app.app.get(OutboxService);
  const queued = async (db: TestDatabase): Promise<number> =>
    (await db.query<{ count: number }>("select count(*)::int as count from outbox_queue where due_at < now()"))[0]!
      .count;
  const due: string[] = [];
  for (const { transaction, tenantId } of [here, there])
    await transaction(tenantId, async (tx) => {
      await outbox.mail(tx, { to: "somebody@example.com", subject: "Hello", body: "Hello" });
    });
  expect([await queued(app.db), await queued(second)].every((count) => count > 0)).toBe(true);
  const db = app.app.get(Database);
  const claim = { leaseSeconds: 60, kinds: ["mail"], perReceiver: 9, receivers: [], onTheWay: [] };
  const homes = app.app.get(Homes);
  await app.db.query("update home set state = 'draining', other = 'control' where organisation_id = $1", [
    there.tenantId,
  ]);
  await eventually(async () => expect((await homes.find(there.tenantId))?.state).toBe("draining"));
  const waiting = await queued(second);
  // Also of an organisation that has something in progress.
  const room = { limit: 10, free: 10, tenants: [there.tenantId], held: [1] };
  const claimed = await db.sweep(CLAIM_DUE, { ...claim, ...room });
  due.push(...claimed.map(({ tenantId }) => tenantId));
  expect(due).toContain(here.tenantId);
  expect(due).not.toContain(there.tenantId);
  expect(await queued(second)).toBe(waiting);
  await app.db.query("update home set state = 'open', other = null where organisation_id = $1", [there.tenantId]);
  await eventually(async () =>
    expect((await db.sweep(CLAIM_DUE, { ...claim, ...room })).map(({ tenantId }) => tenantId)).toContain(
      there.tenantId,
    ),
  );
});

test("a copy is left alone, and so is what is about to leave, by jobs that claim nothing", async () => {
  const db = app.app.get(Database);
  const homes = app.app.get(Homes);
  const hashes = (
    await second.query<{ hash: Buffer }>("select hash from api_key_lookup where tenant_id = $1", [there.tenantId])
  ).map(({ hash }) => hash);
  const usedSince = async (then: Date): Promise<number> =>
    (await second.query("select from api_key_lookup where hash = any($1) and last_used_at >= $2", [hashes, then]))
      .length;
  const now = async (): Promise<Date> => (await second.query<{ now: Date }>("select now()"))[0]!.now;
  for (const [server, state, other] of [
    ["control", "copying", "second"],
    ["second", "draining", "control"],
    ["second", "open", null],
  ] as const) {
    await app.db.query("update home set server = $2, state = $3, other = $4 where organisation_id = $1", [
      there.tenantId,
      server,
      state,
      other,
    ]);
    // What is asked of control comes before what it tells.
    await eventually(async () =>
      expect((await homes.strangersOn(app.app.get(Servers).named("second"))).includes(there.tenantId)).toBe(
        state !== "open",
      ),
    );
    const began = await now();
    await db.sweep(NOTE_API_KEY_USE, { hashes });
    expect(await usedSince(began), state).toBe(state === "open" ? hashes.length : 0);
  }
});

test("a process that was busy itself takes no server for one that is down", async () => {
  const { query } = pg.Client.prototype;
  // Again if PostgreSQL was as busy meanwhile. A process that takes itself for the server does so each time.
  for (let round = 1; ; round++) {
    const warned = vi.spyOn(Logger.prototype, "warn");
    let asked = 0;
    const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      const answer: unknown = Reflect.apply(query, this, args);
      if (args[0] === "select 1" && ++asked <= 4) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900);
      return answer;
    });
    let isTakenForDown: boolean;
    try {
      await eventually(() => expect(asked).toBeGreaterThan(6));
      // The other one is behind a relay in this process, which was busy too.
      isTakenForDown = warned.mock.calls.some(([text]) => String(text).includes("control does not answer"));
    } finally {
      spy.mockRestore();
      warned.mockRestore();
    }
    if (!isTakenForDown) break;
    expect(round, "control was taken for down each time").toBeLessThan(4);
    await eventually(() => here.live.get("/api/conversations", 200));
  }
  await here.live.post("/api/accounts", { name: "Goes on" }, 201);
  await eventually(() => there.live.post("/api/accounts", { name: "Goes on" }, 201));
});

test("a server that was away between two questions is not taken for one that is down", async () => {
  const { query } = pg.Client.prototype;
  let asked = 0;
  const spy = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    if (args[0] === "select 1") asked++;
    return Reflect.apply(query, this, args) as unknown;
  });
  try {
    const before = asked;
    while (asked === before) await sleep(1);
    await second.die();
    await second.revive();
    await eventually(() => there.live.post("/api/accounts", { name: "Back" }, 201));
    while (asked < before + 4) await there.live.post("/api/accounts", { name: "Goes on" }, 201);
  } finally {
    spy.mockRestore();
  }
});

test("a server that is down: its organisations are answered 503 at once, the others notice nothing, and it comes back", async () => {
  for (const fail of [() => second.die(), () => second.hang()]) {
    await there.live.get("/api/conversations", 200);
    const unknown = await keyFor(await there.owner());
    await fail();
    await eventually(() => there.live.get("/api/conversations", 503));
    const began = performance.now();
    for (let n = 0; n < 10; n++) {
      await here.live.get("/api/conversations", 200);
      await here.live.post("/api/accounts", { name: "Others go on" }, 201);
      await there.live.get("/api/conversations", 503);
      await there.live.post("/api/accounts", { name: "Has to wait" }, 503);
    }
    // None of the twenty waited for a connection, which would take a minute.
    expect(performance.now() - began).toBeLessThan(50_000);
    // Whose key or email this is, only the server that is down knows: neither is refused.
    await unknown.get("/api/conversations", 503);
    await app.client().post("/api/auth/login", { email: there.ownerEmail, password: PASSWORD }, 503);
    await here.owner();
    await app.app.get(OutboxWorker).tick();
    const made = await app.tenant("Meanwhile");
    expect(await app.app.get(Homes).nameOf(made.tenantId)).toBe("control");
    await second.revive();
    await eventually(() => there.live.get("/api/conversations", 200));
    await there.live.post("/api/accounts", { name: "Goes on" }, 201);
  }
});
