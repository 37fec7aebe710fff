import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aTime, anId } from "../e2e/support.js";
import { tablesWith } from "../../races/support.js";
import { controlOf, PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { ROUTES } from "../../support/routes.js";
import { codeOf, complete, person, withApp, withPassword, holdStep } from "./second-factor-support.js";

holdStep();

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(() => app.close());

const UNAUTHORIZED = '{"error":"Unauthorized"}';
const factorsOf = async (client: Client) => (await client.get("/api/me/second-factors", 200)).body;
/** Limits of sign-ins are tested by themselves; here many tests share one address. */
const forgetAttempts = (): Promise<unknown> => controlOf(app.db).query("delete from login_attempt");
const securityEvents = async (memberId: string): Promise<string[]> =>
  (await owner.get(`/api/security-log?memberId=${memberId}&limit=100`, 200)).body.data.map(({ type }) => type);

describe("an authenticator app", () => {
  test("is added in two steps, and sign-ins ask for it only after the second", async () => {
    const { email, client } = await person(owner);
    const { body: added } = await client.post("/api/me/second-factors", { type: "totp", name: " Phone " }, 201);
    expect(added).toEqual({
      id: anId,
      type: "totp",
      name: "Phone",
      totp: {
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        url: expect.stringMatching(/^otpauth:\/\/totp\/Parley/),
      },
      passkeyOptions: null,
    });
    expect(added.totp!.url).toContain(added.totp!.secret);
    expect((await factorsOf(client)).factors).toEqual([]);
    await app.client().login(email, PASSWORD);

    const wrong = codeOf(added.totp!.secret) === "000000" ? "111111" : "000000";
    await client.post(`/api/me/second-factors/${added.id}/confirm`, { code: wrong }, 400);
    await app.client().login(email, PASSWORD);
    const confirm = { code: codeOf(added.totp!.secret) };
    expect((await client.post(`/api/me/second-factors/${added.id}/confirm`, confirm, 200)).body).toEqual({
      id: added.id,
      type: "totp",
      name: "Phone",
      createdAt: aTime,
      lastUsedAt: aTime,
    });
    await client.post(`/api/me/second-factors/${added.id}/confirm`, confirm, 404);
    expect((await withPassword(app, email)).methods).toEqual(["totp"]);
  });

  test("completes a sign-in: the password alone gives no session and no cookie", async () => {
    const { email, client } = await person(owner);
    const { secret } = await withApp(client);
    const first = await app.client().post("/api/auth/login", { email, password: PASSWORD }, 200);
    expect(first.headers.get("set-cookie")).toBeNull();
    expect(first.body).toEqual({
      secondFactor: { token: expect.any(String), expiresIn: 300, methods: ["totp"], passkeyOptions: null },
    });
    const { token } = await withPassword(app, email);
    for (const bearer of [token, `Bearer ${token}`]) await app.client(bearer).get("/api/me", 401);
    const answer = await complete(app, token, { code: codeOf(secret) });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toMatch(/^parley_refresh=[\w-]+;.*HttpOnly/);
    expect((await app.client(answer.body.accessToken).get("/api/me", 200)).body.name).toBe("Grace");
  });

  test("gives no code twice, and none of an earlier time step", async () => {
    const { email, client } = await person(owner);
    const { secret } = await withApp(client);
    const code = codeOf(secret);
    expect((await complete(app, (await withPassword(app, email)).token, { code })).status).toBe(200);
    for (const again of [code, codeOf(secret, -1)])
      expect((await complete(app, (await withPassword(app, email)).token, { code: again })).status).toBe(401);
    expect((await complete(app, (await withPassword(app, email)).token, { code: codeOf(secret, 1) })).status).toBe(200);
  });

  test("gives codes that are valid for one step before and after, and no longer", async () => {
    const { email, client } = await person(owner);
    const { secret } = await withApp(client);
    for (const steps of [-3, 3])
      expect(
        (await complete(app, (await withPassword(app, email)).token, { code: codeOf(secret, steps) })).status,
      ).toBe(401);
    expect((await complete(app, (await withPassword(app, email)).token, { code: codeOf(secret, 1) })).status).toBe(200);
  });

  test("is one a member, and its secret is stored sealed", async () => {
    const { client } = await person(owner);
    const { secret } = await withApp(client);
    await client.post("/api/me/second-factors", { type: "totp", name: "Another" }, 409);
    expect(await tablesWith(app.db, secret)).toEqual({});
  });

  test("refuses further codes after twenty wrong ones a day, from whatever address and however many sign-ins", async () => {
    const { email, client } = await person(owner);
    const { secret } = await withApp(client);
    const codes = (await client.post("/api/me/second-factors/recovery-codes", undefined, 201)).body.codes;
    const wrong = codeOf(secret) === "000000" ? "111111" : "000000";
    const statuses: number[] = [];
    for (let n = 0; n < 22; n++) {
      await forgetAttempts();
      statuses.push((await complete(app, (await withPassword(app, email)).token, { code: wrong })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 401), 429, 429]);
    await forgetAttempts();
    expect((await complete(app, (await withPassword(app, email)).token, { code: codeOf(secret) })).status).toBe(429);
    // Recovery codes cannot be guessed, so nobody is locked out.
    const { token } = await withPassword(app, email);
    expect((await complete(app, token, { recoveryCode: codes[0] })).status).toBe(200);
    await app.db.query("update second_factor set tries_since = now() - interval '25 hours'");
    expect((await complete(app, (await withPassword(app, email)).token, { code: codeOf(secret) })).status).toBe(200);
  });
});

describe("the token between password and second factor", () => {
  test("is void after five wrong answers", async () => {
    await forgetAttempts();
    const { email, client } = await person(owner);
    const { secret } = await withApp(client);
    const { token } = await withPassword(app, email);
    for (let n = 0; n < 5; n++)
      expect((await complete(app, token, { recoveryCode: `wrong ${n}` })).text).toBe(UNAUTHORIZED);
    expect((await complete(app, token, { code: codeOf(secret) })).status).toBe(401);
    expect((await complete(app, (await withPassword(app, email)).token, { code: codeOf(secret) })).status).toBe(200);
  });

  test("works once, for five minutes, and only while the member may sign in", async () => {
    await forgetAttempts();
    const { id, email, client } = await person(owner);
    const codes = async (): Promise<string[]> =>
      (await client.post("/api/me/second-factors/recovery-codes", undefined, 201)).body.codes;
    await withApp(client);
    const [first, second] = await codes();
    const { token } = await withPassword(app, email);
    expect((await complete(app, token, { recoveryCode: first })).status).toBe(200);
    expect((await complete(app, token, { recoveryCode: second })).status).toBe(401);

    const late = await withPassword(app, email);
    await app.db.query("update pending_sign_in set expires_at = now() - interval '1 second'");
    expect((await complete(app, late.token, { recoveryCode: second })).status).toBe(401);

    const barred = await withPassword(app, email);
    await owner.patch(`/api/members/${id}`, { status: "deactivated" }, 200);
    await owner.patch(`/api/members/${id}`, { status: "active" }, 200);
    expect((await complete(app, barred.token, { recoveryCode: second })).status).toBe(401);
  });

  test("belongs to one member: another member's code does not complete it", async () => {
    await forgetAttempts();
    const [ada, eve] = [await person(owner), await person(owner)];
    await withApp(ada.client);
    const { secret } = await withApp(eve.client);
    const [evesCode] = (await eve.client.post("/api/me/second-factors/recovery-codes", undefined, 201)).body.codes;
    const { token } = await withPassword(app, ada.email);
    expect((await complete(app, token, { code: codeOf(secret) })).status).toBe(401);
    expect((await complete(app, token, { recoveryCode: evesCode })).status).toBe(401);
  });

  test("takes exactly one proof, and anything that is no token is 401", async () => {
    const { email, client } = await person(owner);
    const { secret } = await withApp(client);
    const { token } = await withPassword(app, email);
    expect((await complete(app, token, {})).status).toBe(400);
    expect((await complete(app, token, { code: codeOf(secret), recoveryCode: "x" })).status).toBe(400);
    expect((await complete(app, token, { code: "12345" })).status).toBe(400);
    for (const made of ["x", randomUUID(), `${token}A`, Buffer.alloc(64).toString("base64url")])
      expect((await complete(app, made, { code: codeOf(secret) })).text).toBe(UNAUTHORIZED);
    expect((await complete(app, token, { passkey: { id: "x", response: {} } })).status).toBe(401);
  });

  test("counts against the sign-in limits: who only knows the password gets ten tries in 15 minutes", async () => {
    await forgetAttempts();
    const { email, client } = await person(owner);
    await withApp(client);
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) {
      const answer = await app.client().post("/api/auth/login", { email, password: PASSWORD });
      statuses.push(answer.status);
      if (!("secondFactor" in answer.body)) continue;
      statuses.push((await complete(app, answer.body.secondFactor.token, { recoveryCode: "wrong" })).status);
    }
    expect(statuses).toEqual([200, 401, 200, 401, 200, 401, 200, 401, 200, 401, 429]);
    await forgetAttempts();
  });
});

