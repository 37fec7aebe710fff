import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Afterwards } from "../../src/platform/jobs/afterwards.js";
import { type Attempt, SignInLimits } from "../../src/auth/sessions/sign-in-limits.js";
import { RetryLater } from "../../src/platform/http/errors.js";
import { controlOf, PASSWORD, type TestTenant } from "../support/app.js";
import { runs } from "../support/seed.js";
import { concurrently, databaseWithDeadlocks, startTwo, tally, type TwoNodes } from "./support.js";

let nodes: TwoNodes;
let tenant: TestTenant;
beforeAll(async () => {
  nodes = await startTwo({ TRUSTED_PROXIES: ["127.0.0.1"] });
});
afterAll(() => nodes.close());
beforeEach(async () => {
  tenant = await nodes.a.tenant();
});

let addresses = 0;
/** One that no test has had. */
const anAddress = (): string => `203.0.${++addresses >> 8}.${addresses & 255}`;
const signIn = (n: number, address: string, email: string, password: string) =>
  [nodes.a, nodes.b]
    [n % 2]!.client()
    .post("/api/auth/login", { email, password }, undefined, { headers: { "x-forwarded-for": address } });
const statuses = (answers: { status: number }[]) => tally(answers.map(({ status }) => status));
const endWindow = () =>
  controlOf(nodes.a.db).query(`update login_attempt set started_at = started_at - interval '15 minutes'`);
async function events(): Promise<{ type: string; detail: unknown; address: string | null }[]> {
  for (const { app } of [nodes.a, nodes.b]) await app.get(Afterwards).finished();
  return nodes.a.db.query("select type, detail, address from security_event where tenant_id = $1 order by id", [
    tenant.tenantId,
  ]);
}

describe("one account and one client address", () => {
  test("are counted and forgotten by many sign-ins at once without a deadlock", async () => {
    const db = await databaseWithDeadlocks();
    const two = await startTwo({}, db);
    const attempt: Attempt = {
      email: "ada@example.com",
      environment: "live",
      sender: { address: anAddress(), userAgent: null },
    };
    let counted = 0;
    await concurrently(8, async (n) => {
      const limits = (n < 4 ? two.a : two.b).app.get(SignInLimits);
      // Two that lock the rows in different orders wait until their statements time out.
      for (let round = 0; round < runs(25, 100); round++)
        if (n % 2) await limits.forget(attempt);
        else
          await limits.count(attempt).then(
            () => counted++,
            (error: unknown) => {
              if (!(error instanceof RetryLater)) throw error;
            },
          );
    });
    expect(counted).toBeGreaterThan(10);
    await two.close();
  });

  test("get ten of thirty concurrent wrong guesses evaluated; the rest, and the right password, are 429 until the window ends", async () => {
    const address = anAddress();
    const answers = await concurrently(30, (n) =>
      signIn(n, address, n % 3 ? tenant.ownerEmail : tenant.ownerEmail.toUpperCase(), `guess number ${n}`),
    );
    expect(statuses(answers)).toEqual({ 401: 10, 429: 20 });
    for (const { headers } of answers.filter(({ status }) => status === 429)) {
      expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(Number(headers.get("Retry-After"))).toBeLessThanOrEqual(900);
    }
    const right = await signIn(0, address, tenant.ownerEmail, PASSWORD);
    expect([right.status, right.body.error]).toEqual([429, expect.stringMatching(/./)]);
    const other = await nodes.a.tenant();
    expect((await signIn(0, address, other.ownerEmail, PASSWORD)).status).toBe(200);

    await endWindow();
    expect((await signIn(1, address, tenant.ownerEmail, PASSWORD)).status).toBe(200);
  });

  test("do not wait for a window that began while the clock of PostgreSQL was an hour ahead", async () => {
    const address = anAddress();
    for (let n = 0; n < 10; n++) await signIn(n, address, tenant.ownerEmail, "wrong");
    expect((await signIn(0, address, tenant.ownerEmail, PASSWORD)).status).toBe(429);
    await controlOf(nodes.a.db).query(`update login_attempt set started_at = started_at + interval '1 hour'`);
    expect((await signIn(0, address, tenant.ownerEmail, PASSWORD)).status).toBe(200);
  });

  test("are limited in the same way if nobody has the email", async () => {
    const [address, email] = [anAddress(), `${randomUUID()}@example.com`];
    const answers = await concurrently(12, (n) => signIn(n, address, email, "guess"));
    expect(statuses(answers)).toEqual({ 401: 10, 429: 2 });
  });

  test("begin anew after the right password", async () => {
    const address = anAddress();
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 9; n++) expect((await signIn(n, address, tenant.ownerEmail, "wrong")).status).toBe(401);
      expect((await signIn(round, address, tenant.ownerEmail, PASSWORD)).status).toBe(200);
    }
  });

  test("do not lock the account elsewhere: a stranger's guesses from many addresses keep nobody out", async () => {
    const strangers = Array.from({ length: 3 }, anAddress);
    const guesses = await concurrently(36, (n) => signIn(n, strangers[n % 3]!, tenant.ownerEmail, "guess"));
    expect(statuses(guesses)).toEqual({ 401: 30, 429: 6 });
    expect((await signIn(0, anAddress(), tenant.ownerEmail, PASSWORD)).status).toBe(200);
  });

  test("are counted by the /64 of an IPv6 address", async () => {
    const network = `2001:db8:77:1`;
    const answers = await concurrently(15, (n) => signIn(n, `${network}::${n}`, tenant.ownerEmail, "guess"));
    expect(statuses(answers)).toEqual({ 401: 10, 429: 5 });
    expect((await signIn(0, network.replace(/1$/, "2::1"), tenant.ownerEmail, PASSWORD)).status).toBe(200);
  });
});

