import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf } from "../../src/platform/http/rate-limit.js";
import { controlOf, startApp, type TestApp, type TestTenant } from "../support/app.js";
import type { Answer } from "../support/client.js";
import type { TestDatabase } from "../support/database.js";
import { concurrently, startTwo, tally, type TwoNodes, until } from "./support.js";

const LIMIT = 60;
/** Of `strict`. */
const FEW = 5;
let nodes: TwoNodes;
let app: TestApp;
let strict: TestApp;
/** Control, which counts the requests. */
let db: TestDatabase;
beforeAll(async () => {
  nodes = await startTwo({ RATE_LIMIT_PER_MINUTE: LIMIT, TRUSTED_PROXIES: ["127.0.0.1"] });
  app = nodes.a;
  db = controlOf(app.db);
  strict = await startApp(
    {
      RATE_LIMIT_PER_MINUTE: FEW,
      TRUSTED_PROXIES: ["127.0.0.1", "10.0.0.0/8"],
      CORS_ORIGINS: ["https://desk.example.com"],
    },
    app.db,
  );
});
afterAll(async () => {
  await strict.close();
  await nodes.close();
});

let addresses = 0;
/** A client that no test has been. */
const anAddress = (): string => `192.0.2.${++addresses}`;
const by = (address: string) => ({ headers: { "X-Forwarded-For": address } });
const get = (node: TestApp, address: string, path = "/api/nothing"): Promise<Answer> =>
  node.client().get(path, undefined, by(address));
const passed = (answers: Answer[]): number => answers.filter(({ status }) => status !== 429).length;