describe("recovery codes", () => {
  test("are ten, are shown once, are stored as hashes, and each replaces the second factor of one sign-in", async () => {
    await forgetAttempts();
    const { id, email, client } = await person(owner);
    await client.post("/api/me/second-factors/recovery-codes", undefined, 409);
    await withApp(client);
    const { codes } = (await client.post("/api/me/second-factors/recovery-codes", undefined, 201)).body;
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    expect(await tablesWith(app.db, codes[0]!)).toEqual({});
    const { token, methods } = await withPassword(app, email);
    expect(methods).toEqual(["totp", "recovery_code"]);
    // As people type it.
    expect((await complete(app, token, { recoveryCode: codes[0]!.toUpperCase().replaceAll("-", " ") })).status).toBe(
      200,
    );
    expect((await complete(app, (await withPassword(app, email)).token, { recoveryCode: codes[0] })).status).toBe(401);
    expect((await factorsOf(client)).recoveryCodesLeft).toBe(9);
    expect(await securityEvents(id)).toEqual(expect.arrayContaining(["recovery_code_used", "recovery_codes_made"]));
  });

  test("are replaced as a whole", async () => {
    const { email, client } = await person(owner);
    await withApp(client);
    const make = async (): Promise<string[]> =>
      (await client.post("/api/me/second-factors/recovery-codes", undefined, 201)).body.codes;
    const [old, [fresh]] = [await make(), await make()];
    expect((await factorsOf(client)).recoveryCodesLeft).toBe(10);
    expect((await complete(app, (await withPassword(app, email)).token, { recoveryCode: old[0] })).status).toBe(401);
    expect((await complete(app, (await withPassword(app, email)).token, { recoveryCode: fresh })).status).toBe(200);
  });
});

