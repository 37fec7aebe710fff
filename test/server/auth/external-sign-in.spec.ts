import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ExternalProvider } from "../../../src/auth/sessions/external-provider.js";
import type { Config } from "../../../src/platform/config/config.js";
import { Browser, CLIENT, type EidServer, startEidServer } from "../identity/oidc-provider.js";
import { withSettings } from "../e2e/support.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { markProven } from "./mailed.js";

// The provider is a real one on loopback. It has its account page, its keys and its token endpoint.

let provider: EidServer;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  let callback = "";
  provider = await startEidServer(() => callback);
  app = await startApp({
    OIDC_ISSUER: provider.url,
    OIDC_AUDIENCE: "urn:parley",
    OIDC_CLIENT_ID: CLIENT.clientId,
    OIDC_CLIENT_SECRET: CLIENT.clientSecret,
    OIDC_NAME: "Harbour ID",
  });
  Object.assign(app.config, { PUBLIC_URL: app.baseUrl });
  callback = `${app.baseUrl}/api/auth/external/callback`;
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterEach(() => {
  provider.forge = undefined;
  provider.atToken = undefined;
});
afterAll(async () => {
  await app.close();
  await provider.close();
});

/** Works as a process does that has other settings and does not know the provider yet. */
const afresh = (settings: Partial<Config>, work: () => Promise<void>): Promise<void> =>
  withSettings(app, settings, work, () => Object.assign(app.app.get(ExternalProvider), { known: undefined }));

interface Person {
  id: string;
  /** The account at the provider. */
  account: string;
  email: string;
}
/** A member with a proven email and no second factor, and their account at the provider. */
async function member(role = "agent", password?: string): Promise<Person> {
  const [account, email] = [`account-${randomUUID()}`, `${randomUUID()}@example.com`];
  const body = { email, name: "Grace", role, workspaceIds: [], ...(password && { password }) };
  const { id } = (await owner.post("/api/members", body, 201)).body;
  await markProven(app, email);
  provider.emails.set(account, { email, email_verified: true });
  return { id, account, email };
}

const START = "/api/auth/external/start";
/** Goes to the provider and signs in there. @returns the URL that the browser is sent back to, not opened yet */
async function there(browser: Browser, visitor: EidServer["visitor"], query = ""): Promise<string> {
  provider.visitor = visitor;
  const { status, location } = await browser.open(`${app.baseUrl}${START}${query}`);
  expect(status).toBe(303);
  return browser.travel(location!, `${app.baseUrl}/`);
}
interface Back {
  location: string;
  /** The refresh cookies that were set, by name. */
  cookies: Map<string, string>;
}
async function back(browser: Browser, url: string): Promise<Back> {
  const { status, location, headers, text } = await browser.open(url);
  expect([status, text]).toEqual([303, ""]);
  expect(headers.get("cache-control")).toContain("no-store");
  const set = headers.getSetCookie().map((cookie) => cookie.split(";")[0]!.split("=") as [string, string]);
  return { location: location!, cookies: new Map(set.filter(([name]) => name.startsWith("parley_refresh"))) };
}
const signIn = async (visitor: EidServer["visitor"], query = ""): Promise<Back> => {
  const browser = new Browser();
  return back(browser, await there(browser, visitor, query));
};
/** A client with the session that a browser came back with. */
async function sessionOf({ location, cookies }: Back, environment = "live"): Promise<Client & { memberId: string }> {
  expect(location).toBe(`${app.baseUrl}/sign-in`);
  const name = environment === "live" ? "parley_refresh" : "parley_refresh_test";
  expect([...cookies.keys()]).toEqual([name]);
  const { body } = await app
    .client()
    .post("/api/auth/refresh", { environment }, 200, { headers: { cookie: `${name}=${cookies.get(name)}` } });
  return Object.assign(app.client(body.accessToken), { memberId: body.member.id });
}
const refused = ({ location, cookies }: Back): string => {
  expect([...cookies]).toEqual([]);
  const url = new URL(location);
  expect(url.origin + url.pathname).toBe(`${app.baseUrl}/sign-in`);
  return url.searchParams.get("external")!;
};