describe("one client", () => {
  test("can make exactly as many requests as the limit, on any routes; the rest get 429 with Retry-After", async () => {
    const tenant: TestTenant = await app.tenant();
    const address = anAddress();
    const kinds: (() => Promise<Answer>)[] = [
      () => tenant.live.get("/api/me", undefined, by(address)),
      () => get(app, address, "/api/me"),
      () => get(app, address),
      () => app.client("svc_live_v1_junk").get("/api/workspaces", undefined, by(address)),
      () => tenant.live.post("/api/contacts", "{", undefined, by(address)),
      () => get(app, address, "/docs/nothing"),
    ];
    const first = await Promise.all(kinds.map((send) => send()));
    expect(first.map(({ status }) => status)).toEqual([200, 401, 404, 401, 400, 404]);
    const answers = [...first, ...(await concurrently(72, (n) => kinds[n % kinds.length]!()))];
    expect(passed(answers)).toBe(LIMIT);
    for (const { status, headers, body } of answers) {
      expect(headers.get("RateLimit-Limit")).toBe(String(LIMIT));
      const reset = Number(headers.get("RateLimit-Reset"));
      expect([reset >= 1, reset <= 60]).toEqual([true, true]);
      expect(headers.get("X-Request-Id")).toMatch(/^[\w-]{8,}$/);
      if (status !== 429) continue;
      expect([headers.get("Retry-After"), headers.get("RateLimit-Remaining")]).toEqual([String(reset), "0"]);
      expect(headers.get("Content-Type")).toMatch(/^application\/json/);
      expect(body).toEqual({ error: expect.stringMatching(/60 a minute/) });
    }
  });

  test("gets its remaining requests with every response, and is refused before authentication", async () => {
    const address = anAddress();
    const left = [];
    for (let n = 0; n < FEW; n++) left.push((await get(strict, address, "/api/me")).headers.get("RateLimit-Remaining"));
    expect(left).toEqual(["4", "3", "2", "1", "0"]);
    for (const path of ["/api/me", "/api/nothing", "/openapi.json", "/docs"])
      expect([path, (await get(strict, address, path)).status]).toEqual([path, 429]);
  });

  test("is not limited on the health probes, which keep responding", async () => {
    const address = anAddress();
    const probes = () => concurrently(20, (n) => get(strict, address, n % 2 ? "/healthz" : "/readyz"));
    expect(tally((await probes()).map(({ status, headers }) => `${status} ${headers.get("RateLimit-Limit")}`))).toEqual(
      { "200 null": 20 },
    );
    expect(tally((await concurrently(FEW + 1, () => get(strict, address))).map(({ status }) => status))).toEqual({
      404: FEW,
      429: 1,
    });
    expect(tally((await probes()).map(({ status }) => status))).toEqual({ 200: 20 });
  });

  test("is limited on unknown routes, malformed paths and preflight requests too", async () => {
    const preflight = {
      method: "OPTIONS",
      headers: { Origin: "https://desk.example.com", "Access-Control-Request-Method": "GET" },
    };
    for (const [path, { method, headers: own }] of [
      ["/api/nothing", { method: "GET", headers: {} }],
      ["/api/%zz", { method: "GET", headers: {} }],
      ["/api/me", preflight],
    ] as const) {
      const statuses = [];
      const headers = { ...own, ...by(anAddress()).headers };
      for (let n = 0; n <= FEW; n++) {
        const answer = await fetch(strict.baseUrl + path, { method, headers });
        expect(answer.headers.get("X-Request-Id")).not.toBeNull();
        statuses.push(answer.status === 429);
      }
      expect(statuses, path).toEqual([false, false, false, false, false, true]);
    }
  });

  test("can read the 429 and its Retry-After on other origins, on the public routes", async () => {
    const { headers: forwarded } = by(anAddress());
    const ask = (path: string) =>
      fetch(strict.baseUrl + path, { headers: { ...forwarded, Origin: "https://shop.example" } });
    await concurrently(FEW, () => ask("/api/me"));
    for (const [path, origin] of [
      ["/api/public/webchat/wc_x/messages", "*"],
      ["/api/public/kb-widgets/x/search", "*"],
      ["/api/me", null],
    ] as const) {
      const { status, headers } = await ask(path);
      expect([
        path,
        status,
        headers.get("access-control-allow-origin"),
        headers.get("access-control-expose-headers"),
      ]).toEqual([path, 429, origin, origin && "Retry-After, X-Error-Code, X-Error-Detail"]);
    }
  });

  test("gets a new limit when the minute is over", async () => {
    let address!: string;
    // A window that another node started a while ago. Twenty requests take less than what is left of it, except on a busy machine.
    let answers: Answer[] = [];
    let left = 2;
    for (let ended = true; ended; left *= 4) {
      address = anAddress();
      const began = performance.now();
      await db.query(
        `insert into rate_window (client, started_at, granted, last_grant)
        values ($3, clock_timestamp() - make_interval(secs => 60 - $2::int), $1, 1)`,
        [LIMIT - 5, left, address],
      );
      answers = await concurrently(20, () => get(app, address));
      ended = performance.now() - began > left * 1_000;
      expect(Number(answers.find(({ status }) => status === 429)?.headers.get("Retry-After") ?? 0)).toBeLessThanOrEqual(
        ended ? 60 : left,
      );
    }
    expect(passed(answers)).toBe(5);
    const first = await until(async () => {
      const answer = await get(app, address);
      return answer.status !== 429 && answer;
    }, "the window ends");
    expect(first && Number(first.headers.get("RateLimit-Reset"))).toBeGreaterThan(50);
    expect(passed(await concurrently(70, () => get(app, address)))).toBe(LIMIT - 1);
  });

  test("does not wait for a minute that began while the clock of PostgreSQL was an hour ahead", async () => {
    const address = anAddress();
    await db.query(
      `insert into rate_window (client, started_at, granted, last_grant) values ($1, clock_timestamp() + interval '1 hour', $2, 1)`,
      [address, LIMIT],
    );
    expect(passed(await concurrently(70, () => get(app, address)))).toBe(LIMIT);
  });

  test("gets 503 when requests cannot be counted, unless organisations have servers of their own", async () => {
    const address = anAddress();
    await db.query("alter table rate_window rename to away");
    try {
      const { status, headers, body } = await get(app, address, "/api/me");
      // With control away, each process counts by itself, so that signed-in traffic goes on.
      expect([status, headers.get("Retry-After"), body]).toEqual([
        ...(db === app.db ? [503, "1"] : [401, null]),
        { error: expect.any(String) },
      ]);
    } finally {
      await db.query("alter table away rename to rate_window");
    }
    expect((await get(app, address, "/api/me")).status).toBe(401);
  });
});

