import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Afterwards } from "../../../src/platform/jobs/afterwards.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { AUDIENCE, type Issuer, startIssuer } from "./issuer.js";
import { mailsTo, tokensTo } from "./mailed.js";

let issuer: Issuer;
let app: TestApp;
let [ours, theirs]: TestTenant[] = [];
let owner: Client;
beforeAll(async () => {
  issuer = await startIssuer();
  app = await startApp({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE });
  [ours, theirs] = [await app.tenant(), await app.tenant()];
  owner = await ours.owner();
});
afterAll(async () => {
  await app.close();
  await issuer.down();
});

const anEmail = (): string => `${randomUUID()}@example.com`;
const addTo = async (tenant: TestTenant, email: string, body: object = {}, side: "live" | "test" = "live") =>
  (await (await tenant.owner(side)).post("/api/members", { email, name: "Grace", role: "agent", ...body }, 201)).body;
const signIn = (email: string, password: string) => app.client().post("/api/auth/login", { email, password });
const idOf = async (email: string, password: string) =>
  (await (await app.client().login(email, password)).get("/api/me", 200)).body.id;
const prove = (token: string) => app.client().post("/api/auth/email-proof", { token });
const sign = async (claims: object, account?: string) =>
  app.client(await issuer.token({ email_verified: true, ...claims }, { account }));
const status = async (client: Client) => (await client.get("/api/me")).status;

describe("an email that nobody has proven", () => {
  test("may be a member's in several tenants, each of whom signs in with their own password", async () => {
    const email = anEmail();
    const passwords = ["first of the passwords", "second of the passwords"];
    const members = [
      await addTo(ours!, email, { password: passwords[0] }),
      await addTo(theirs!, email, { password: passwords[1] }),
    ];
    for (const [n, password] of passwords.entries()) expect(await idOf(email, password)).toBe(members[n]!.id);
    expect((await signIn(email, "third of the passwords")).status).toBe(401);
  });

  test("belongs to one member of the tenant: the second is 409", async () => {
    const email = anEmail();
    await addTo(ours!, email);
    expect((await owner.post("/api/members", { email, name: "Again", role: "agent" })).status).toBe(409);
  });

  test("serves no reset and no external sign-in, not even with a token that says it is verified", async () => {
    const email = anEmail();
    await addTo(ours!, email, { password: PASSWORD });
    await app.client().post("/api/auth/password-reset", { email }, 200);
    await app.app.get(Afterwards).finished();
    expect(await mailsTo(app, ours!.tenantId, email)).toEqual([]);
    expect(await status(await sign({ email }))).toBe(401);
  });

  test("is taken by no admin of another tenant: the person it belongs to proves it, and provisioning takes it", async () => {
    const email = anEmail();
    await addTo(theirs!, email, { password: PASSWORD });
    const { id } = await addTo(ours!, email);
    const [token] = await tokensTo(app, ours!.tenantId, email);
    await app.client().post("/api/auth/password", { token, password: "my very own password" }, 200);
    expect(await idOf(email, "my very own password")).toBe(id);
    expect((await (await sign({ email })).get("/api/me", 200)).body.id).toBe(id);
  });
});