test("the sign-in page learns what the button names, and nothing if no provider is configured", async () => {
  expect((await app.client().get("/api/auth/external", 200)).body).toEqual({ name: "Harbour ID" });
  await afresh({ OIDC_ISSUER: undefined, OIDC_CLIENT_ID: undefined }, async () => {
    expect((await app.client().get("/api/auth/external", 200)).body).toEqual({ name: null });
    await app.client().get(START, 404);
    await app.client().get("/api/auth/external/callback?code=x&state=y", 404);
  });
});

test("a member signs in with the account whose email they have proven, and later with the account alone", async () => {
  const one = await member();
  const first = await sessionOf(await signIn({ person: one.account }));
  expect(first.memberId).toBe(one.id);
  expect((await first.get("/api/me", 200)).body).toMatchObject({ kind: "member", environment: "live" });
  // The email passes on to somebody else. The account stays the member's.
  provider.emails.set(one.account, { email: `${randomUUID()}@example.com`, email_verified: true });
  expect((await sessionOf(await signIn({ person: one.account }))).memberId).toBe(one.id);
  provider.emails.set("thief", { email: one.email, email_verified: true });
  expect(refused(await signIn({ person: "thief" }))).toBe("unknown");
  const { data } = (await owner.get(`/api/security-log?memberId=${one.id}`, 200)).body;
  const signedIn = data.filter(({ type }) => type === "signed_in");
  expect(signedIn.map(({ detail }) => (detail as { external?: boolean }).external)).toEqual([true, true]);
});

test("the session is on the side that the browser asked for", async () => {
  const { account } = await member();
  const session = await sessionOf(await signIn({ person: account }, "?environment=test"), "test");
  expect((await session.get("/api/me", 200)).body).toMatchObject({ environment: "test" });
  await app.client().get(`${START}?environment=both`, 400);
});

test("the ID token can have the email itself, and then it counts", async () => {
  const { account, email, id } = await member();
  provider.emails.delete(account);
  provider.forge = { claims: { email, email_verified: true } };
  expect((await sessionOf(await signIn({ person: account }))).memberId).toBe(id);
});

describe("nobody is signed in", () => {
  test.each([
    ["who declines at the provider", null],
    ["whose account has no email", { person: "nameless" }],
  ])("%s", async (_, visitor) => {
    expect(refused(await signIn(visitor))).toBe(visitor ? "unknown" : "declined");
  });

  test("whose email is not verified by the provider, or not proven to Parley", async () => {
    const { account, email } = await member();
    provider.emails.set(account, { email, email_verified: false });
    expect(refused(await signIn({ person: account }))).toBe("unknown");
    provider.emails.set(account, { email, email_verified: true });
    await app.db.query("update member_email set proven_at = null where email = $1", [email]);
    expect(refused(await signIn({ person: account }))).toBe("unknown");
  });

  test("who was deactivated or removed", async () => {
    const { account, id } = await member();
    const session = await sessionOf(await signIn({ person: account }));
    await owner.patch(`/api/members/${id}`, { status: "deactivated" }, 200);
    expect(refused(await signIn({ person: account }))).toBe("unknown");
    await expect.poll(async () => (await session.get("/api/me")).status).toBe(401);
    await owner.delete(`/api/members/${id}`, 200);
    expect(refused(await signIn({ person: account }))).toBe("unknown");
  });

  test("by an ID token with another signature, audience, issuer, nonce, subject or time", async () => {
    const { account } = await member();
    const past = Math.floor(Date.now() / 1_000) - 3_600;
    for (const forge of [
      { otherKey: true as const },
      { claims: { aud: "another client" } },
      { claims: { iss: "https://login.example.com" } },
      { claims: { nonce: "of another sign-in" } },
      { claims: { nonce: undefined } },
      { claims: { exp: past } },
      { claims: { sub: "somebody else" } },
    ]) {
      provider.forge = forge;
      expect([forge, refused(await signIn({ person: account }))]).toEqual([forge, "invalid"]);
    }
    provider.forge = undefined;
    await sessionOf(await signIn({ person: account }));
  });

  test("by a code that another browser got: an attacker cannot sign a member into the attacker's account", async () => {
    const { account } = await member();
    const url = await there(new Browser(), { person: account });
    expect(refused(await back(new Browser(), url))).toBe("expired");
    // A browser that is at the provider itself has other secrets.
    const victim = new Browser();
    await there(victim, { person: account });
    provider.asked.length = 0;
    expect(refused(await back(victim, url))).toBe("expired");
    expect(provider.asked).toEqual([]);
  });

  test("by a stolen code with the thief's own state: the code belongs to the verifier of its browser", async () => {
    const { account } = await member();
    const code = new URL(await there(new Browser(), { person: account })).searchParams.get("code")!;
    const thief = new Browser();
    const own = new URL(await there(thief, { person: "the thief" }));
    own.searchParams.set("code", code);
    expect(refused(await back(thief, own.href))).toBe("invalid");
  });

  test("by the same answer a second time, or by an answer without a sign-in", async () => {
    const { account } = await member();
    const browser = new Browser();
    const url = await there(browser, { person: account });
    await sessionOf(await back(browser, url));
    expect(refused(await back(browser, url))).toBe("expired");
    expect(refused(await back(browser, `${app.baseUrl}/api/auth/external/callback`))).toBe("expired");
  });

  test("while the provider fails", async () => {
    const { account } = await member();
    provider.atToken = () => ({ status: 400, body: { error: "invalid_grant" } });
    expect(refused(await signIn({ person: account }))).toBe("invalid");
    const alone = { OIDC_ISSUER: "http://127.0.0.1:1", OIDC_CLIENT_SECRET: undefined, OIDC_NAME: undefined };
    await afresh(alone, async () => {
      const { status, headers } = await fetch(app.baseUrl + START, { redirect: "manual" });
      expect([status, headers.get("location")]).toEqual([303, "/sign-in?external=unreachable"]);
      expect((await app.client().get("/api/auth/external", 200)).body).toEqual({ name: "127.0.0.1" });
    });
  });
});

