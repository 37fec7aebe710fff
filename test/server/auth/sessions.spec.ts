import { randomUUID } from "node:crypto";
import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { tablesWith } from "../../races/support.js";
import { ask, type RawAnswer } from "../security/http.js";
import { SessionVerifier } from "../../../src/auth/sessions/session.verifier.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

interface SignedIn {
  client: Client;
  cookie: string;
  setCookie: string;
  answer: RawAnswer;
}

/** Signs in or refreshes without the contract-checking client, which hides cookies. */
async function send(
  path: string,
  { body = "", cookie = "", node = app }: { body?: string; cookie?: string; node?: TestApp },
): Promise<SignedIn> {
  const answer = await ask(node.baseUrl, {
    method: "POST",
    path,
    body,
    headers: { ...(body ? { "content-type": "application/json" } : {}), ...(cookie ? { cookie } : {}) },
  });
  const setCookie = answer.headers["set-cookie"]?.[0] ?? "";
  const { accessToken } = JSON.parse(answer.text) as { accessToken?: string };
  return { client: node.client(accessToken), cookie: setCookie.split(";")[0]!, setCookie, answer };
}
const login = (
  options: { email?: string; password?: string; environment?: string; node?: TestApp } = {},
): Promise<SignedIn> =>
  send("/api/auth/login", {
    node: options.node,
    body: JSON.stringify({
      email: options.email ?? tenant.ownerEmail,
      password: options.password ?? PASSWORD,
      environment: options.environment,
    }),
  });
const refresh = (cookie: string, node?: TestApp, environment?: string): Promise<SignedIn> =>
  send("/api/auth/refresh", { cookie, node, body: environment && JSON.stringify({ environment }) });
async function member(role: "admin" | "agent"): Promise<{ id: string; email: string }> {
  const email = `${randomUUID()}@example.com`;
  const body = { email, name: "Grace", role, password: PASSWORD };
  return { id: (await (await tenant.owner()).post("/api/members", body, 201)).body.id, email };
}
const works = async ({ client }: SignedIn): Promise<boolean> => (await client.get("/api/me")).status === 200;
const rotatedAgo = (seconds: number): Promise<unknown> =>
  app.db.query("update member_session set rotated_at = now() - make_interval(secs => $1)", [seconds]);

