import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ROUTES } from "../../support/routes.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { eventually } from "../../support/eventually.js";
import { AUDIENCE, type Issuer, startIssuer } from "./issuer.js";

let issuer: Issuer;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  issuer = await startIssuer();
  app = await startApp({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE });
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await app.close();
  await issuer.down();
});

const AGAIN = '{"error":"Sign in again"}';
/** Moves the sign-in of all sessions into the past. */
const signedInAgo = (seconds: number): Promise<unknown> =>
  app.db.query("update member_session set authenticated_at = now() - make_interval(secs => $1)", [seconds]);
const makeKey = (client: Client, expected?: number) =>
  client.post("/api/api-keys", { name: "k", scopes: ["kb:read"] }, expected);

describe("a sign-in", () => {
  test("counts for 15 minutes, and later the session is 403 `Sign in again` on sensitive routes alone", async () => {
    await signedInAgo(14 * 60 + 50);
    await makeKey(owner, 201);
    await signedInAgo(15 * 60);
    const { text, headers } = await makeKey(owner, 403);
    expect([text, headers.get("x-error-code")]).toEqual([AGAIN, "sign-in-again"]);
    await owner.get("/api/api-keys", 200);
    await owner.get("/api/members", 200);
  });

  test("that was recent when it was cached does not count for longer than the setting", async () => {
    // A second, and longer on a machine that is too busy to use it in that time.
    let left = 0.5;
    await eventually(async () => {
      await signedInAgo(15 * 60 - (left *= 2));
      await makeKey(owner, 201);
    });
    // Nothing changes in the database from here on, so the session stays cached.
    await vi.waitFor(async () => expect((await makeKey(owner)).status).toBe(403), { timeout: 100_000, interval: 100 });
  });

  test.each(ROUTES.filter(({ needsRecentSignIn }) => needsRecentSignIn).map(({ name }) => [name]))(
    "%s is refused before anything of the request is looked at",
    async (name) => {
      await signedInAgo(3_600);
      const [method, path] = name.split(" ") as [string, string];
      const answer = await owner.send(
        method,
        path.replace(/\{[^}]+\}/g, randomUUID()),
        method === "GET" ? undefined : {},
      );
      expect([answer.status, answer.text]).toEqual([403, AGAIN]);
    },
  );

  test("does not matter for API keys", async () => {
    await signedInAgo(3_600);
    const { id } = (await tenant.live.post("/api/contacts", { name: "Ada" }, 201)).body;
    await owner.post(`/api/contacts/${id}/erasure`, undefined, 403);
    await tenant.live.post(`/api/contacts/${id}/erasure`, undefined, 200);
  });

  test("does not matter for a member without the role: they get `Forbidden`", async () => {
    const owner = await tenant.owner();
    const email = `${randomUUID()}@example.com`;
    await owner.post("/api/members", { email, name: "Agent", role: "agent", password: PASSWORD }, 201);
    const agent = await app.client().login(email, PASSWORD);
    await signedInAgo(3_600);
    expect((await makeKey(agent, 403)).text).toBe('{"error":"Forbidden"}');
  });
});

describe("reauthenticating", () => {
  const renew = (client: Client, password: string, expected?: number) =>
    client.post("/api/auth/reauthenticate", { password }, expected);

  test("with the password makes the very next request pass, for this session alone", async () => {
    const other = await tenant.owner();
    await signedInAgo(3_600);
    await makeKey(owner, 403);
    await renew(owner, PASSWORD, 200);
    await makeKey(owner, 201);
    await makeKey(other, 403);
    const { data } = (await other.get("/api/security-log?type=reauthenticated", 200)).body;
    expect(data[0]!.detail).toMatchObject({ by: "password" });
  });

  test("with a wrong password is 401 and renews nothing", async () => {
    await signedInAgo(3_600);
    expect((await renew(owner, "a wrong password", 401)).text).toBe('{"error":"Unauthorized"}');
    await makeKey(owner, 403);
    await owner.get("/api/me", 200);
    await renew(owner, PASSWORD, 200);
  });

  test("is limited as sign-ins are: a stolen session guesses no password", async () => {
    const { owner: signIn } = await app.tenant();
    const thief = await signIn();
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++) statuses.push((await renew(thief, `guess ${guess}`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect((await renew(thief, PASSWORD)).status).toBe(429);
  });

  test("does not revive a session that has ended", async () => {
    const gone = await tenant.owner();
    await gone.post("/api/auth/logout", undefined, 200);
    await renew(gone, PASSWORD, 401);
  });
});

describe("the tenant's setting", () => {
  test("is 15 minutes, and admins change it between 5 minutes and a day; it takes effect at once, on both sides", async () => {
    const owner = await tenant.owner();
    expect((await owner.get("/api/tenant", 200)).body.signInValidMinutes).toBe(15);
    for (const signInValidMinutes of [4, 1_441, 10.5, "15"])
      await owner.patch("/api/tenant", { signInValidMinutes }, 400);
    expect((await owner.patch("/api/tenant", { signInValidMinutes: 60 }, 200)).body.signInValidMinutes).toBe(60);
    const onTest = await tenant.owner("test");
    expect((await onTest.get("/api/tenant", 200)).body.signInValidMinutes).toBe(60);
    await signedInAgo(59 * 60);
    await makeKey(owner, 201);
    await makeKey(onTest, 201);
    await owner.patch("/api/tenant", { signInValidMinutes: 5 }, 200);
    await makeKey(owner, 403);
    await makeKey(onTest, 403);
    await owner.post("/api/auth/reauthenticate", { password: PASSWORD }, 200);
    await owner.patch("/api/tenant", { signInValidMinutes: 15 }, 200);
  });
});

describe("a token of an external issuer", () => {
  const token = async (claims: object): Promise<Client> => {
    const now = Math.floor(Date.now() / 1_000);
    const whole = { iss: issuer.url, aud: AUDIENCE, sub: "x", iat: now, exp: now + 300 };
    return app.client(await issuer.sign({ ...whole, email: tenant.ownerEmail, email_verified: true, ...claims }));
  };
  const secondsAgo = (seconds: number): number => Math.floor(Date.now() / 1_000) - seconds;

  test("says by auth_time when the member signed in, otherwise by the time of the token", async () => {
    await makeKey(await token({ auth_time: secondsAgo(60) }), 201);
    await makeKey(await token({ auth_time: secondsAgo(901) }), 403);
    await makeKey(await token({ iat: secondsAgo(60) }), 201);
    await makeKey(await token({ iat: secondsAgo(901) }), 403);
    await makeKey(await token({ iat: undefined }), 403);
    await makeKey(await token({ auth_time: "now" }), 403);
  });

  test("cannot be renewed here: its issuer signs the member in", async () => {
    const answer = await (
      await token({ auth_time: secondsAgo(901) })
    ).post("/api/auth/reauthenticate", { password: PASSWORD }, 409);
    expect(answer.text).toContain("sign-in provider");
  });
});