describe("one client address", () => {
  test("gets fifty wrong guesses at any accounts evaluated, and others are not held up", async () => {
    const address = anAddress();
    const spray = await concurrently(60, (n) => signIn(n, address, `${randomUUID()}@example.com`, "guess"));
    expect(statuses(spray)).toEqual({ 401: 50, 429: 10 });
    const right = await signIn(0, address, tenant.ownerEmail, PASSWORD);
    expect([right.status, Number(right.headers.get("Retry-After")) > 0]).toEqual([429, true]);
    expect((await signIn(0, anAddress(), tenant.ownerEmail, PASSWORD)).status).toBe(200);
    await endWindow();
    expect((await signIn(0, address, tenant.ownerEmail, PASSWORD)).status).toBe(200);
  });

  test("can sign any number of members in: right passwords do not count, and do not take wrong ones back", async () => {
    const address = anAddress();
    for (let n = 0; n < 6; n++)
      expect(
        statuses(await concurrently(10, (m) => signIn(m, address, tenant.ownerEmail, PASSWORD))),
        "an office in the morning",
      ).toEqual({ 200: 10 });
    await concurrently(49, (n) => signIn(n, address, `${randomUUID()}@example.com`, "guess"));
    expect((await signIn(0, address, tenant.ownerEmail, PASSWORD)).status).toBe(200);
    expect((await signIn(0, address, `${randomUUID()}@example.com`, "guess")).status).toBe(401);
    expect((await signIn(0, address, tenant.ownerEmail, PASSWORD)).status).toBe(429);
  });

  test("that goes on trying at a locked account does not use up what others at the address have left", async () => {
    const address = anAddress();
    const answers = await concurrently(60, (n) => signIn(n, address, `${"x".repeat(5)}@example.com`, "guess"));
    expect(statuses(answers)).toEqual({ 401: 10, 429: 50 });
    expect((await signIn(0, address, tenant.ownerEmail, PASSWORD)).status).toBe(200);
  });
});

describe("the security log", () => {
  test("has each failed sign-in and one lock, with the address, and says once that an account is guessed at from everywhere", async () => {
    const addresses = Array.from({ length: 4 }, anAddress);
    await concurrently(24, (n) => signIn(n, addresses[0]!, tenant.ownerEmail, "guess"));
    for (const address of addresses.slice(1))
      await concurrently(10, (n) => signIn(n, address, tenant.ownerEmail, "guess"));
    const made = (await events()).filter(({ type }) => !["member_added", "key_created"].includes(type));
    expect(tally(made.map(({ type }) => type))).toEqual({ sign_in_failed: 40, locked: 1, many_failures: 1 });
    expect(tally(made.map(({ address }) => address))).toMatchObject({ [addresses[1]!]: expect.any(Number) });
    expect(made.find(({ type }) => type === "locked")).toMatchObject({
      address: addresses[0],
      detail: { limit: "account and address", environment: "live" },
    });
  });

  test("has nothing of an email that nobody has, and no tenant sees it", async () => {
    const before = await nodes.a.db.query("select count(*) from security_event");
    await concurrently(12, (n) => signIn(n, anAddress(), `${randomUUID()}@example.com`, "guess"));
    await events();
    expect(await nodes.a.db.query("select count(*) from security_event")).toEqual(before);
  });
});
