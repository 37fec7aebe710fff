import { randomUUID } from "node:crypto";
import http from "node:http";
import { decodeJwt, SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { ExternalIssuer } from "../../../src/auth/sessions/external-issuer.js";
import type { Config } from "../../../src/platform/config/config.js";
import { withSettings } from "../e2e/support.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { AUDIENCE, type Issuer, startIssuer } from "./issuer.js";
import { markProven } from "./mailed.js";

let issuer: Issuer;
let app: TestApp;
let tenant: TestTenant;
/** What the issuer asserts about the owner. */
let owner: { email: string; email_verified: boolean };
/** The owner's account at the issuer. */
let subject: string;
beforeAll(async () => {
  issuer = await startIssuer();
  app = await startApp({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE });
  tenant = await app.tenant();
  owner = { email: tenant.ownerEmail, email_verified: true };
  subject = decodeJwt(await issuer.token(owner)).sub!;
});
afterEach(() => {
  vi.useRealTimers();
  issuer.failing = undefined;
});
afterAll(async () => {
  await app.close();
  await issuer.down();
});

const me = (token: string, headers: Record<string, string> = {}) =>
  app.client(token).get("/api/me", undefined, { headers });
const status = async (token: string): Promise<number> => (await me(token)).status;
/** Works as a process does that has other settings and has not yet fetched anything from the issuer. */
const afresh = (settings: Partial<Config>, work: () => Promise<void>): Promise<void> =>
  withSettings(app, settings, work, () => Object.assign(app.app.get(ExternalIssuer), { keys: undefined }));
/** Changes the clock of this process only: how long keys are cached, not the time at the issuer or the database. */
const later = (seconds: number): void => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + seconds * 1_000 });
};