test("the provider asks for a second factor, so a tenant that requires one does not ask for another", async () => {
  const { account, email } = await member("agent", PASSWORD);
  await app.db.query("update tenant set require_second_factor = true where id = $1", [tenant.tenantId]);
  try {
    const external = await sessionOf(await signIn({ person: account }));
    await external.get("/api/contacts", 200);
    const own = await app.client().login(email, PASSWORD);
    expect((await own.get("/api/contacts", 403)).text).toContain("Set up a second factor first");
  } finally {
    await app.db.query("update tenant set require_second_factor = false where id = $1", [tenant.tenantId]);
  }
});

test("a sign-in is as recent as the provider says, and can be asked for again", async () => {
  const { account } = await member("admin");
  const anHourAgo = Math.floor(Date.now() / 1_000) - 3_600;
  const old = await sessionOf(await signIn({ person: account, signedInAt: anHourAgo }));
  expect((await old.get("/api/api-keys")).status).toBe(200);
  expect((await old.post("/api/api-keys", { name: "CRM", scopes: ["contacts:read"] }, 403)).text).toContain(
    "Sign in again",
  );
  const browser = new Browser();
  provider.visitor = { person: account };
  const { location } = await browser.open(`${app.baseUrl}${START}?again=true`);
  expect(new URL(location!).searchParams.get("prompt")).toBe("login");
  const fresh = await sessionOf(await back(browser, await browser.travel(location!, `${app.baseUrl}/`)));
  await fresh.post(
    "/api/api-keys",
    { name: "CRM", scopes: ["contacts:read"], dataScope: { level: "organisation" } },
    201,
  );
});

test("the request is by PKCE, with a state and a nonce, and asks for the email; the browser sees no token", async () => {
  const browser = new Browser();
  const { location, headers } = await browser.open(`${app.baseUrl}${START}`);
  const { searchParams: asked } = new URL(location!);
  expect(asked.get("code_challenge_method")).toBe("S256");
  expect(asked.get("scope")).toBe("openid email");
  expect(asked.get("redirect_uri")).toBe(`${app.baseUrl}/api/auth/external/callback`);
  for (const name of ["state", "nonce", "code_challenge"]) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
  const [cookie] = headers.getSetCookie();
  expect(cookie).toMatch(
    /^parley_external=[\w-]+; Max-Age=600; Path=\/api\/auth\/external\/callback; HttpOnly; SameSite=Lax$/,
  );
  expect(cookie).not.toContain(asked.get("state"));
});