describe("one client on two nodes", () => {
  test.each([
    ["evenly", [40, 40]],
    ["unevenly", [75, 5]],
  ])(
    "never makes more requests than the limit, and at least nine tenths of it (spread %s)",
    async (_, [toA = 0, toB = 0]) => {
      const [{ a, b }, address] = [nodes, anAddress()];
      expect((await get(b, address)).status).toBe(404);
      const answers = await concurrently(toA + toB, (n) => get(n < toA ? a : b, address));
      const all = 1 + passed(answers);
      expect(all).toBeLessThanOrEqual(LIMIT);
      expect(all).toBeGreaterThanOrEqual(0.9 * LIMIT);
    },
  );
});

describe("X-Forwarded-For", () => {
  test("is ignored if it is not from a configured proxy", async () => {
    const exposed = await startApp({ RATE_LIMIT_PER_MINUTE: FEW, TRUSTED_PROXIES: ["10.0.0.0/8"] }, app.db);
    try {
      await db.query("delete from rate_window");
      expect(passed(await concurrently(10, (n) => get(exposed, `203.0.113.${n}`)))).toBe(FEW);
      expect(await db.query("select client from rate_window")).toEqual([{ client: "127.0.0.1" }]);
    } finally {
      await exposed.close();
    }
  });

  test("counts as the proxy if it is no address, and also where the path is malformed", async () => {
    const own = await startApp({ RATE_LIMIT_PER_MINUTE: FEW, TRUSTED_PROXIES: ["127.0.0.1"] }, app.db);
    try {
      await db.query("delete from rate_window");
      const junk = [
        "unknown",
        "_hidden",
        "1.2.3",
        "1.2.3.4.5",
        "203.0.113.1:http",
        "::g",
        ",",
        "'",
        "x".repeat(1_000),
        "203.0.113.1, x",
      ];
      expect(passed(await concurrently(10, (n) => get(own, junk[n]!)))).toBe(FEW);
      const [one, other] = [anAddress(), anAddress()];
      const malformed = async (address: string): Promise<number> =>
        (await fetch(`${own.baseUrl}/api/%zz`, by(address))).status;
      expect(tally(await concurrently(10, () => malformed(one)))).toEqual({ 400: FEW, 429: 5 });
      expect(await malformed(other)).toBe(400);
      const clients = await db.query<{ client: string }>("select client from rate_window");
      expect(clients.map(({ client }) => client).sort()).toEqual(["127.0.0.1", one, other].sort());
    } finally {
      await own.close();
    }
  });

  test("identifies each client behind a configured proxy, and addresses that the client itself added are ignored", async () => {
    expect(passed(await concurrently(10, () => get(strict, "203.0.113.1")))).toBe(FEW);
    expect(passed(await concurrently(10, () => get(strict, "203.0.113.2, 10.1.2.3")))).toBe(FEW);
    expect(passed(await concurrently(10, (n) => get(strict, `198.51.100.${n}, 203.0.113.3`)))).toBe(FEW);
    expect(passed(await concurrently(10, (n) => get(strict, `2001:db8:0:1::${n}`)))).toBe(FEW);
  });
});

describe("an IP address", () => {
  const bits = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
  /** The address as given, in capitals, with leading zeros, and with its zeros omitted. */
  const notations = (groups: number[]): string[] => {
    const plain = groups.map((group) => group.toString(16)).join(":");
    return [
      plain,
      plain.toUpperCase(),
      groups.map((group) => group.toString(16).padStart(4, "0")).join(":"),
      new URL(`http://[${plain}]`).hostname.slice(1, -1),
    ];
  };

  test("in IPv6 shares its limit with its /64 and with no other, in any notation", () => {
    fc.assert(
      fc.property(bits, bits, fc.nat({ max: 3 }), fc.integer({ min: 1, max: 0xffff }), (groups, host, place, flip) => {
        const clients = [...notations(groups), ...notations([...groups.slice(0, 4), ...host.slice(4)])].map(clientOf);
        expect(new Set(clients).size).toBe(1);
        const elsewhere = groups.map((group, index) => (index === place ? group ^ flip : group));
        expect(clientOf(notations(elsewhere)[0]!)).not.toBe(clients[0]);
      }),
    );
  });

  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["2001:db8::", "2001:db8:0:0::/64"],
    ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
  ])("%s is counted as %s", (address, client) => {
    expect(clientOf(address)).toBe(client);
  });
});
