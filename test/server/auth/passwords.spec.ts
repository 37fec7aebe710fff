import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { COST, setCost } from "../../../src/auth/sessions/password.js";
import { Afterwards } from "../../../src/platform/jobs/afterwards.js";
import { CHEAP, PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { mailsTo, markProven, tokensTo } from "./mailed.js";
import { codeOf, complete, withApp, withPassword } from "./second-factor-support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  app = await startApp({ TRUSTED_PROXIES: ["127.0.0.1"] });
  tenant = await app.tenant("Bletchley Works");
  owner = await tenant.owner();
});
afterAll(() => app.close());

const add = async (password = PASSWORD) => {
  const email = `${randomUUID()}@example.com`;
  const { id } = (await owner.post("/api/members", { email, name: "Grace Hopper", role: "agent", password }, 201)).body;
  await markProven(app, email);
  return { id, email };
};
const signIn = (email: string, password = PASSWORD) => app.client().post("/api/auth/login", { email, password });
const change = (client: Client, currentPassword: string, newPassword: string) =>
  client.put("/api/me/password", { currentPassword, newPassword });
const askForReset = async (email: string, headers: Record<string, string> = {}) => {
  const answer = await app.client().post("/api/auth/password-reset", { email }, 200, { headers });
  await app.app.get(Afterwards).finished();
  return answer;
};
const reset = (token: string, password: string) => app.client().post("/api/auth/password", { token, password });
const linkTo = async (email: string) => (await tokensTo(app, tenant.tenantId, email))[0]!;
const events = async (id: string) =>
  (await owner.get(`/api/security-log?memberId=${id}&limit=100`, 200)).body.data.map(({ type }) => type);
const NEW = "another good password";

describe("a password", () => {
  test.each([
    ["1234567890", "breached"],
    ["QwertyUiop", "breached"],
    ["qwertyuiop123!", "breached"],
    ["aaaaaaaaaaaaaaa", "breached"],
    ["GraceHopper2026", "your name"],
    ["bletchley-works!", "your name"],
    ["parleyparley", "your name"],
  ])("%s is refused with the reason and what to do", async (password, why) => {
    const body = { email: `${randomUUID()}@example.com`, name: "Grace Hopper", role: "agent", password };
    const { status, body: answer } = await owner.post("/api/members", body);
    expect([status, answer.error]).toEqual([400, expect.stringMatching(new RegExp(`${why}.*choose another`))]);
  });

  test("needs no kinds of characters, and keeps every one of up to 200", async () => {
    for (const password of [
      "four words in a row",
      "пароль из слов",
      `${"x".repeat(3)}${"correct horse ".repeat(20)}`.slice(0, 200),
    ]) {
      const { email } = await add(password);
      expect((await signIn(email, password)).status).toBe(200);
      expect((await signIn(email, `${password.slice(0, -1)}~`)).status).toBe(401);
    }
  });

  test("that is refused does not use up the link, and leaves no member behind", async () => {
    const { email } = await add();
    await askForReset(email);
    const token = await linkTo(email);
    expect((await reset(token, "qwertyuiop123")).status).toBe(400);
    expect((await reset(token, NEW)).status).toBe(200);
    const unmade = `${randomUUID()}@example.com`;
    const body = { email: unmade, name: "Nobody", role: "agent", password: "qwertyuiop" };
    expect((await owner.post("/api/members", body)).status).toBe(400);
    expect((await owner.get("/api/members", 200)).body.filter((member) => member.email === unmade)).toEqual([]);
  });
});

