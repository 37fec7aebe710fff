import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { type Role, ROLES } from "../../../src/platform/caller/scope.js";
import { anId, newWorkspace, UNKNOWN_ID } from "../e2e/support.js";
import { tablesWith } from "../../races/support.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let ownerId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  ownerId = (await owner.get("/api/me", 200)).body.id;
});
afterAll(() => app.close());

const anEmail = (): string => `${randomUUID()}@example.com`;
const add = async (body: object = {}, by = owner) =>
  (await by.post("/api/members", { email: anEmail(), name: "Grace", role: "agent", password: PASSWORD, ...body }, 201))
    .body;
const signIn = async (role: Role): Promise<Client & { id: string }> => {
  const { id, email } = await add({ role });
  return Object.assign(await app.client().login(email, PASSWORD), { id });
};
const find = async (id: string, by = owner) =>
  (await by.get("/api/members", 200)).body.find((member) => member.id === id);

describe("a member", () => {
  test("is added with every given field, is listed after earlier members, and can sign in", async () => {
    const email = anEmail();
    const made = await add({
      email: ` ${email.toUpperCase()} `,
      name: " Grace Hopper ",
      workspaceIds: [tenant.defaults.workspaceId],
    });
    expect(made).toEqual({
      id: anId,
      email,
      name: "Grace Hopper",
      role: "agent",
      workspaceIds: [tenant.defaults.workspaceId],
      status: "active",
      presence: "offline",
      lastSeenAt: null,
    });
    expect((await owner.get("/api/members", 200)).body.at(-1)).toEqual(made);
    const member = await app.client().login(email, PASSWORD);
    expect((await member.get("/api/me", 200)).body).toMatchObject({
      kind: "member",
      id: made.id,
      role: "agent",
      reach: { level: "workspaces", workspaceIds: [tenant.defaults.workspaceId] },
    });
    expect((await find(made.id))!.lastSeenAt).not.toBeNull();
  });

  test("has a password of 10 to 200 characters, or none until the invitation is accepted", async () => {
    for (const password of ["", "nine char", "x".repeat(201), 1, ["correct horse battery"]])
      await owner.post("/api/members", { email: anEmail(), name: "G", role: "agent", password }, 400);
    for (const password of ["ten charac", "correct horse ".repeat(15).slice(0, 200), "pässwörter 🔑🔑"]) {
      const { email } = await add({ password });
      await app.client().login(email, password);
    }
  });

  test("changes only in the given fields", async () => {
    const made = await add({ workspaceIds: [tenant.defaults.workspaceId] });
    expect((await owner.patch(`/api/members/${made.id}`, { name: "Renamed" }, 200)).body).toEqual({
      ...made,
      name: "Renamed",
    });
    expect((await owner.patch(`/api/members/${made.id}`, { role: "observer" }, 200)).body).toEqual({
      ...made,
      name: "Renamed",
      role: "observer",
    });
    expect((await owner.patch(`/api/members/${made.id}`, { workspaceIds: [] }, 200)).body).toEqual({
      ...made,
      name: "Renamed",
      role: "observer",
      workspaceIds: [],
    });
    expect((await owner.patch(`/api/members/${made.id}`, {}, 200)).body).toEqual({
      ...made,
      name: "Renamed",
      role: "observer",
      workspaceIds: [],
    });
    for (const change of [
      { email: anEmail() },
      { password: "another password" },
      { status: "invited" },
      { id: UNKNOWN_ID },
    ])
      await owner.patch(`/api/members/${made.id}`, change, 400);
    await owner.patch(`/api/members/${UNKNOWN_ID}`, { name: "X" }, 404);
  });

  test("that is removed is no longer listed or found, is signed out everywhere, and cannot sign in", async () => {
    const { id, email } = await add();
    const sessions = [await app.client().login(email, PASSWORD), await app.client().login(email, PASSWORD, "test")];
    for (const session of sessions) await session.get("/api/workspaces", 200);
    expect((await owner.delete(`/api/members/${id}`, 200)).body).toEqual({ ok: true });
    for (const session of sessions)
      for (const path of ["/api/workspaces", "/api/me"]) expect((await session.get(path)).status).toBe(401);
    expect(await find(id)).toBeUndefined();
    await owner.delete(`/api/members/${id}`, 404);
    await owner.patch(`/api/members/${id}`, { name: "X" }, 404);
    expect((await app.client().post("/api/auth/login", { email, password: PASSWORD })).status).toBe(401);
  });
});

