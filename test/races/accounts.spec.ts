import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Afterwards } from "../../src/platform/jobs/afterwards.js";
import { AUDIENCE, type Issuer, startIssuer } from "../server/auth/issuer.js";
import { mailsTo, markProven, tokensTo } from "../server/auth/mailed.js";
import { PASSWORD } from "../support/app.js";
import { runs } from "../support/seed.js";
import { concurrently, startTwo, tally, type TwoNodes } from "./support.js";

let issuer: Issuer;
let nodes: TwoNodes;
beforeAll(async () => {
  issuer = await startIssuer();
  nodes = await startTwo({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: AUDIENCE });
});
afterAll(async () => {
  await nodes.close();
  await issuer.down();
});

const node = (n: number) => [nodes.a, nodes.b][n % 2]!;
const statuses = (answers: { status: number }[]) => tally(answers.map(({ status }) => status));
const anEmail = (): string => `${randomUUID()}@example.com`;

test("the link of a reset sets one password, however many requests use it", async () => {
  const tenant = await nodes.a.tenant();
  await nodes.a.client().post("/api/auth/password-reset", { email: tenant.ownerEmail }, 200);
  await nodes.a.app.get(Afterwards).finished();
  const [token] = await tokensTo(nodes.a, tenant.tenantId, tenant.ownerEmail);
  const answers = await concurrently(12, (n) =>
    node(n)
      .client()
      .post("/api/auth/password", { token, password: `good password number ${n}` }),
  );
  expect(statuses(answers)).toEqual({ 200: 1, 401: 11 });
  const winner = answers.findIndex(({ status }) => status === 200);
  await nodes.b.client().login(tenant.ownerEmail, `good password number ${winner}`);
});

test("of twelve resets that are asked for at once, three are mailed and the link of one works", async () => {
  const tenant = await nodes.a.tenant();
  await concurrently(12, (n) => node(n).client().post("/api/auth/password-reset", { email: tenant.ownerEmail }, 200));
  for (const { app } of [nodes.a, nodes.b]) await app.get(Afterwards).finished();
  expect(await mailsTo(nodes.a, tenant.tenantId, tenant.ownerEmail)).toHaveLength(3);
  const open = await nodes.a.db.query(
    `select id from member_link where organisation_id = $1 and ended_at is null and expires_at > now()`,
    [tenant.tenantId],
  );
  expect(open).toHaveLength(1);
});

test("an address that members of two tenants prove at once becomes one member's", async () => {
  const tenants = [await nodes.a.tenant(), await nodes.a.tenant()];
  for (let round = 0; round < runs(3, 10); round++) {
    const email = anEmail();
    const tokens: string[] = [];
    for (const tenant of tenants) {
      await (await tenant.owner()).post("/api/members", { email, name: "Grace", role: "agent" }, 201);
      tokens.push((await tokensTo(nodes.a, tenant.tenantId, email))[0]!);
    }
    const answers = await concurrently(2, (n) =>
      node(n).client().post("/api/auth/password", { token: tokens[n], password: PASSWORD }),
    );
    expect(statuses(answers)).toEqual({ 200: 1, 409: 1 });
    const proven = await nodes.a.db.query("select 1 from member_email where email = $1 and proven_at is not null", [
      email,
    ]);
    expect(proven).toHaveLength(1);
  }
});

test("of two accounts at the issuer that sign in for the first time with one member's email at once, one is bound", async () => {
  const tenant = await nodes.a.tenant();
  const email = anEmail();
  await (await tenant.owner()).post("/api/members", { email, name: "Grace", role: "agent", password: PASSWORD }, 201);
  await markProven(nodes.a, email);
  const accounts = [randomUUID(), randomUUID()];
  const tokens: string[] = [];
  for (const account of accounts) tokens.push(await issuer.token({ email, email_verified: true }, { account }));
  const answers = await concurrently(12, (n) =>
    node(n)
      .client(tokens[n % 2])
      .get("/api/me"),
  );
  const ofFirst = answers.filter((_, n) => n % 2 === 0);
  const ofSecond = answers.filter((_, n) => n % 2 === 1);
  expect([statuses(ofFirst), statuses(ofSecond)].sort((a, b) => (a[200] ?? 0) - (b[200] ?? 0))).toEqual([
    { 401: 6 },
    { 200: 6 },
  ]);
  expect(
    await nodes.a.db.query("select 1 from security_event where type = 'external_identity_bound' and tenant_id = $1", [
      tenant.tenantId,
    ]),
  ).toHaveLength(1);
});

test("a password that is changed twice at once, from the same one, is changed once", async () => {
  const tenant = await nodes.a.tenant();
  const clients = [await tenant.owner(), await tenant.owner()];
  const answers = await concurrently(2, (n) =>
    node(n)
      .client(clients[n]!.token)
      .put("/api/me/password", { currentPassword: PASSWORD, newPassword: `good password number ${n}` }),
  );
  expect(statuses(answers)).toEqual({ 200: 1, 401: 1 });
});

test("no sign-in with the old password outlives a reset, whichever comes first", async () => {
  const tenant = await nodes.a.tenant();
  let password = PASSWORD;
  for (let round = 0; round < runs(3, 6); round++) {
    await nodes.a.db.query("delete from member_link where organisation_id = $1", [tenant.tenantId]);
    await nodes.a.db.query("delete from login_attempt");
    await nodes.a.client().post("/api/auth/password-reset", { email: tenant.ownerEmail }, 200);
    await nodes.a.app.get(Afterwards).finished();
    const [token] = await tokensTo(nodes.a, tenant.tenantId, tenant.ownerEmail);
    const next = `good password of round ${round}`;
    const old = password;
    await concurrently(9, async (n) => {
      const client = node(n).client();
      if (n === 4) await client.post("/api/auth/password", { token, password: next }, 200);
      else await client.post("/api/auth/login", { email: tenant.ownerEmail, password: old });
    });
    const open = "select id from member_session where organisation_id = $1 and ended_at is null";
    expect(await nodes.a.db.query(open, [tenant.tenantId])).toEqual([]);
    password = next;
  }
});
