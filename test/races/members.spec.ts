import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { SessionVerifier } from "../../src/auth/sessions/session.verifier.js";
import { codeOf, complete, person, withApp, withPassword } from "../server/auth/second-factor-support.js";
import { ask } from "../server/security/http.js";
import { PASSWORD, type TestApp, type TestTenant } from "../support/app.js";
import type { Answer, Client } from "../support/client.js";
import { runs } from "../support/seed.js";
import { concurrently, on, SOON_MS, startTwo, tally, type TwoNodes } from "./support.js";

// Sessions, second factors and roles of members who do the same on two nodes at once.

let nodes: TwoNodes;
let tenant: TestTenant;
/** The owner of another tenant, whose members sign in with second factors. */
let newcomers: Client;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  newcomers = await (await nodes.a.tenant()).owner();
});
afterAll(() => nodes.close());

const node = (index: number): TestApp => (index % 2 ? nodes.a : nodes.b);

describe("a session", () => {
  interface SignedIn {
    status: number;
    cookie: string;
    token: string;
  }
  async function send(node: TestApp, path: string, headers: Record<string, string>, body?: object): Promise<SignedIn> {
    const answer = await ask(node.baseUrl, {
      method: "POST",
      path,
      headers: { ...headers, ...(body && { "content-type": "application/json" }) },
      body: body ? JSON.stringify(body) : "",
    });
    const { accessToken } = JSON.parse(answer.text) as { accessToken: string };
    const cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    return { status: Number(answer.status), cookie, token: accessToken };
  }
  const login = (): Promise<SignedIn> =>
    send(nodes.a, "/api/auth/login", {}, { email: tenant.ownerEmail, password: PASSWORD });
  const refresh = (cookie: string, node = nodes.a): Promise<SignedIn> => send(node, "/api/auth/refresh", { cookie });

  test("tabs that refresh at once on two processes get one and the same next token, and all go on", async () => {
    for (let round = 0; round < runs(2, 5); round++) {
      const { cookie } = await login();
      const tabs = await concurrently(6, (tab) => refresh(cookie, tab % 2 ? nodes.a : nodes.b));
      expect(tabs.map(({ status }) => status)).toEqual(tabs.map(() => 200));
      expect(new Set(tabs.map((tab) => tab.cookie)).size).toBe(1);
      for (const tab of tabs) await nodes.b.client(tab.token).get("/api/me", 200);
      expect((await refresh(tabs[0]!.cookie)).status).toBe(200);
    }
  });

  test("a stolen token that is used after the member's next one ends the session, on both processes, whoever is first", async () => {
    const stolen = await login();
    const next = await refresh(stolen.cookie);
    await nodes.b.client(next.token).get("/api/me", 200);
    await nodes.b.app.get(SessionVerifier).noteSeen();
    await nodes.a.db.query(
      "update member_session set rotated_at = now() - interval '61 seconds' where organisation_id = $1",
      [tenant.tenantId],
    );
    expect((await refresh(stolen.cookie)).status).toBe(401);
    for (const node of [nodes.a, nodes.b])
      await vi.waitFor(async () => expect((await node.client(next.token).get("/api/me")).status).toBe(401), {
        timeout: SOON_MS,
      });
    expect((await refresh(next.cookie)).status).toBe(401);
  });

  test("a renewed sign-in counts at once on the process that renewed it, and within a second on the others", async () => {
    const owner = await tenant.owner();
    const onB = on(nodes.b, owner);
    const rename = { name: "Renamed" };
    await nodes.a.db.query(
      "update member_session set authenticated_at = now() - interval '1 hour' where organisation_id = $1",
      [tenant.tenantId],
    );
    await owner.patch("/api/tenant", rename, 403);
    await onB.patch("/api/tenant", rename, 403);
    await owner.post("/api/auth/reauthenticate", { password: PASSWORD }, 200);
    await owner.patch("/api/tenant", rename, 200);
    await vi.waitFor(async () => expect((await onB.patch("/api/tenant", rename)).status).toBe(200), {
      timeout: SOON_MS,
    });
  });
});