describe("signing in", () => {
  test("returns an access token for 15 minutes, the member, and the refresh token as an HttpOnly, SameSite cookie with its own path", async () => {
    const { answer, client, setCookie, cookie } = await login();
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({
      accessToken: expect.any(String),
      expiresIn: 900,
      member: expect.objectContaining({
        email: tenant.ownerEmail,
        role: "owner",
        status: "active",
        lastSeenAt: expect.any(String),
      }),
    });
    const { exp, iat } = decodeJwt(client.token!);
    expect(exp! - iat!).toBe(900);
    expect(setCookie).toMatch(/^parley_refresh=[\w-]{91}; /);
    expect(setCookie.split("; ").slice(1).sort()).toEqual([
      "HttpOnly",
      "Max-Age=1209600",
      "Path=/api/auth",
      "SameSite=Strict",
    ]);
    expect(answer.text).not.toContain(cookie.split("=")[1]);
    expect(answer.headers["cache-control"]).toContain("private");
  });

  test("sets a __Host- cookie in production: Secure, without a domain, and for all paths", async () => {
    const node = await startApp({ NODE_ENV: "production" }, app.db);
    try {
      const { setCookie, cookie } = await login({ node });
      const form = /^__Host-parley_refresh=[\w-]{91}; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Strict$/;
      expect(setCookie).toMatch(form);
      expect((await refresh(cookie, node)).setCookie).toMatch(form);
      expect((await refresh(cookie.replace("__Host-", ""), node)).answer.status).toBe(401);
    } finally {
      await node.close();
    }
  });

  test("opens the requested side, live by default", async () => {
    for (const [environment, tenantId] of [
      [undefined, tenant.tenantId],
      ["live", tenant.tenantId],
      ["test", tenant.testTenantId],
    ] as const) {
      const { client } = await login({ environment });
      expect((await client.get("/api/me", 200)).body).toMatchObject({
        kind: "member",
        tenantId,
        environment: environment ?? "live",
      });
    }
  });

  test("accepts the email in any case and with surrounding spaces, and the password only exactly", async () => {
    expect((await login({ email: ` ${tenant.ownerEmail.toUpperCase()} ` })).answer.status).toBe(200);
    for (const password of [PASSWORD.toUpperCase(), ` ${PASSWORD}`, `${PASSWORD} `])
      expect((await login({ password })).answer.status).toBe(401);
  });

  test("is refused in the same way for a wrong password, an unknown email, an invited member and a removed one", async () => {
    const owner = await tenant.owner();
    const [invited, removed] = [`${randomUUID()}@example.com`, `${randomUUID()}@example.com`];
    await owner.post("/api/members", { email: invited, name: "Invited", role: "agent" }, 201);
    const { id } = (
      await owner.post("/api/members", { email: removed, name: "Removed", role: "agent", password: PASSWORD }, 201)
    ).body;
    await owner.delete(`/api/members/${id}`, 200);
    const refusals = [
      await login({ password: "a wrong password" }),
      await login({ email: `${randomUUID()}@example.com` }),
      await login({ email: invited }),
      await login({ email: removed }),
    ].map(({ answer }) => {
      const { date: _, "x-request-id": __, ...headers } = answer.headers;
      return { status: answer.status, text: answer.text, headers };
    });
    expect(refusals[0]).toMatchObject({ status: 401, text: '{"error":"Unauthorized"}' });
    expect(refusals[0]!.headers).not.toHaveProperty("set-cookie");
    for (const refusal of refusals.slice(1)) expect(refusal).toEqual(refusals[0]);
    await login();
  });

  test("stores no password or refresh token, only an argon2id hash", async () => {
    const { cookie } = await login();
    expect(await tablesWith(app.db, PASSWORD)).toEqual({});
    expect(await tablesWith(app.db, cookie.split("=")[1]!)).toEqual({});
    const [row] = await app.db.query<{ hash: string }>("select password_hash as hash from member where email = $1", [
      tenant.ownerEmail,
    ]);
    expect(row!.hash).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=1\$/);
  });
});