describe("an email", () => {
  test("that is proven belongs to one member of one tenant, in any spelling", async () => {
    const { id, email } = await add();
    await app.db.query("update member_email set proven_at = now() where member_id = $1", [id]);
    const other = await (await app.tenant()).owner();
    for (const by of [owner, other, await tenant.owner("test")]) {
      for (const same of [email, email.toUpperCase(), ` ${email} `])
        await by.post("/api/members", { email: same, name: "Other", role: "agent" }, 409);
    }
    await owner.post("/api/members", { email: tenant.ownerEmail, name: "Other", role: "agent" }, 409);
  });

  test("is available again when its member is removed, also to another tenant", async () => {
    const { id, email } = await add();
    await owner.delete(`/api/members/${id}`, 200);
    const other = await (await app.tenant()).owner();
    const again = await add({ email, password: "another password" }, other);
    expect(again.id).not.toBe(id);
    expect((await app.client().post("/api/auth/login", { email, password: PASSWORD })).status).toBe(401);
    await app.client().login(email, "another password");
  });
});

test("a removed member keeps neither name nor email 24 months after the removal, and both until then", async () => {
  const [old, young, present] = [await add(), await add(), await add()];
  const ages = [
    [old.id, "24 months 1 minute"],
    [young.id, "23 months 27 days"],
  ];
  for (const [id, age] of ages) {
    await owner.delete(`/api/members/${id}`, 200);
    await app.db.query(`update member set removed_at = now() - interval '${age}' where id = $1`, [id]);
  }
  expect((await app.app.get(DailyService).runNow())!.removedMembers).toBe(1);
  const rows = await app.db.query<{ id: string; email: string; name: string }>(
    "select id, email, name from member where id = any($1) order by id",
    [[old.id, young.id, present.id]],
  );
  expect(rows).toEqual([
    { id: old.id, email: "", name: "" },
    { id: young.id, email: young.email, name: young.name },
    { id: present.id, email: present.email, name: present.name },
  ]);
  expect(await tablesWith(app.db, old.email)).toEqual({});
  expect((await app.app.get(DailyService).runNow())!.removedMembers).toBe(0);
});

describe("owners", () => {
  test("are created, changed and removed by owners only: an admin gets 403 and changes nothing", async () => {
    const admin = await signIn("admin");
    const second = await add({ role: "owner" });
    const agent = await add();
    const before = (await owner.get("/api/members", 200)).body;
    const refused = [
      await admin.post("/api/members", { email: anEmail(), name: "X", role: "owner", password: PASSWORD }),
      await admin.patch(`/api/members/${agent.id}`, { role: "owner" }),
      await admin.patch(`/api/members/${admin.id}`, { role: "owner" }),
      await admin.patch(`/api/members/${second.id}`, { role: "agent" }),
      await admin.patch(`/api/members/${second.id}`, { name: "X" }),
      await admin.patch(`/api/members/${second.id}`, { workspaceIds: [] }),
      await admin.delete(`/api/members/${second.id}`),
    ];
    expect(refused.map(({ status, text }) => `${status} ${text}`)).toEqual(
      Array.from(refused, () => '403 {"error":"Forbidden"}'),
    );
    expect((await owner.get("/api/members", 200)).body).toEqual(before);
    await owner.patch(`/api/members/${second.id}`, { role: "agent" }, 200);
    await owner.patch(`/api/members/${second.id}`, { role: "owner" }, 200);
    await owner.delete(`/api/members/${second.id}`, 200);
  });

  test("always remain: the last one cannot be demoted or removed by anyone, including themselves, but can be renamed", async () => {
    const lone = await app.tenant();
    const last = await lone.owner();
    const { id } = (await last.get("/api/me", 200)).body;
    for (const role of ROLES.filter((one) => one !== "owner")) await last.patch(`/api/members/${id}`, { role }, 409);
    expect((await last.delete(`/api/members/${id}`, 409)).body.error).toMatch(/last owner/);
    expect((await last.patch(`/api/members/${id}`, { name: "Still here", role: "owner" }, 200)).body.name).toBe(
      "Still here",
    );
    const second = await add({ role: "owner" }, last);
    await last.patch(`/api/members/${id}`, { role: "admin" }, 200);
    await vi.waitFor(async () => expect((await last.get("/api/me", 200)).body.role).toBe("admin"), { timeout: 10_000 });
    await last.delete(`/api/members/${second.id}`, 403);
  });
});