describe("a second factor", () => {
  const forgetAttempts = (): Promise<unknown> => nodes.a.db.query("delete from login_attempt");

  test("of many sign-ins with one code at the same time, one succeeds", async () => {
    const { email, client } = await person(newcomers);
    const { secret } = await withApp(client);
    const tokens = await Promise.all([1, 2, 3, 4].map(async () => (await withPassword(nodes.a, email)).token));
    await forgetAttempts();
    const code = codeOf(secret);
    const answers = await concurrently(4, (index) => complete(node(index), tokens[index]!, { code }));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 401: 3 });
  });

  test("of many sign-ins with one recovery code at the same time, one succeeds", async () => {
    const { email, client } = await person(newcomers);
    await withApp(client);
    const [code] = (await client.post("/api/me/second-factors/recovery-codes", undefined, 201)).body.codes;
    const tokens = await Promise.all([1, 2, 3, 4].map(async () => (await withPassword(nodes.a, email)).token));
    await forgetAttempts();
    const answers = await concurrently(4, (index) => complete(node(index), tokens[index]!, { recoveryCode: code }));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 401: 3 });
  });

  test("a token gives one session, even for different right answers at the same time", async () => {
    const { email, client } = await person(newcomers);
    await withApp(client);
    const { codes } = (await client.post("/api/me/second-factors/recovery-codes", undefined, 201)).body;
    const { token } = await withPassword(nodes.a, email);
    await forgetAttempts();
    const answers = await concurrently(4, (index) => complete(node(index), token, { recoveryCode: codes[index] }));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 401: 3 });
    // What the others presented is still good.
    expect((await client.get("/api/me/second-factors", 200)).body.recoveryCodesLeft).toBe(9);
  });

  test("of any number of guesses at the same time, no more than five are compared", async () => {
    const { id, email, client } = await person(newcomers);
    const { secret } = await withApp(client);
    const { token } = await withPassword(nodes.a, email);
    const wrong = codeOf(secret) === "000000" ? "111111" : "000000";
    await forgetAttempts();
    await concurrently(9, (index) => complete(node(index), token, { code: wrong }));
    const [row] = await nodes.a.db.query<{ tries: number }>("select tries from second_factor where member_id = $1", [
      id,
    ]);
    expect(row!.tries).toBe(5);
  });
});

describe("the last owner", () => {
  interface Owner {
    id: string;
    client: Client;
  }

  /** Two owners of a new tenant. The second one is signed in on the other node. */
  async function twoOwners(): Promise<{ organisationId: string; owners: [Owner, Owner] }> {
    const tenant = await nodes.a.tenant();
    const first = await tenant.owner();
    const email = `${randomUUID()}@example.com`;
    const { body: second } = await first.post(
      "/api/members",
      { email, name: "Second", role: "owner", password: PASSWORD },
      201,
    );
    const { body: me } = await first.get("/api/me", 200);
    return {
      organisationId: tenant.tenantId,
      owners: [
        { id: me.id, client: first },
        { id: second.id, client: on(nodes.b, await first.login(email, PASSWORD)) },
      ],
    };
  }
  const demote = ({ client }: Owner, { id }: Owner): Promise<Answer> =>
    client.patch(`/api/members/${id}`, { role: "agent" });
  const remove = ({ client }: Owner, { id }: Owner): Promise<Answer> => client.delete(`/api/members/${id}`);
  const deactivate = ({ client }: Owner, { id }: Owner): Promise<Answer> =>
    client.patch(`/api/members/${id}`, { status: "deactivated" });

  const WAYS: [string, (a: Owner, b: Owner) => Promise<Answer>[]][] = [
    ["each demotes the other", (a, b) => [demote(a, b), demote(b, a)]],
    ["each removes the other", (a, b) => [remove(a, b), remove(b, a)]],
    ["each demotes themselves", (a, b) => [demote(a, a), demote(b, b)]],
    ["one removes and one demotes the other", (a, b) => [remove(a, b), demote(b, a)]],
    ["each deactivates the other", (a, b) => [deactivate(a, b), deactivate(b, a)]],
    ["one deactivates the other, who goes", (a, b) => [deactivate(a, b), remove(b, a)]],
  ];

  test("remains when two owners concurrently demote, remove or deactivate themselves or each other", async () => {
    for (let round = 0; round < runs(WAYS.length, 2 * WAYS.length); round++) {
      const [way, act] = WAYS[round % WAYS.length]!;
      const { organisationId, owners } = await twoOwners();
      const answers = await Promise.all(act(...owners));
      // The second request finds the last owner, or a caller who is no longer an owner or a member.
      expect([way, answers.map(({ status }) => status).sort()]).toEqual([
        way,
        [200, expect.toBeOneOf([401, 403, 404, 409])],
      ]);
      const left = await nodes.a.db.query(
        `select id from member where organisation_id = $1 and role = 'owner' and removed_at is null and deactivated_at is null`,
        [organisationId],
      );
      expect([way, left.length]).toEqual([way, 1]);
    }
  });
});