test("a wrong password takes as long for an email that nobody has as for one that somebody has", async () => {
  // The work of cheap hashes would be lost in that of the request.
  setCost(COST);
  onTestFinished(() => setCost(CHEAP));
  const { email } = await add();
  // Processor time, because what else the machine does lengthens any other.
  const work = async (address: string, n: number): Promise<number> => {
    const before = process.cpuUsage();
    const headers = { "x-forwarded-for": `192.0.2.${n}` };
    await app.client().post("/api/auth/login", { email: address, password: "not it at all" }, 401, { headers });
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  for (let n = 0; n < 8; n++) {
    known.push(await work(email, n));
    unknown.push(await work(`${randomUUID()}@example.com`, n));
  }
  const ratio = Math.min(...unknown) / Math.min(...known);
  // Without the decoys, it is about a tenth.
  expect(ratio).toBeGreaterThan(1 / 2);
  expect(ratio).toBeLessThan(2);
});

describe("changing a password", () => {
  test("needs the current one, ends the other sessions and keeps this one, and is mailed to the member", async () => {
    const { id, email } = await add();
    const [mine, other] = [
      await app.client().login(email, PASSWORD),
      await app.client().login(email, PASSWORD, "test"),
    ];
    expect((await change(mine, "not the password", NEW)).status).toBe(401);
    expect((await change(mine, PASSWORD, "qwertyuiop")).status).toBe(400);
    expect((await change(mine, PASSWORD, NEW)).status).toBe(200);
    await vi.waitFor(async () => expect((await other.get("/api/me")).status).toBe(401), { timeout: 10_000 });
    expect((await mine.get("/api/me")).status).toBe(200);
    expect([(await signIn(email)).status, (await signIn(email, NEW)).status]).toEqual([401, 200]);
    expect((await mailsTo(app, tenant.tenantId, email)).map(({ subject }) => subject)).toContain(
      "Your password for Parley was changed",
    );
    await app.app.get(Afterwards).finished();
    expect(await events(id)).toEqual(expect.arrayContaining(["password_changed", "sign_in_failed", "session_ended"]));
  });

  test("counts wrong current passwords as failed sign-ins", async () => {
    const { email } = await add();
    const mine = await app.client().login(email, PASSWORD);
    for (let n = 0; n < 10; n++) expect((await change(mine, "guess", NEW)).status).toBe(401);
    expect((await change(mine, PASSWORD, NEW)).status).toBe(429);
    expect((await signIn(email)).status).toBe(429);
  });
});

describe("a reset", () => {
  test("mails a link that sets a new password once, ends all sessions, and is in the security log", async () => {
    const { id, email } = await add();
    const session = await app.client().login(email, PASSWORD);
    expect((await askForReset(email.toUpperCase())).body).toEqual({ ok: true });
    const token = await linkTo(email);
    expect((await reset(token, NEW)).status).toBe(200);
    expect((await reset(token, "yet another password")).status).toBe(401);
    await vi.waitFor(async () => expect((await session.get("/api/me")).status).toBe(401), { timeout: 10_000 });
    expect([(await signIn(email)).status, (await signIn(email, NEW)).status]).toEqual([401, 200]);
    expect(await events(id)).toEqual(expect.arrayContaining(["password_reset", "password_reset_requested"]));
  });

  test("leaves the second factor as it is, and gives no session: a sign-in with the new password still asks for the code", async () => {
    const { id, email } = await add();
    const { secret } = await withApp(await app.client().login(email, PASSWORD));
    const factors = () => app.db.query("select * from second_factor where member_id = $1", [id]);
    const before = await factors();
    const begun = await withPassword(app, email);
    await askForReset(email);
    const answer = await reset(await linkTo(email), NEW);
    expect([answer.status, answer.text, answer.headers.get("set-cookie")]).toEqual([200, '{"ok":true}', null]);
    expect(await factors()).toEqual(before);
    const old = await complete(app, begun.token, { code: codeOf(secret) });
    expect(old.status, "a sign-in that began with the old password").toBe(401);

    const { body, headers } = await signIn(email, NEW);
    if (!("secondFactor" in body)) throw new Error("no second factor was asked for");
    expect([body.secondFactor.methods, headers.get("set-cookie")]).toEqual([["totp"], null]);
    const { token } = body.secondFactor;
    expect((await complete(app, token, { code: codeOf(secret, 5) })).status).toBe(401);
    expect((await complete(app, token, { code: codeOf(secret) })).status).toBe(200);
  });

  test("has the same answer for known and unknown emails, and mails nothing to anybody who is unknown, unproven, deactivated or removed", async () => {
    const [known, unproven, deactivated, removed] = [await add(), await add(), await add(), await add()];
    await app.db.query("update member_email set proven_at = null where email = $1", [unproven.email]);
    await owner.patch(`/api/members/${deactivated.id}`, { status: "deactivated" }, 200);
    await owner.delete(`/api/members/${removed.id}`, 200);
    const answers = [];
    for (const { email } of [known, unproven, deactivated, removed, { email: `${randomUUID()}@example.com` }]) {
      const { status, text } = await askForReset(email);
      answers.push(`${status} ${text}`);
      expect((await mailsTo(app, tenant.tenantId, email)).length).toBe(email === known.email ? 1 : 0);
    }
    expect(new Set(answers)).toEqual(new Set(['200 {"ok":true}']));
  });

  test("is valid for half an hour, and until the next one is asked for", async () => {
    const { id, email } = await add();
    await askForReset(email);
    const first = await linkTo(email);
    await askForReset(email);
    const second = await linkTo(email);
    expect(second).not.toBe(first);
    expect((await reset(first, NEW)).status).toBe(401);
    const [row] = await app.db.query<{ minutes: number }>(
      "select extract(epoch from max(expires_at) - now()) / 60 as minutes from member_link where member_id = $1",
      [id],
    );
    expect(Number(row!.minutes)).toBeCloseTo(30, 0);
    await app.db.query("update member_link set expires_at = now() - interval '1 second' where member_id = $1", [id]);
    expect((await reset(second, NEW)).status).toBe(401);
  });

  test("is mailed three times an hour at most, and twenty times in 15 minutes for one client address, without a word", async () => {
    const { email } = await add();
    for (let n = 0; n < 5; n++) await askForReset(email, { "x-forwarded-for": "198.51.100.1" });
    expect(await mailsTo(app, tenant.tenantId, email)).toHaveLength(3);
    for (let n = 0; n < 16; n++)
      await askForReset(`${randomUUID()}@example.com`, { "x-forwarded-for": "198.51.100.1" });
    const other = await add();
    await askForReset(other.email, { "x-forwarded-for": "198.51.100.1" });
    expect(await mailsTo(app, tenant.tenantId, other.email)).toEqual([]);
    await askForReset(other.email, { "x-forwarded-for": "198.51.100.2" });
    expect(await mailsTo(app, tenant.tenantId, other.email)).toHaveLength(1);
  });

  test("stores only a hash of the link's token", async () => {
    const { id, email } = await add();
    await askForReset(email);
    const token = await linkTo(email);
    const [row] = await app.db.query<{ hash: string }>("select hash from member_link where member_id = $1", [id]);
    expect(row!.hash).toMatch(/^[\da-f]{64}$/);
    expect(row!.hash).not.toContain(token);
  });
});