describe("a refresh", () => {
  test("returns a new access token for the same session and side, and a new cookie", async () => {
    const first = await login({ environment: "test" });
    const second = await refresh(first.cookie, app, "test");
    expect(second.answer.status).toBe(200);
    expect(JSON.parse(second.answer.text)).toMatchObject({ expiresIn: 900, member: { email: tenant.ownerEmail } });
    expect(second.cookie).not.toBe(first.cookie);
    expect(second.setCookie.replace(second.cookie, "")).toBe(first.setCookie.replace(first.cookie, ""));
    expect((await second.client.get("/api/me", 200)).body).toMatchObject({
      environment: "test",
      tenantId: tenant.testTenantId,
    });
    expect(decodeJwt(second.client.token!).sid).toBe(decodeJwt(first.client.token!).sid);
    expect(await works(first)).toBe(true);
  });

  test("with the token just replaced gives the same new token: two tabs may refresh at once", async () => {
    const first = await login();
    const second = await refresh(first.cookie);
    const again = await refresh(first.cookie);
    expect([again.answer.status, again.cookie]).toEqual([200, second.cookie]);
    expect([await works(second), await works(again)]).toEqual([true, true]);
    expect((await refresh(second.cookie)).answer.status).toBe(200);
  });

  test("whose answer was lost works hours later with the same token, as long as nobody used the new one", async () => {
    const first = await login();
    const lost = await refresh(first.cookie);
    await rotatedAgo(3 * 3_600);
    const again = await refresh(first.cookie);
    expect([again.answer.status, again.cookie]).toEqual([200, lost.cookie]);
    expect((await refresh(again.cookie)).answer.status).toBe(200);
  });

  test.each(["live", "test"])(
    "with a replaced token ends the session once the new one was used, because one of the two users may be a thief (%s)",
    async (environment) => {
      const first = await login({ environment });
      const second = await refresh(first.cookie, app, environment);
      const bystander = await login();
      expect([await works(second), await works(bystander)]).toEqual([true, true]);
      await app.app.get(SessionVerifier).noteSeen();
      await rotatedAgo(61);
      const reused = await refresh(first.cookie, app, environment);
      expect([reused.answer.status, reused.answer.text, reused.setCookie]).toEqual([
        401,
        '{"error":"Unauthorized"}',
        "",
      ]);
      expect((await refresh(second.cookie, app, environment)).answer.status).toBe(401);
      await vi.waitFor(async () => expect([await works(first), await works(second)]).toEqual([false, false]), {
        timeout: 10_000,
      });
      expect(await works(bystander)).toBe(true);
      expect((await refresh(bystander.cookie)).answer.status).toBe(200);
    },
  );

  test("with a token that was replaced twice ends the session", async () => {
    const first = await login();
    const third = await refresh((await refresh(first.cookie)).cookie);
    expect((await refresh(first.cookie)).answer.status).toBe(401);
    await vi.waitFor(async () => expect(await works(third)).toBe(false), { timeout: 10_000 });
    expect((await refresh(third.cookie)).answer.status).toBe(401);
    const { data } = (await (await tenant.owner()).get("/api/security-log?type=refresh_token_reused", 200)).body;
    expect(data[0]!.detail).toMatchObject({ sessionId: decodeJwt(first.client.token!).sid });
  });

  test("with anything other than a session's refresh token is 401 and ends no session", async () => {
    const session = await login();
    const token = session.cookie.split("=")[1]!;
    await refresh(session.cookie);
    await rotatedAgo(61);
    const other = await login();
    // A guess would look like this: this session's id and number with another signature.
    const changed = token.slice(0, 48) + other.cookie.split("=")[1]!.slice(48);
    const made = [
      "",
      "x",
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      Buffer.alloc(68).toString("base64url"),
      Buffer.alloc(68, 255).toString("base64url"),
      session.client.token!,
      tenant.live.token!,
      encodeURIComponent(JSON.stringify([token])),
      "%00",
      "%ff",
    ];
    for (const cookie of made)
      expect([cookie, (await refresh(`parley_refresh=${cookie}`)).answer.status]).toEqual([cookie, 401]);
    expect((await refresh("")).answer.status).toBe(401);
    expect((await refresh(`other=${token}`)).answer.status).toBe(401);
    expect(await works(session)).toBe(true);
    expect((await refresh(`parley_refresh=${changed}`)).answer.status).toBe(401);
    expect(await works(session)).toBe(true);
  });

  test("is refused when the session was unused for fourteen days; each use restarts this period", async () => {
    const { email } = await member("agent");
    const session = await login({ email });
    await app.db.query(`update member_session set expires_at = now() + interval '1 hour'`);
    const next = await refresh(session.cookie);
    const [row] = await app.db.query<{ days: number }>(
      `select extract(epoch from expires_at - now()) / 86400 as days from member_session where id = $1`,
      [decodeJwt(next.client.token!).sid],
    );
    expect(Number(row!.days)).toBeCloseTo(14, 1);
    await app.db.query(`update member_session set expires_at = now() - interval '1 second'`);
    expect((await refresh(next.cookie)).answer.status).toBe(401);
    await vi.waitFor(async () => expect(await works(next)).toBe(false), { timeout: 10_000 });
  });

  test("is refused when the sign-in was 12 hours ago, or 30 days for who is no owner or admin, however much it is used", async () => {
    const hoursLeft = async ({ client }: SignedIn): Promise<number> =>
      Number(
        (
          await app.db.query<{ hours: string }>(
            `select extract(epoch from expires_at - now()) / 3600 as hours from member_session where id = $1`,
            [decodeJwt(client.token!).sid],
          )
        )[0]!.hours,
      );
    const age = ({ client }: SignedIn, hours: number) =>
      app.db.query(`update member_session set created_at = now() - $2 * interval '1 hour' where id = $1`, [
        decodeJwt(client.token!).sid,
        hours,
      ]);
    for (const [role, longest] of [
      ["admin", 12],
      ["agent", 720],
    ] as const) {
      const { id, email } = await member(role);
      let session = await login({ email });
      expect(await hoursLeft(session)).toBeCloseTo(Math.min(longest, 336), 1);
      await age(session, longest - 1);
      session = await refresh(session.cookie);
      expect(await hoursLeft(session)).toBeCloseTo(1, 1);
      if (role === "agent") {
        await (await tenant.owner()).patch(`/api/members/${id}`, { role: "admin" }, 200);
        expect((await refresh(session.cookie)).answer.status).toBe(401);
        await (await tenant.owner()).patch(`/api/members/${id}`, { role: "agent" }, 200);
      }
      await age(session, longest);
      expect((await refresh(session.cookie)).answer.status).toBe(401);
      await login({ email });
    }
  });

  test("is refused as soon as the member may not sign in, also where a session was left over", async () => {
    const { id, email } = await member("agent");
    const { cookie } = await refresh((await login({ email })).cookie);
    for (const column of ["deactivated_at", "removed_at"]) {
      await app.db.query(`update member set ${column} = now() where id = $1`, [id]);
      expect((await refresh(cookie)).answer.status).toBe(401);
      await app.db.query(`update member set ${column} = null where id = $1`, [id]);
    }
    expect((await refresh(cookie)).answer.status).toBe(200);
  });
});