describe("a token of the external issuer", () => {
  test.each(["RS256", "ES256"] as const)(
    "signs in the member with its verified email, in any case, on the side that X-Environment names (%s)",
    async (alg) => {
      const token = await issuer.token({ ...owner, email: owner.email.toUpperCase() }, { alg });
      const live = await me(token);
      expect(live.body).toMatchObject({
        kind: "member",
        role: "owner",
        environment: "live",
        tenantId: tenant.tenantId,
        reach: { level: "tenant" },
      });
      expect((await me(token, { "x-environment": "live" })).text).toBe(live.text);
      expect((await me(token, { "x-environment": "test" })).body).toMatchObject({
        id: live.body.id,
        environment: "test",
        tenantId: tenant.testTenantId,
      });
    },
  );

  test("has the permissions of the member's role and workspaces, like a session", async () => {
    const email = `${randomUUID()}@example.com`;
    await (
      await tenant.owner()
    ).post("/api/members", { email, name: "Agent", role: "agent", workspaceIds: [tenant.defaults.workspaceId] }, 201);
    await markProven(app, email);
    const agent = app.client(await issuer.token({ email, email_verified: true }));
    expect((await agent.get("/api/workspaces", 200)).body).toMatchObject([{ id: tenant.defaults.workspaceId }]);
    expect((await agent.get("/api/workspaces", 200, { headers: { "x-environment": "test" } })).body).toEqual([]);
    expect((await agent.get("/api/api-keys")).status).toBe(403);
    await agent.post("/api/contacts", { name: "Ada" }, 201);
  });

  test("of an account that is not bound is 401 unless email_verified is true and a member has proven the email", async () => {
    for (const claims of [
      { email: owner.email, email_verified: false },
      { email: owner.email },
      { email: owner.email, email_verified: "true" },
      { email: owner.email, email_verified: 1 },
      { email_verified: true },
      { email: [owner.email], email_verified: true },
      { email: `${randomUUID()}@example.com`, email_verified: true },
      { email: ` ${owner.email}`, email_verified: true },
      { email: `${owner.email}\0`, email_verified: true },
      { email: "%", email_verified: true },
      { preferred_username: owner.email, email_verified: true },
    ]) {
      const answer = await me(await issuer.token(claims, { account: "a stranger" }));
      expect([claims, answer.status, answer.text]).toEqual([claims, 401, '{"error":"Unauthorized"}']);
    }
  });

  test("is 401 for another audience, or without an expiry or subject", async () => {
    expect(await status(await issuer.token(owner, { audience: "urn:other" }))).toBe(401);
    const now = Math.floor(Date.now() / 1_000);
    const whole = { ...owner, iss: issuer.url, aud: AUDIENCE, sub: subject, iat: now, exp: now + 60 };
    // The complete token shows that the issuer's signature is valid.
    expect(await status(await issuer.sign(whole))).toBe(200);
    expect(await status(await issuer.sign({ ...whole, aud: ["urn:other", AUDIENCE] }))).toBe(200);
    for (const change of [
      { exp: undefined },
      { sub: undefined },
      { aud: undefined },
      { aud: [] },
      { aud: "urn:parley:other" },
      { exp: now - 1 },
      { nbf: now + 600 },
      { iss: `${issuer.url}/` },
    ]) {
      expect([change, await status(await issuer.sign({ ...whole, ...change }))]).toEqual([change, 401]);
    }
  });

  test("works until it expires, and is refused afterwards", async () => {
    // A machine may be so busy that it expires before it arrives: then one that lasts longer.
    let token = "";
    let first = 0;
    for (let seconds = 2; first !== 200; seconds *= 2) {
      token = await issuer.token(owner, { seconds });
      first = await status(token);
      if (Date.now() / 1_000 < decodeJwt(token).exp!) expect(first).toBe(200);
    }
    await vi.waitFor(async () => expect(await status(token)).toBe(401), { timeout: 100_000, interval: 50 });
    expect(Date.now() / 1_000).toBeGreaterThanOrEqual(decodeJwt(token).exp!);
  });

  test("is 401 if it was changed, is unsigned, or is signed with a public value", async () => {
    const token = await issuer.token(owner);
    const [header, , signature] = token.split(".") as [string, string, string];
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = { ...decodeJwt(token), sub: "somebody-else" };
    const jwks = (await (await fetch(`${issuer.url}/jwks`)).json()) as { keys: { kid: string; n?: string }[] };
    const published = jwks.keys[0]!;
    const confused = (secret: string): Promise<string> =>
      new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: published.kid }).sign(Buffer.from(secret));
    const forged = [
      `${header}.${part(claims)}.${signature}`,
      `${header}.${part(claims)}.`,
      `${part({ alg: "none" })}.${part(claims)}.`,
      `${part({ alg: "none", kid: published.kid })}.${part(claims)}.${signature}`,
      `${header}.${part(claims)}.${signature.slice(0, -4)}AAAA`,
      await confused(published.n!),
      await confused(JSON.stringify(published)),
      await confused(app.config.SECRET_KEY!),
    ];
    for (const one of forged) expect([one, await status(one)]).toEqual([one, 401]);
    expect(await status(token)).toBe(200);
  });

  test("is 401 if another issuer signed it, under its own name or this one's", async () => {
    const [stranger, impostor] = [await startIssuer(), await startIssuer(issuer.url)];
    try {
      expect(await status(await stranger.token(owner))).toBe(401);
      const token = await impostor.token(owner);
      expect(decodeJwt(token).iss).toBe(issuer.url);
      expect(await status(token)).toBe(401);
      // A token cannot choose where the keys are fetched either: only the configured issuer is asked.
      expect(
        await status(
          await stranger.sign(
            { ...owner, iss: issuer.url, aud: AUDIENCE, sub: subject, exp: 9_999_999_999 },
            { jku: `${stranger.url}/jwks` },
          ),
        ),
      ).toBe(401);
      expect(stranger.asked.filter((path) => path !== "/token")).toEqual([]);
    } finally {
      await Promise.all([stranger.down(), impostor.down()]);
    }
  });

  test("is 401 as soon as its member is removed", async () => {
    const email = `${randomUUID()}@example.com`;
    const admin = await tenant.owner();
    const { id } = (await admin.post("/api/members", { email, name: "Agent", role: "agent", password: PASSWORD }, 201))
      .body;
    await markProven(app, email);
    const token = await issuer.token({ email, email_verified: true });
    const sides: Record<string, string>[] = [{}, { "x-environment": "test" }];
    for (const headers of sides) expect((await me(token, headers)).status).toBe(200);
    await admin.delete(`/api/members/${id}`, 200);
    for (const headers of sides) expect((await me(token, headers)).status).toBe(401);
  });

  test("is refused by a server without an external issuer; Parley's own sessions work beside an issuer", async () => {
    await afresh({ OIDC_ISSUER: undefined, OIDC_AUDIENCE: undefined }, async () =>
      expect(await status(await issuer.token(owner))).toBe(401),
    );
    expect((await (await tenant.owner()).get("/api/me", 200)).body.role).toBe("owner");
    expect((await tenant.live.get("/api/me", 200)).body.kind).toBe("apiKey");
  });
});