describe("a proof", () => {
  test("is a link that is mailed to the address, works once, and is replaced by the next one", async () => {
    const email = anEmail();
    const { id } = await addTo(ours!, email, { password: PASSWORD });
    const member = await app.client().login(email, PASSWORD);
    for (const _ of [1, 2]) await member.post("/api/me/email-proof", undefined, 200);
    const [second, first] = await tokensTo(app, ours!.tenantId, email);
    expect([(await prove(first!)).status, (await prove(second!)).status, (await prove(second!)).status]).toEqual([
      401, 200, 401,
    ]);
    expect((await member.post("/api/me/email-proof")).status).toBe(409);
    expect((await owner.get(`/api/security-log?memberId=${id}&type=email_proven`, 200)).body.data).toHaveLength(1);
    expect((await (await sign({ email })).get("/api/me", 200)).body.id).toBe(id);
  });

  test("expires after a day, and is mailed three times an hour at most", async () => {
    const email = anEmail();
    const { id } = await addTo(ours!, email, { password: PASSWORD });
    const member = await app.client().login(email, PASSWORD);
    for (const _ of [1, 2, 3]) await member.post("/api/me/email-proof", undefined, 200);
    expect((await member.post("/api/me/email-proof")).status).toBe(429);
    const [token] = await tokensTo(app, ours!.tenantId, email);
    await app.db.query("update member_link set expires_at = now() - interval '1 second' where member_id = $1", [id]);
    expect((await prove(token!)).status).toBe(401);
  });

  test("cannot be taken from the test side, whose mail admins read: an invitation that was captured proves nothing", async () => {
    const email = anEmail();
    await addTo(ours!, email, {}, "test");
    const sandbox = await ours!.owner("test");
    const { body: mails } = await sandbox.get("/api/captured-messages?limit=1", 200);
    const token = /#([\w-]{86})/.exec(mails.data[0]!.body)![1]!;
    expect((await app.client().post("/api/auth/password", { token })).status).toBe(400);
    await app.client().post("/api/auth/password", { token, password: PASSWORD }, 200);
    expect(await status(await sign({ email }))).toBe(401);
    const member = await app.client().login(email, PASSWORD, "test");
    expect((await member.post("/api/me/email-proof")).status).toBe(409);
  });

  test("is 409 once another member has proven the address", async () => {
    const email = anEmail();
    await addTo(theirs!, email, { password: PASSWORD });
    await addTo(ours!, email);
    const late = await app.client().login(email, PASSWORD);
    await late.post("/api/me/email-proof", undefined, 200);
    const [invitation] = await tokensTo(app, ours!.tenantId, email);
    const [token] = await tokensTo(app, theirs!.tenantId, email);
    await app.client().post("/api/auth/password", { token: invitation, password: "my very own password" }, 200);
    expect((await prove(token!)).status).toBe(409);
    expect((await signIn(email, PASSWORD)).status).toBe(200);
  });
});

describe("external sign-in", () => {
  test("is refused until the invitation is accepted, which needs no password", async () => {
    const email = anEmail();
    const { id } = await addTo(ours!, email);
    expect(await status(await sign({ email }))).toBe(401);
    const [token] = await tokensTo(app, ours!.tenantId, email);
    await app.client().post("/api/auth/password", { token }, 200);
    expect((await (await sign({ email })).get("/api/me", 200)).body.id).toBe(id);
    expect((await signIn(email, "")).status).toBe(400);
  });

  test("binds issuer and subject: afterwards the account's email does not matter, and another account with the email is refused", async () => {
    const [email, next] = [anEmail(), anEmail()];
    const { id } = await addTo(ours!, email);
    const other = await addTo(ours!, next);
    for (const address of [email, next]) {
      const [token] = await tokensTo(app, ours!.tenantId, address);
      await app.client().post("/api/auth/password", { token }, 200);
    }
    const account = randomUUID();
    expect((await (await sign({ email }, account)).get("/api/me", 200)).body.id).toBe(id);
    // The address passes on to somebody else at the issuer, and the account gets the address of another member.
    expect((await (await sign({ email: next }, account)).get("/api/me", 200)).body.id).toBe(id);
    expect((await (await sign({ email: next, email_verified: false }, account)).get("/api/me", 200)).body.id).toBe(id);
    expect(await status(await sign({ email }, randomUUID()))).toBe(401);
    expect((await (await sign({ email: next })).get("/api/me", 200)).body.id).toBe(other.id);
    expect(
      (await owner.get(`/api/security-log?type=external_identity_bound&memberId=${id}`, 200)).body.data,
    ).toHaveLength(1);
  });

  test("can be bound anew when the member was removed and made again", async () => {
    const email = anEmail();
    const { id } = await addTo(ours!, email);
    const accept = async () => {
      const [token] = await tokensTo(app, ours!.tenantId, email);
      await app.client().post("/api/auth/password", { token }, 200);
    };
    await accept();
    expect(await status(await sign({ email }))).toBe(200);
    await owner.delete(`/api/members/${id}`, 200);
    expect(await status(await sign({ email }))).toBe(401);
    const again = await addTo(ours!, email);
    await accept();
    expect((await (await sign({ email })).get("/api/me", 200)).body.id).toBe(again.id);
  });
});