describe("signing out", () => {
  test("ends the access token and refresh token at once, clears the cookie, and keeps the member's other sessions", async () => {
    const [session, other] = [await login(), await login()];
    expect(await works(session)).toBe(true);
    const answer = await ask(app.baseUrl, {
      method: "POST",
      path: "/api/auth/logout",
      headers: { authorization: `Bearer ${session.client.token}` },
    });
    expect([answer.status, answer.text]).toEqual([200, '{"ok":true}']);
    expect(answer.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^parley_refresh=; (?=.*Path=\/api\/auth)(?=.*Max-Age=0)/),
    ]);
    expect(await works(session)).toBe(false);
    expect((await refresh(session.cookie)).answer.status).toBe(401);
    expect(await works(other)).toBe(true);
    expect((await refresh(other.cookie)).answer.status).toBe(200);
  });
});

describe("a live and a test tab in one browser", () => {
  const sideOf = async ({ client }: SignedIn) => (await client.get("/api/me", 200)).body.environment;

  test("refresh beside each other: the page needs its cookie and the name of its side, and no token", async () => {
    const jar = new Map<string, string>();
    const take = (tab: SignedIn): SignedIn => {
      const [name, value] = tab.cookie.split("=") as [string, string];
      jar.set(name, value);
      return tab;
    };
    const [live, onTest] = [take(await login()), take(await login({ environment: "test" }))];
    expect([...jar.keys()]).toEqual(["parley_refresh", "parley_refresh_test"]);
    expect(onTest.setCookie.replace(onTest.cookie, "")).toBe(live.setCookie.replace(live.cookie, ""));
    for (let round = 0; round < 3; round++) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
      expect(await sideOf(take(await refresh(cookie)))).toBe("live");
      expect(await sideOf(take(await refresh(cookie, app, "live")))).toBe("live");
      expect(await sideOf(take(await refresh(cookie, app, "test")))).toBe("test");
    }
    expect([await works(live), await works(onTest)]).toEqual([true, true]);
  });

  test("sign out one by one: the other goes on", async () => {
    for (const [leaving, staying] of [
      ["live", "test"],
      ["test", "live"],
    ] as const) {
      const tabs = { live: await login(), test: await login({ environment: "test" }) };
      const answer = await ask(app.baseUrl, {
        method: "POST",
        path: "/api/auth/logout",
        headers: { authorization: `Bearer ${tabs[leaving].client.token}` },
      });
      const [name] = tabs[leaving].cookie.split("=");
      expect(answer.headers["set-cookie"]).toEqual([expect.stringMatching(new RegExp(`^${name}=; .*Max-Age=0`))]);
      expect((await refresh(tabs[leaving].cookie, app, leaving)).answer.status).toBe(401);
      expect(await sideOf(await refresh(tabs[staying].cookie, app, staying))).toBe(staying);
    }
  });

  test("do not use each other's session: the token of one side in the cookie of the other is 401", async () => {
    const [live, onTest] = [await login(), await login({ environment: "test" })];
    const value = ({ cookie }: SignedIn): string => cookie.split("=")[1]!;
    expect((await refresh(`parley_refresh=${value(onTest)}`)).answer.status).toBe(401);
    expect((await refresh(`parley_refresh_test=${value(live)}`, app, "test")).answer.status).toBe(401);
    expect((await refresh(live.cookie, app, "test")).answer.status).toBe(401);
    expect((await refresh(live.cookie, app, "sandbox")).answer.status).toBe(400);
    expect([await works(live), await works(onTest)]).toEqual([true, true]);
    const next = await refresh(live.cookie);
    expect(next.answer.status).toBe(200);
    // A token that was replaced may be stolen: it ends its session from either cookie.
    expect((await refresh(`parley_refresh_test=${value(live)}`, app, "test")).answer.status).toBe(401);
    await vi.waitFor(async () => expect(await works(next)).toBe(false), { timeout: 10_000 });
    expect(await works(onTest)).toBe(true);
  });
});