describe("while the issuer's keys are unavailable", () => {
  test("tokens are refused with 503 and Retry-After, and work again when the issuer is back", async () => {
    const token = await issuer.token(owner);
    await afresh({}, async () => {
      await issuer.down();
      try {
        for (let n = 0; n < 2; n++) {
          const answer = await me(token);
          expect([answer.status, answer.body, answer.headers.get("retry-after")]).toEqual([
            503,
            { error: expect.stringMatching(/sign-in provider/) },
            "1",
          ]);
        }
        // Requests with other credentials do not wait for the issuer.
        expect((await tenant.live.get("/api/me")).status).toBe(200);
        expect(await status("nonsense")).toBe(401);
      } finally {
        await issuer.up();
      }
      expect(await status(token)).toBe(200);
    });
  });

  test.each([
    ["its description", /openid-configuration/],
    ["its keys", /jwks/],
  ])("tokens are also 503 if it answers a request for %s with an error", async (_, failing) => {
    const token = await issuer.token(owner);
    await afresh({}, async () => {
      issuer.failing = failing;
      expect(await status(token)).toBe(503);
      issuer.failing = undefined;
      expect(await status(token)).toBe(200);
    });
  });

  test("tokens are 503 if another server answers in its place, under another name or by a redirect", async () => {
    const token = await issuer.token(owner);
    for (const respond of [
      (response: http.ServerResponse) =>
        response
          .setHeader("content-type", "application/json")
          .end(JSON.stringify({ issuer: "https://other.example", jwks_uri: `${issuer.url}/jwks` })),
      (response: http.ServerResponse) =>
        response.writeHead(302, { location: `${issuer.url}/.well-known/openid-configuration` }).end(),
      (response: http.ServerResponse) => response.end("<html>"),
    ]) {
      const server = http.createServer((_, response) => {
        respond(response);
      });
      await new Promise<void>((resolve) => {
        server.listen(0, "127.0.0.1", resolve);
      });
      const name = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
      await afresh({ OIDC_ISSUER: name }, async () =>
        expect(await status(await issuer.sign({ ...decodeJwt(token), iss: name }))).toBe(503),
      );
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    }
  });

  test("tokens signed with cached keys keep working, even after requests with unknown keys", async () => {
    const token = await issuer.token(owner);
    expect(await status(token)).toBe(200);
    const unknown = await issuer.sign(
      { ...owner, iss: issuer.url, aud: AUDIENCE, sub: subject, exp: 9_999_999_999 },
      { kid: "nobody-knows" },
    );
    await issuer.down();
    try {
      expect(await status(token)).toBe(200);
      // Later, when an unknown key makes the server fetch the keys again.
      later(31);
      expect(await status(unknown)).toBeOneOf([401, 503]);
      expect(await status(token)).toBe(200);
    } finally {
      vi.useRealTimers();
      await issuer.up();
    }
  });
});

describe("when the issuer changes its keys", () => {
  test("tokens signed with new keys work after the next fetch, and those with old keys for at most ten minutes", async () => {
    const old = await issuer.sign({ ...owner, iss: issuer.url, aud: AUDIENCE, sub: subject, exp: 9_999_999_999 });
    expect(await status(old)).toBe(200);
    await issuer.rotate();
    const next = await issuer.token(owner);
    later(31);
    expect([await status(next), await status(old)]).toEqual([200, 401]);
    vi.useRealTimers();
    expect(await status(next)).toBe(200);
  });

  test("the issuer is asked at most twice a minute, however many unknown keys tokens name", async () => {
    expect(await status(await issuer.token(owner))).toBe(200);
    const before = issuer.asked.filter((path) => path === "/jwks").length;
    for (let n = 0; n < 20; n++)
      expect(
        await status(
          await issuer.sign(
            { ...owner, iss: issuer.url, aud: AUDIENCE, sub: subject, exp: 9_999_999_999 },
            { kid: `made-up-${n}` },
          ),
        ),
      ).toBe(401);
    expect(issuer.asked.filter((path) => path === "/jwks").length - before).toBeLessThanOrEqual(1);
  });
});