describe("removing second factors", () => {
  test("the member removes theirs, and the password alone signs in again", async () => {
    const { id, email, client } = await person(owner);
    const app1 = await withApp(client);
    await client.post("/api/me/second-factors/recovery-codes", undefined, 201);
    await client.delete(`/api/me/second-factors/${app1.id}`, 200);
    expect(await factorsOf(client)).toEqual({ required: false, factors: [], recoveryCodesLeft: 0 });
    await client.delete(`/api/me/second-factors/${app1.id}`, 404);
    await app.client().login(email, PASSWORD);
    expect((await securityEvents(id)).slice(1, 4)).toEqual([
      "second_factor_removed",
      "recovery_codes_made",
      "second_factor_added",
    ]);
  });

  test("another member's is 404", async () => {
    const [ada, eve] = [await person(owner), await person(owner)];
    const { id } = await withApp(ada.client);
    await eve.client.delete(`/api/me/second-factors/${id}`, 404);
    expect((await factorsOf(ada.client)).factors).toHaveLength(1);
  });

  test("an admin removes a member's who lost their phone, and the member is told by mail; only an owner an owner's", async () => {
    const admin = await person(owner, "admin");
    const ada = await person(owner);
    await withApp(ada.client);
    await admin.client.delete(`/api/members/${ada.id}/second-factors`, 200);
    await admin.client.delete(`/api/members/${ada.id}/second-factors`, 409);
    await app.client().login(ada.email, PASSWORD);
    const told = async (): Promise<(string | null)[]> =>
      (await owner.get("/api/outbox?status=queued&limit=100", 200)).body.data.map(({ to }) => to);
    expect(await told()).toContain(ada.email);

    // On the test side nothing is sent, and admins can read what would be.
    const bob = await person(owner);
    await withApp(bob.client);
    const onTest = await app.client().login(admin.email, PASSWORD, "test");
    await onTest.delete(`/api/members/${bob.id}/second-factors`, 200);
    expect(await told()).toContain(bob.email);

    const chief = await person(owner, "owner");
    await withApp(chief.client);
    await admin.client.delete(`/api/members/${chief.id}/second-factors`, 403);
    await owner.delete(`/api/members/${chief.id}/second-factors`, 200);
  });

  test("nothing is left of a member who is removed", async () => {
    const { id, email, client } = await person(owner);
    await withApp(client);
    await client.post("/api/me/second-factors/recovery-codes", undefined, 201);
    await withPassword(app, email);
    await owner.delete(`/api/members/${id}`, 200);
    for (const table of ["second_factor", "recovery_code", "pending_sign_in"])
      expect(await app.db.query(`select 1 from ${table} where member_id = $1`, [id])).toEqual([]);
  });

  test("stay with a member who is deactivated: reactivation does not leave the password alone", async () => {
    const { id, email, client } = await person(owner);
    await withApp(client);
    await owner.patch(`/api/members/${id}`, { status: "deactivated" }, 200);
    await owner.patch(`/api/members/${id}`, { status: "active" }, 200);
    expect((await withPassword(app, email)).methods).toEqual(["totp"]);
  });
});