describe("an access token", () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

  test("is 401 if it was changed, is unsigned, is signed otherwise or has expired", async () => {
    const { client } = await login();
    const [header, payload, signature] = client.token!.split(".") as [string, string, string];
    const claims = decodeJwt(client.token!);
    const forged = [
      `${header}.${part({ ...claims, env: "test", tid: tenant.testTenantId })}.${signature}`,
      `${part({ alg: "none" })}.${payload}.`,
      `${part({ alg: "none" })}.${payload}.${signature}`,
      `${part({ alg: "HS512" })}.${payload}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -2)}`,
      `${header}.${payload}`,
      `${header}..${signature}`,
      "..",
      `${header}.${payload}.${signature}.${signature}`,
      await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(new Uint8Array(32)),
      await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(app.config.SECRET_KEY!)),
    ];
    for (const token of forged) expect([token, (await client.as(token).get("/api/me")).status]).toEqual([token, 401]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 901_000 });
    try {
      expect((await client.get("/api/me")).status).toBe(401);
    } finally {
      vi.useRealTimers();
    }
    expect((await client.get("/api/me")).status).toBe(200);
  });

  test("works only on the side that it was issued for: a header that names another one is refused", async () => {
    const [live, onTest] = [await login(), await login({ environment: "test" })];
    const onSide = (environment: string) => ({ headers: { "x-environment": environment } });
    const cases = [
      [live.client, "live", "test", tenant.tenantId, tenant.testDefaults],
      [onTest.client, "test", "live", tenant.testTenantId, tenant.defaults],
      [tenant.live, "live", "test", tenant.tenantId, tenant.testDefaults],
      [tenant.test, "test", "live", tenant.testTenantId, tenant.defaults],
    ] as const;
    for (const [client, own, other, tenantId, elsewhere] of cases) {
      expect((await client.get("/api/me", 200, onSide(own))).body.tenantId).toBe(tenantId);
      expect((await client.get(`/api/workspaces/${elsewhere.workspaceId}`, undefined, onSide(own))).status).toBe(404);
      expect((await client.get("/api/me", 400, onSide(other))).body).toEqual({
        error: `X-Environment is ${other}, but the token is for ${own}`,
      });
      for (const wrong of ["tset", "", "TEST", "live, test", "__proto__"])
        expect((await client.get("/api/me", 400, onSide(wrong))).body).toEqual({
          error: "X-Environment must be live or test",
        });
    }
    // Whoever is nobody learns nothing.
    expect((await tenant.live.as("svc_live_v1_nobody").get("/api/me", undefined, onSide("tset"))).status).toBe(401);
  });

  test("contains no email or name: it refers to the member by ids", async () => {
    expect(Object.keys(decodeJwt((await login()).client.token!)).sort()).toEqual([
      "env",
      "exp",
      "iat",
      "iss",
      "num",
      "org",
      "sid",
      "sub",
      "tid",
    ]);
  });
});
