import { createHmac, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { Afterwards } from "../../../src/platform/jobs/afterwards.js";
import { aTime, anId } from "../e2e/support.js";

import { keyFor, PASSWORD, SECRET_KEY, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { connect } from "../../support/database.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(() => app.close());

const log = async (query: string, by = owner) => (await by.get(`/api/security-log?${query}`, 200)).body.data;
const newest = async () => (await log("limit=1"))[0]!;
const add = async (role = "agent") => {
  const email = `${randomUUID()}@example.com`;
  const { id } = (await owner.post("/api/members", { email, name: "Grace", role, password: PASSWORD }, 201)).body;
  return { id, email };
};

describe("the security log", () => {
  test("has each sign-in with its actor, client address and user agent, and members are in the log of the live side", async () => {
    const { id, email } = await add("admin");
    await app.client().post("/api/auth/login", { email, password: PASSWORD }, 200, {
      headers: { "user-agent": "Browser of the test" },
    });
    const event = await newest();
    expect(event).toEqual({
      id: anId,
      at: aTime,
      type: "signed_in",
      actor: { kind: "member", id },
      address: "127.0.0.1",
      userAgent: "Browser of the test",
      detail: { environment: "live", memberId: id, sessionId: anId },
    });
    const onTest = await tenant.owner("test");
    expect(await newest()).toMatchObject({ type: "signed_in", detail: { environment: "test" } });
    expect((await log("limit=100", onTest)).map(({ type }) => type)).toEqual(["key_created"]);
  });

  test("has members, keys, sign-outs, exports and erasures, each once and with who did it", async () => {
    const { body: me } = await owner.get("/api/me", 200);
    const { id, email } = await add();
    await owner.patch(`/api/members/${id}`, { role: "observer" }, 200);
    const member = await app.client().login(email, PASSWORD);
    await member.post("/api/auth/logout", undefined, 200);
    await owner.delete(`/api/members/${id}`, 200);
    expect((await log(`memberId=${id}`)).map(({ type, actor }) => [type, actor.id])).toEqual([
      ["member_removed", me.id],
      ["session_ended", id],
      ["signed_in", id],
      ["member_changed", me.id],
      ["member_added", me.id],
    ]);

    const key = await keyFor(owner, { scopes: ["contacts:write"] });
    await owner.patch(`/api/api-keys/${key.id}`, { name: "Renamed" }, 200);
    for (const _ of [1, 2]) await owner.post(`/api/api-keys/${key.id}/revoke`, undefined, 200);
    const ofKeys = (await log("limit=3")).map(({ type, detail }) => [type, detail.keyId]);
    expect(ofKeys).toEqual([
      ["key_revoked", key.id],
      ["key_changed", key.id],
      ["key_created", key.id],
    ]);

    const { id: contactId } = (await tenant.live.post("/api/contacts", { name: "Ada" }, 201)).body;
    expect((await owner.get(`/api/contacts/${contactId}/export`)).status).toBe(200);
    expect(await newest()).toMatchObject({ type: "data_exported", actor: { id: me.id }, detail: { contactId } });
    for (const _ of [1, 2]) await tenant.live.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    expect((await log("type=data_erased")).map(({ actor, detail }) => [actor.kind, detail.contactIds])).toEqual([
      ["apiKey", [contactId]],
    ]);
  });

  test("says nothing of a change that was refused", async () => {
    const before = await newest();
    expect((await owner.delete(`/api/members/${(await owner.get("/api/me", 200)).body.id}`)).status).toBe(409);
    expect((await owner.post(`/api/api-keys/${randomUUID()}/revoke`)).status).toBe(404);
    expect((await owner.get(`/api/contacts/${randomUUID()}/export`)).status).toBe(404);
    expect(await newest()).toEqual(before);
  });

  test("is read by owners and admins of its tenant alone, newest first, page by page", async () => {
    const { email } = await add();
    const agent = await app.client().login(email, PASSWORD);
    expect([
      (await agent.get("/api/security-log")).status,
      (await tenant.live.get("/api/security-log")).status,
    ]).toEqual([403, 403]);
    const other = await app.tenant();
    const ids = new Set((await log("limit=100")).map(({ id }) => id));
    expect((await log("limit=100", await other.owner())).filter(({ id }) => ids.has(id))).toEqual([]);
    const first = (await owner.get("/api/security-log?limit=2", 200)).body;
    const second = (await owner.get(`/api/security-log?limit=2&cursor=${first.nextCursor}`, 200)).body;
    const all = (await log("limit=4")).map(({ id }) => id);
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(all);
    expect([...all].sort().reverse()).toEqual(all);
  });

  test("cannot be written, changed or emptied by the application, only by its retention after 24 months", async () => {
    const application = await connect(app.db.url);
    try {
      await application.query("set role parley_app");
      for (const statement of [
        "insert into security_event select * from security_event",
        "delete from security_event",
        "update security_event set type = 'signed_in'",
      ])
        await expect(application.query(statement)).rejects.toThrow("permission denied");
    } finally {
      await application.end();
    }
    const [old, young] = await log("limit=2");
    const age = (id: string, months: string): Promise<unknown> =>
      app.db.query(
        `update security_event set at = now() - interval '${months}', id = audit_id(now() - interval '${months}')
         where id = $1`,
        [id],
      );
    await age(old!.id, "24 months 1 minute");
    await age(young!.id, "23 months 27 days");
    const count = async () =>
      Number((await app.db.query<{ n: string }>("select count(*) as n from security_event"))[0]!.n);
    const before = await count();
    expect((await app.app.get(DailyService).runNow())!.securityEvents).toBe(1);
    expect(await count()).toBe(before - 1);
  });
});

/** A process whose log is in `lines` for the work. */
async function logged(work: (node: TestApp, lines: Record<string, unknown>[]) => Promise<void>): Promise<void> {
  const lines: Record<string, unknown>[] = [];
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((chunk: string | Uint8Array) => {
    for (const line of Buffer.from(chunk as Uint8Array)
      .toString()
      .split("\n"))
      if (line.startsWith("{")) lines.push(JSON.parse(line) as Record<string, unknown>);
    return true;
  });
  const node = await startApp({ LOG_LEVEL: "warn" }, app.db);
  try {
    await work(node, lines);
  } finally {
    spy.mockRestore();
    await node.close();
  }
}

test("each event is a structured line of the log, once it is committed", () =>
  logged(async (node, lines) => {
    const admin = await node.client().login(tenant.ownerEmail, PASSWORD);
    await admin.post("/api/api-keys", { name: "a key", scopes: ["contacts:read"] }, 201);
    expect(lines.filter(({ context }) => context === "security").map(({ message }) => message)).toEqual([
      expect.objectContaining({
        type: "key_created",
        tenantId: tenant.tenantId,
        address: "127.0.0.1",
        actorKind: "member",
        detail: expect.objectContaining({ environment: "live" }),
      }),
    ]);
  }));

test("an email that nobody has is in the log as a fingerprint, by a key that serves nothing else", () =>
  logged(async (node, lines) => {
    const email = "nobody@example.com";
    for (let n = 0; n < 2; n++) await node.client().post("/api/auth/login", { email, password: "wrong" }, 401);
    await node.app.get(Afterwards).finished();
    const [one, two, ...more] = lines
      .filter(({ context }) => context === "security")
      .map(({ message }) => (message as { detail: { account: string } }).detail.account);
    expect([one, more]).toEqual([two, []]);
    expect(one).toMatch(/^[0-9a-f]{16}$/);
    const plain = createHmac("sha256", SECRET_KEY).update(email).digest("hex").slice(0, 16);
    expect(one).not.toBe(plain);
  }));
