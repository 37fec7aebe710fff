import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SessionVerifier } from "../../../src/auth/sessions/session.verifier.js";
import { UnassignFormerMembersJob } from "../../../src/maintenance/unassign-former-members.job.js";
import { newAgent, start } from "../e2e/support.js";
import { keyFor, PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { AUDIENCE, type Issuer, startIssuer } from "./issuer.js";
import { markProven, tokensTo } from "./mailed.js";

let issuer: Issuer;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let ownerId: string;
/** The owner on the test side, where mail is captured. */
let sandbox: Client;
beforeAll(async () => {
  issuer = await startIssuer();
  app = await startApp({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE });
  tenant = await app.tenant();
  [owner, sandbox] = [await tenant.owner(), await tenant.owner("test")];
  ownerId = (await owner.get("/api/me", 200)).body.id;
});
afterAll(async () => {
  await app.close();
  await issuer.down();
});

interface Member {
  id: string;
  email: string;
  status: string;
}
const add = async (body: object = {}, by = owner): Promise<Member> =>
  (
    await by.post(
      "/api/members",
      {
        email: `${randomUUID()}@example.com`,
        name: "Grace",
        role: "agent",
        workspaceIds: [tenant.defaults.workspaceId],
        ...body,
      },
      201,
    )
  ).body;
const find = async (id: string) => (await owner.get("/api/members", 200)).body.find((member) => member.id === id)!;
const move = (id: string, status: string, by = owner) => by.patch(`/api/members/${id}`, { status });
const signIn = (email: string, password = PASSWORD) => app.client().post("/api/auth/login", { email, password });
const tokensOf = async (email: string): Promise<string[]> =>
  (await sandbox.get("/api/captured-messages?limit=100", 200)).body.data
    .filter(({ to }) => to === email)
    .map(({ body }) => /\/invitation#([\w-]+)/.exec(body)![1]!);
const accept = async (token: string): Promise<number> =>
  (await app.client().post("/api/auth/password", { token, password: PASSWORD })).status;
/** Writes the last uses now, which otherwise happens every quarter of a minute. */
const noteSeen = (): Promise<void> => app.app.get(SessionVerifier).noteSeen();

describe("a member's status", () => {
  const STATES: Record<string, () => Promise<Member>> = {
    invited: () => add(),
    active: () => add({ password: PASSWORD }),
    deactivated: async () => {
      const member = await add({ password: PASSWORD });
      await move(member.id, "deactivated");
      return member;
    },
    "deactivated before the invitation was accepted": async () => {
      const member = await add();
      await move(member.id, "deactivated");
      return member;
    },
  };
  const AFTER: Record<string, Record<string, string | 409>> = {
    invited: { active: 409, deactivated: "deactivated" },
    active: { active: "active", deactivated: "deactivated" },
    deactivated: { active: "active", deactivated: "deactivated" },
    "deactivated before the invitation was accepted": { active: "invited", deactivated: "deactivated" },
  };

  test.each(
    Object.entries(AFTER).flatMap(([from, moves]) =>
      Object.entries(moves).map(([to, after]): [string, string, string | 409] => [from, to, after]),
    ),
  )("from %s, asked to be %s, is %s", async (from, to, after) => {
    const { id } = await STATES[from]!();
    const before = await find(id);
    const answer = await owner.patch(`/api/members/${id}`, { status: to, name: "Moved" });
    if (after === 409) expect(answer.status).toBe(409);
    else expect([answer.status, answer.body]).toEqual([200, { ...before, name: "Moved", status: after }]);
    expect(await find(id)).toEqual(after === 409 ? before : answer.body);
  });

  test("has no other transitions", async () => {
    const { id } = await add();
    for (const status of ["invited", "removed", "", null, true])
      expect((await owner.patch(`/api/members/${id}`, { status })).status).toBe(400);
  });

  test("deactivated ends every session and blocks sign-in by password, refresh token, issuer and invitation; active allows it again", async () => {
    const [{ id, email }, invited] = [await add({ password: PASSWORD }), await add({ workspaceIds: [] }, sandbox)];
    await markProven(app, email);
    const sessions = [
      await owner.login(email, PASSWORD),
      await owner.login(email, PASSWORD, "test"),
      app.client(await issuer.token({ email, email_verified: true })),
    ];
    for (const session of sessions) await session.get("/api/me", 200);
    for (const one of [id, invited.id]) expect((await move(one, "deactivated")).status).toBe(200);
    for (const session of sessions) expect((await session.get("/api/me")).status).toBe(401);
    expect((await signIn(email)).status).toBe(401);
    const [token] = await tokensOf(invited.email);
    expect(await accept(token!)).toBe(401);
    for (const one of [id, invited.id]) expect((await move(one, "active")).status).toBe(200);
    expect((await sessions[0]!.get("/api/me")).status).toBe(401);
    expect((await signIn(email)).status).toBe(200);
    expect(await accept(token!)).toBe(200);
  });

  test("of an owner is changed by owners only, and the last owner who can sign in stays active", async () => {
    const lone = await app.tenant();
    const last = await lone.owner();
    const { id } = (await last.get("/api/me", 200)).body;
    // Owners who have not accepted the invitation, or are deactivated, do not count.
    await add({ role: "owner", workspaceIds: [] }, last);
    const away = await add({ role: "owner", workspaceIds: [], password: PASSWORD }, last);
    expect((await move(away.id, "deactivated", last)).status).toBe(200);
    for (const change of [{ status: "deactivated" }, { role: "admin" }, { role: "owner", status: "deactivated" }])
      expect([change, (await last.patch(`/api/members/${id}`, change)).status]).toEqual([change, 409]);
    expect((await last.delete(`/api/members/${id}`)).status).toBe(409);
    const { email } = await add({ role: "admin", workspaceIds: [], password: PASSWORD }, last);
    const admin = await last.login(email, PASSWORD);
    for (const status of ["active", "deactivated"]) expect((await move(away.id, status, admin)).status).toBe(403);
    const { id: agentId } = await add({ workspaceIds: [] }, last);
    expect((await admin.patch(`/api/members/${agentId}`, { role: "owner", status: "deactivated" })).status).toBe(403);
    expect((await move(away.id, "active", last)).status).toBe(200);
    expect((await move(id, "deactivated", last)).status).toBe(200);
    expect((await last.get("/api/me")).status).toBe(401);
  });

  test("changes from invited to active when the invitation is accepted, also without a password where an issuer signs in", async () => {
    const { id, email } = await add();
    const [token] = await tokensTo(app, tenant.tenantId, email);
    await app.client().post("/api/auth/password", { token }, 200);
    await app.client(await issuer.token({ email, email_verified: true })).get("/api/me", 200);
    await noteSeen();
    expect(await find(id)).toMatchObject({ status: "active", lastSeenAt: expect.any(String) });
  });
});

describe("inviting again", () => {
  test("mails a new link that sets the password, and invalidates the earlier one", async () => {
    const { id, email } = await add({ workspaceIds: [] }, sandbox);
    await app.db.query(`update member set invitation_expires_at = now() - interval '1 day' where id = $1`, [id]);
    expect((await sandbox.post(`/api/members/${id}/invite`, undefined, 200)).body).toEqual({ ok: true });
    const [second, first, ...more] = await tokensOf(email);
    expect(more).toEqual([]);
    expect(second).not.toBe(first);
    expect(await accept(first!)).toBe(401);
    expect(await accept(second!)).toBe(200);
    expect((await signIn(email)).status).toBe(200);
  });

  test("is 409 for active and deactivated members, and only owners can invite an owner again", async () => {
    const [active, gone, boss] = [await add({ password: PASSWORD }), await add(), await add({ role: "owner" })];
    await move(gone.id, "deactivated");
    for (const { id } of [active, gone]) await owner.post(`/api/members/${id}/invite`, undefined, 409);
    const { email } = await add({ role: "admin", password: PASSWORD });
    const admin = await owner.login(email, PASSWORD);
    await admin.post(`/api/members/${boss.id}/invite`, undefined, 403);
    await admin.post(`/api/members/${(await add()).id}/invite`, undefined, 200);
    await owner.post(`/api/members/${boss.id}/invite`, undefined, 200);
  });
});

describe("presence", () => {
  const presenceOf = async (id: string): Promise<string> => (await find(id)).presence;

  test("is what the member sets, on both sides, and offline after signing out", async () => {
    const agent = await newAgent(owner, [tenant.defaults.workspaceId]);
    for (const presence of ["online", "away", "offline", "online"]) {
      expect((await agent.put("/api/me/presence", { presence }, 200)).body).toEqual({
        ...(await find(agent.id)),
        presence,
      });
      expect((await sandbox.get("/api/members", 200)).body.find(({ id }) => id === agent.id)!.presence).toBe(presence);
    }
    for (const presence of ["busy", "", null, 1]) await agent.put("/api/me/presence", { presence }, 400);
    await tenant.live.put("/api/me/presence", { presence: "online" }, 403);
    await agent.post("/api/auth/logout", undefined, 200);
    expect(await presenceOf(agent.id)).toBe("offline");
  });

  test("is offline after five minutes without a request, and is restored by the next one", async () => {
    const agent = await newAgent(owner, [tenant.defaults.workspaceId]);
    await agent.put("/api/me/presence", { presence: "online" }, 200);
    await noteSeen();
    await app.db.query(`update member set last_seen_at = now() - interval '301 seconds' where id = $1`, [agent.id]);
    expect(await presenceOf(agent.id)).toBe("offline");
    await noteSeen();
    expect(await presenceOf(agent.id)).toBe("offline");
    await agent.get("/api/workspaces", 200);
    await noteSeen();
    expect(await presenceOf(agent.id)).toBe("online");
  });

  test("is offline for a deactivated member", async () => {
    const agent = await newAgent(owner, [tenant.defaults.workspaceId]);
    await agent.put("/api/me/presence", { presence: "online" }, 200);
    expect((await move(agent.id, "deactivated")).body.presence).toBe("offline");
  });
});

describe("after a member is removed or deactivated", () => {
  test.each(["removed", "deactivated"])(
    "%s: unresolved conversations on both sides become unassigned; resolved ones and the member's keys stay",
    async (how) => {
      const { id, email } = await add({ role: "admin", password: PASSWORD });
      const [live, test] = [await owner.login(email, PASSWORD), await owner.login(email, PASSWORD, "test")];
      const key = await keyFor(live);
      const replied = async (client: Client, workspaceId: string): Promise<string> => {
        const conversation = await start(client, workspaceId, { message: { body: "Hello" } });
        await client.post(`/api/conversations/${conversation.id}/reply`, { body: "Hello" }, 200);
        return conversation.id;
      };
      const [open, snoozed, resolved, onTest] = [
        await replied(live, tenant.defaults.workspaceId),
        await replied(live, tenant.defaults.workspaceId),
        await replied(live, tenant.defaults.workspaceId),
        await replied(test, tenant.testDefaults.workspaceId),
      ];
      await app.db.query(`update conversation set status = 'snoozed' where id = $1`, [snoozed]);
      await app.db.query(`update conversation set status = 'resolved', resolved_at = now() where id = $1`, [resolved]);
      const others = await replied(owner, tenant.defaults.workspaceId);
      const read = async (conversationId: string, by: Client = owner) =>
        (await by.get(`/api/conversations/${conversationId}`, 200)).body;
      const before = await read(open);
      expect(before.assigneeId).toBe(id);

      if (how === "removed") await owner.delete(`/api/members/${id}`, 200);
      else await move(id, "deactivated");
      await app.app.get(UnassignFormerMembersJob).run();
      const after = await read(open);
      expect(after).toEqual({
        ...before,
        assigneeId: null,
        lastActivityAt: after.updatedAt,
        updatedAt: expect.any(String),
      });
      expect(after.updatedAt > before.updatedAt).toBe(true);
      expect([(await read(snoozed)).assigneeId, (await read(onTest, sandbox)).assigneeId]).toEqual([null, null]);
      expect([(await read(resolved)).assigneeId, (await read(others)).assigneeId]).toEqual([id, ownerId]);
      expect((await owner.get("/api/api-keys", 200)).body.find((one) => one.id === key.id)).toMatchObject({
        status: "active",
        createdBy: id,
      });
      await key.get("/api/workspaces", 200);

      // The contact writes again in the resolved conversation.
      await tenant.live.post(`/api/conversations/${resolved}/messages`, { body: "Once more" }, 201);
      expect(await read(resolved)).toMatchObject({ status: "open", assigneeId: null });
    },
  );

  test("a member who is reactivated before the release keeps the conversations", async () => {
    const agent = await newAgent(owner, [tenant.defaults.workspaceId]);
    const { id } = await start(agent, tenant.defaults.workspaceId, { message: { body: "Hello" } });
    await agent.post(`/api/conversations/${id}/reply`, { body: "Hello" }, 200);
    for (const status of ["deactivated", "active"]) await move(agent.id, status);
    await app.app.get(UnassignFormerMembersJob).run();
    expect((await owner.get(`/api/conversations/${id}`, 200)).body.assigneeId).toBe(agent.id);
  });

  test("unresolved cases become unassigned, with an event; resolved ones keep the assignee", async () => {
    const agent = await newAgent(owner, [tenant.defaults.workspaceId]);
    const cases = (await Promise.all(
      ["in_progress", "resolved"].map(async (status) => {
        const { id } = (
          await owner.post(
            "/api/cases",
            { workspaceId: tenant.defaults.workspaceId, title: "A parcel is lost", assigneeId: agent.id },
            201,
          )
        ).body;
        await owner.patch(`/api/cases/${id}`, { status }, 200);
        return id;
      }),
    )) as [string, string];
    await move(agent.id, "deactivated");
    await owner.post(
      "/api/cases",
      { workspaceId: tenant.defaults.workspaceId, title: "Another", assigneeId: agent.id },
      404,
    );
    await app.app.get(UnassignFormerMembersJob).run();
    const now = await Promise.all(cases.map(async (id) => (await owner.get(`/api/cases/${id}`, 200)).body.assigneeId));
    expect(now).toEqual([null, agent.id]);
    const { data } = (await owner.get(`/api/cases/${cases[0]}/events`, 200)).body;
    expect(data.filter(({ type }) => type === "assignee")).toMatchObject([
      { from: agent.id, to: null, actor: { kind: "system" } },
    ]);
  });

  test("all of 1,200 conversations are released, in batches", async () => {
    const agent = await newAgent(owner, [tenant.defaults.workspaceId]);
    const { id } = await start(agent, tenant.defaults.workspaceId);
    await app.db.query(
      `insert into conversation (tenant_id, id, workspace_id, brand_id, channel_id, contact_id, assignee_id)
      select c.tenant_id, gen_random_uuid(), c.workspace_id, c.brand_id, c.channel_id, c.contact_id, $2 from conversation c, generate_series(1, 1200) where c.id = $1`,
      [id, agent.id],
    );
    await owner.delete(`/api/members/${agent.id}`, 200);
    await Promise.all([app.app.get(UnassignFormerMembersJob).run(), app.app.get(UnassignFormerMembersJob).run()]);
    expect((await owner.get(`/api/conversations?assigneeId=${agent.id}`, 200)).body).toEqual({ data: [] });
    expect(await app.db.query("select from release_queue where member_id = $1", [agent.id])).toEqual([]);
  });
});