describe("reauthenticating with a code", () => {
  test("renews the sign-in; a wrong code does not, and neither does a code twice", async () => {
    await forgetAttempts();
    const { email, client: first } = await person(owner, "admin");
    const { secret } = await withApp(first);
    const { token } = await withPassword(app, email);
    const client = app.client((await complete(app, token, { code: codeOf(secret) })).body.accessToken);
    await app.db.query("update member_session set authenticated_at = now() - interval '1 hour'");
    await client.post("/api/auth/reauthenticate", { code: codeOf(secret) }, 401);
    await client.post("/api/auth/reauthenticate", { code: codeOf(secret, 1), password: PASSWORD }, 400);
    await client.post("/api/auth/reauthenticate", {}, 400);
    await client.patch("/api/tenant", { name: "Renamed" }, 403);
    await client.post("/api/auth/reauthenticate", { code: codeOf(secret, 1) }, 200);
    await client.patch("/api/tenant", { name: "Renamed" }, 200);
    await app.db.query("update member_session set authenticated_at = now()");
  });

  test("is 401 for a member without an app", async () => {
    const { client } = await person(owner);
    await client.post("/api/auth/reauthenticate", { code: "123456" }, 401);
  });
});

describe("a tenant that requires a second factor", () => {
  let strict: TestTenant;
  let admin: Client;
  beforeAll(async () => {
    await forgetAttempts();
    strict = await app.tenant();
    admin = await strict.owner();
  });

  test("is made so by an admin who has one, so that nobody locks themselves out", async () => {
    const answer = await admin.patch("/api/tenant", { requireSecondFactor: true }, 409);
    expect(answer.text).toContain("for yourself");
    await withApp(admin);
    expect((await admin.patch("/api/tenant", { requireSecondFactor: true }, 200)).body.requireSecondFactor).toBe(true);
  });

  test("lets members without one set one up and nothing else, and then everything", async () => {
    const { client } = await person(admin, "admin");
    expect(await factorsOf(client)).toMatchObject({ required: true, factors: [] });
    const open = ROUTES.filter(({ mayLackSecondFactor }) => mayLackSecondFactor).map(({ name }) => name);
    expect(open).toHaveLength(11);
    for (const { name, method, path, access, takesBody } of ROUTES) {
      if (access === "public" || open.includes(name)) continue;
      const url = path.replace(/\{[^}]+\}/g, randomUUID());
      const answer = await client.send(method, url, takesBody ? {} : undefined);
      expect([name, answer.status, answer.text]).toEqual([name, 403, '{"error":"Set up a second factor first"}']);
      expect(answer.headers.get("x-error-code")).toBe("second-factor-missing");
    }
    await client.get("/api/me", 200);
    await client.get("/api/me/sessions", 200);
    await withApp(client);
    await client.get("/api/members", 200);
  });

  test("takes effect on sessions that exist at once, and keeps the last one of each member", async () => {
    const { client } = await person(admin);
    await client.get("/api/workspaces", 403);
    const { id } = await withApp(client);
    await client.get("/api/workspaces", 200);
    expect((await client.delete(`/api/me/second-factors/${id}`, 409)).text).toContain("requires");
    expect((await factorsOf(client)).factors).toHaveLength(1);
    await admin.patch("/api/tenant", { requireSecondFactor: false }, 200);
    await client.delete(`/api/me/second-factors/${id}`, 200);
    await client.get("/api/workspaces", 200);
  });

  test("does not concern API keys", async () => {
    await admin.patch("/api/tenant", { requireSecondFactor: true }, 200);
    await strict.live.get("/api/workspaces", 200);
  });
});