describe("administration", () => {
  test("is for owners and admins: an admin adds, changes and removes all members except owners", async () => {
    const admin = await signIn("admin");
    for (const role of ROLES.filter((one) => one !== "owner")) {
      const { id } = await add({ role }, admin);
      await admin.patch(`/api/members/${id}`, { role: "agent", name: "X" }, 200);
      await admin.delete(`/api/members/${id}`, 200);
    }
  });

  test("is refused to other roles and to all keys, which can at most list members", async () => {
    for (const role of ["agent", "observer", "billing"] as const) {
      const member = await signIn(role);
      await member.get("/api/members", 200);
      for (const [method, path, body] of [
        ["POST", "", { email: anEmail(), name: "X", role: "agent" }],
        ["PATCH", `/${member.id}`, { role: "admin" }],
        ["PATCH", `/${member.id}`, { name: "X" }],
        ["DELETE", `/${member.id}`, undefined],
        ["DELETE", `/${ownerId}`, undefined],
      ] as const) {
        expect([role, method, path, (await member.send(method, `/api/members${path}`, body)).status]).toEqual([
          role,
          method,
          path,
          403,
        ]);
      }
    }
    expect((await tenant.live.get("/api/members")).status).toBe(403);
  });

  test("of another tenant's member is 404", async () => {
    const other = await (await app.tenant()).owner();
    const { id } = await add();
    await other.patch(`/api/members/${id}`, { role: "owner" }, 404);
    await other.delete(`/api/members/${id}`, 404);
    expect(await find(id, other)).toBeUndefined();
    expect(await find(id)).toBeDefined();
  });

  test("takes effect on the member's next request on the other side as well", async () => {
    const { id, email } = await add({ role: "admin" });
    const member = await app.client().login(email, PASSWORD, "test");
    await member.post("/api/brands", { name: "Made by an admin" }, 201);
    await owner.patch(`/api/members/${id}`, { role: "observer" }, 200);
    await member.post("/api/brands", { name: "Made by an observer" }, 403);
    expect((await member.get("/api/me", 200)).body.role).toBe("observer");
  });

  test("applies a new role and new workspaces to the member's next request", async () => {
    const { id, email } = await add({ workspaceIds: [tenant.defaults.workspaceId] });
    const member = await app.client().login(email, PASSWORD);
    await member.post("/api/contacts", { name: "Ada" }, 201);
    await owner.patch(`/api/members/${id}`, { role: "observer" }, 200);
    await member.post("/api/contacts", { name: "Ada" }, 403);
    expect((await member.get("/api/workspaces", 200)).body).toHaveLength(1);
    await owner.patch(`/api/members/${id}`, { workspaceIds: [] }, 200);
    expect((await member.get("/api/workspaces", 200)).body).toEqual([]);
    await owner.patch(`/api/members/${id}`, { role: "admin" }, 200);
    await member.post("/api/brands", { name: "Made by an admin" }, 201);
  });
});

describe("a member's workspaces", () => {
  test("are set separately on each side", async () => {
    const onTest = await tenant.owner("test");
    const { id, email } = await add({ workspaceIds: [tenant.defaults.workspaceId] });
    const [live, test] = [await app.client().login(email, PASSWORD), await app.client().login(email, PASSWORD, "test")];
    expect((await find(id, onTest))!.workspaceIds).toEqual([]);
    expect((await test.get("/api/workspaces", 200)).body).toEqual([]);
    await onTest.patch(`/api/members/${id}`, { workspaceIds: [tenant.testDefaults.workspaceId] }, 200);
    expect((await find(id, onTest))!.workspaceIds).toEqual([tenant.testDefaults.workspaceId]);
    expect((await find(id))!.workspaceIds).toEqual([tenant.defaults.workspaceId]);
    await onTest.patch(`/api/members/${id}`, { workspaceIds: [] }, 200);
    expect((await live.get("/api/workspaces", 200)).body).toMatchObject([{ id: tenant.defaults.workspaceId }]);
  });

  test("must exist on that side: any other one is 404 and changes nothing", async () => {
    const other = await app.tenant();
    const gone = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
    await tenant.live.delete(`/api/workspaces/${gone}`, 200);
    const { id } = await add({ workspaceIds: [tenant.defaults.workspaceId] });
    for (const workspaceId of [tenant.testDefaults.workspaceId, other.defaults.workspaceId, gone, UNKNOWN_ID]) {
      await owner.patch(
        `/api/members/${id}`,
        { name: "X", workspaceIds: [tenant.defaults.workspaceId, workspaceId] },
        404,
      );
      await owner.post(
        "/api/members",
        { email: anEmail(), name: "X", role: "agent", workspaceIds: [workspaceId] },
        404,
      );
    }
    expect(await find(id)).toMatchObject({ name: "Grace", workspaceIds: [tenant.defaults.workspaceId] });
    expect((await owner.get("/api/members", 200)).body.some(({ name }) => name === "X")).toBe(false);
  });

  test("do not include deleted workspaces", async () => {
    const kept = tenant.defaults.workspaceId;
    const gone = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
    const { id, email } = await add({ workspaceIds: [kept, gone] });
    const member = await app.client().login(email, PASSWORD);
    await tenant.live.delete(`/api/workspaces/${gone}`, 200);
    expect((await find(id))!.workspaceIds).toEqual([kept]);
    expect((await member.get("/api/workspaces", 200)).body).toHaveLength(1);
  });
});
