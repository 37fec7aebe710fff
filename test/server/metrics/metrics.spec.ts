import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Mailboxes } from "../../../src/channels/email/mailboxes.js";
import { SnoozeJob } from "../../../src/conversations/actions/snooze.job.js";
import { Metrics } from "../../../src/platform/metrics/metrics.js";
import { OutcomesService } from "../../../src/platform/outcomes/outcomes.service.js";
import { OutboxService } from "../../../src/platform/outbox/outbox.service.js";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { ROOT } from "../../../src/platform/config/root.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { provision } from "../channels/support.js";
import { start } from "../e2e/support.js";
import { ask, speak } from "../security/http.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { chatOf, Visitor } from "../webchat/support.js";
import { parseExposition } from "./exposition.js";
import { Scrape, scrapeText, TOKEN } from "./support.js";
import { undisturbed } from "../../races/support.js";
import { eventually } from "../../support/eventually.js";
import { connect } from "../../support/database.js";
import { closedPort } from "../../support/ports.js";

const read = (file: string): string => fs.readFileSync(new URL(file, ROOT), "utf8");
const DOCUMENT = read("docs/operations.md");
interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

let mail: MailServer;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  mail = await startMailServer();
  const port = await closedPort();
  app = await startApp({
    // What several servers show is in test/server/servers.
    DATABASE_SERVERS: [],
    METRICS_TOKEN: TOKEN,
    SMTP_URL: mail.url,
    OUTBOUND_ALLOW: [`127.0.0.1:${port}`, new URL(mail.url).host],
  });
  app.app.get(Metrics).keptMs = 0;
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await app.close();
  await mail.close();
});
const scrape = (): Promise<Scrape> => Scrape.of(app);
/** By how much a value rises while something happens. */
async function rise(name: string, labels: Record<string, string>, work: () => Promise<unknown>): Promise<number> {
  const before = (await scrape()).value(name, labels) ?? 0;
  await work();
  return ((await scrape()).value(name, labels) ?? 0) - before;
}

describe("docs/operations.md", () => {
  /** The metrics in the first column of its tables, with their labels and, where it says so, their type. */
  const documented = new Map(
    DOCUMENT.split("\n").flatMap((line) => {
      const [, first = "", second = ""] = line.split("|");
      return [...first.matchAll(/`((?:parley|nodejs|process)_\w+)(?:\{([\w,]+)\})?`/g)].map(
        ([, name, labels]) => [name!, { labels: labels?.split(",") ?? [], type: second.trim() }] as const,
      );
    }),
  );
  const ofLinux = /^process_(virtual_memory|heap)_bytes$|^process_(open|max)_fds$/;

  test("lists every metric, and no others", async () => {
    const { families } = await scrape();
    const expected = [...documented.keys()].filter((name) => process.platform === "linux" || !ofLinux.test(name));
    expect([...families.keys()].sort()).toEqual(expected.sort());
  });

  test("names the labels and the type of each", async () => {
    await tenant.live.get("/api/me", 200);
    let compared = 0;
    for (const { name, type, samples } of (await scrape()).families.values()) {
      const { labels, type: said } = documented.get(name)!;
      if (name.startsWith("parley_")) expect([name, said]).toEqual([name, type]);
      for (const sample of samples) {
        const { le: _, ...given } = sample.labels;
        expect([name, Object.keys(given).sort()]).toEqual([name, [...labels].sort()]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(80);
  });

  const rules = read("deploy/prometheus/parley.rules.yaml");
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const dashboard = read("deploy/grafana/parley.json");

  test.each([
    ["alerts", rules, 10],
    ["a dashboard", dashboard, 15],
  ])("comes with %s that use metrics which exist", (_, text, most) => {
    const used = [...text.matchAll(/\b(?:parley|nodejs|process)_\w+/g)].map(([name]) => name.replace(/_bucket$/, ""));
    expect(new Set(used).size).toBeGreaterThanOrEqual(most);
    expect(used.filter((name) => !documented.has(name))).toEqual([]);
  });

  test("has the same alerts in the chart", () => {
    expect(read("deploy/helm/parley/files/parley.rules.yaml")).toBe(rules);
  });

  test("says what to do about each alert", () => {
    expect(alerts).toHaveLength(10);
    expect([...DOCUMENT.matchAll(/^\| `(Parley\w+)`/gm)].map(([, name]) => name)).toEqual(alerts);
  });

  test("comes with a dashboard whose panels do not overlap, each with a question", () => {
    const { panels } = JSON.parse(dashboard) as {
      panels: { id: number; type: string; gridPos: Place; targets?: { expr: string }[] }[];
    };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const shown = panels.filter(({ type }) => type !== "row");
    expect(shown.filter(({ targets = [] }) => !targets.length || targets.some(({ expr }) => !expr))).toEqual([]);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from(
        { length: Math.floor(w) * h },
        (_, n) => `${Math.floor(x) + (n % Math.floor(w))},${y + Math.floor(n / Math.floor(w))}`,
      ),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  const promtool = ["/usr/bin/promtool", "/usr/local/bin/promtool"].find((file) => fs.existsSync(file));
  test.skipIf(!promtool)(`has alerts that promtool accepts${promtool ? "" : " (left out: no promtool)"}`, async () => {
    execFileSync(promtool!, ["check", "rules", fileURLToPath(new URL("deploy/prometheus/parley.rules.yaml", ROOT))]);
    // Those of Node.js have the names that its client library gives them.
    const ours = (await scrapeText(app.baseUrl)).replace(/^(?!.*\bparley_).*\n/gm, "");
    execFileSync(promtool!, ["check", "metrics"], { input: ours });
  });
});

test("own metrics have the names that Prometheus' conventions ask for", async () => {
  for (const { name, type } of (await scrape()).families.values()) {
    if (!name.startsWith("parley_")) continue;
    expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
    expect(name).toMatch(/^parley_[a-z]+(_[a-z]+)*$/);
    expect(name).not.toMatch(/_(ms|millis|milliseconds|minutes|mb|kb)(_|$)/);
  }
});

describe("requests", () => {
  const count = (labels: Record<string, string>, work: () => Promise<unknown>): Promise<number> =>
    rise("parley_http_requests_total", labels, work);

  test("are counted by method, route and class of the status", async () => {
    const conversation = await start(tenant.live, tenant.defaults.workspaceId);
    const route = "/api/conversations/:id";
    const read = (id: string) => () => tenant.live.get(`/api/conversations/${id}`);
    expect(await count({ method: "GET", route, status: "2xx" }, read(conversation.id))).toBe(1);
    expect(await count({ method: "GET", route, status: "4xx" }, read(randomUUID()))).toBe(1);
    expect(await count({ method: "GET", route, status: "2xx" }, read(randomUUID()))).toBe(0);
    const unchanged = async () => {
      const { headers } = await tenant.live.get("/api/me", 200);
      await tenant.live.get("/api/me", 304, { headers: { "if-none-match": headers.get("etag")! } });
    };
    await undisturbed([app], async () => {
      expect(await count({ method: "GET", route: "/api/me", status: "3xx" }, unchanged)).toBe(1);
    });
    const create = () => tenant.live.post("/api/contacts", { name: "Ada" }, 201);
    expect(await count({ method: "POST", route: "/api/contacts", status: "2xx" }, create)).toBe(1);
  });

  test("are measured: the histogram's count rises, and its sum by what they took", async () => {
    const labels = { method: "GET", route: "/api/contacts" };
    const began = performance.now();
    const seconds = await rise("parley_http_request_duration_seconds_sum", labels, async () => {
      expect(
        await rise("parley_http_request_duration_seconds_count", labels, () => tenant.live.get("/api/contacts", 200)),
      ).toBe(1);
    });
    expect(seconds).toBeGreaterThan(0.0001);
    expect(seconds).toBeLessThan((performance.now() - began) / 1_000);
  });

  test("without a route share one label, whatever path or method they have", async () => {
    const paths = ["/nothing", `/api/conversations/${randomUUID()}/nothing`, '/api/"quoted"\\', "/%0a%22"];
    const all = async () => {
      for (const path of paths) await ask(app.baseUrl, { path });
      for (const method of ["PURGE", "MKCOL"]) await ask(app.baseUrl, { path: "/nothing", method });
      await ask(app.baseUrl, { path: "/%zz" });
      await speak(app.baseUrl, "BREW / HTTP/1.1\r\nHost: x\r\n\r\n");
    };
    expect(await count({ route: "unmatched", method: "GET", status: "4xx" }, all)).toBe(paths.length);
    const routes = (await scrape()).samples("parley_http_requests_total");
    const methods = new Set(routes.map(({ labels }) => labels.method));
    expect([...methods].filter((one) => !/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|other)$/.test(one!))).toEqual([]);
    for (const { labels } of routes) expect(labels.route).toMatch(/^(unmatched|(\/[\w.*:-]*)+|\*)$/);
  });

  test("that repeat an Idempotency-Key are counted once they get the first answer", async () => {
    const post = (key: string) => () =>
      tenant.live.post("/api/contacts", { name: "Ada" }, 201, { headers: { "idempotency-key": key } });
    const key = randomUUID();
    expect(await rise("parley_http_idempotent_replays_total", {}, post(key))).toBe(0);
    expect(await rise("parley_http_idempotent_replays_total", {}, post(key))).toBe(1);
  });
});

test("open streams are shown, and their time ends when they begin", async () => {
  const visitor = await Visitor.open(app.baseUrl, await chatOf(tenant));
  const streams = async () => (await scrape()).value("parley_webchat_streams_open");
  expect(await streams()).toBe(0);
  const began = performance.now();
  const listening = await visitor.listen();
  const opened = performance.now() - began;
  expect(await streams()).toBe(1);
  // Open for longer than it took to open: if its whole time counted, it would be more than that.
  await sleep(opened + 10);
  const route = { route: "/api/public/webchat/:publicKey/stream" };
  listening.close();
  await eventually(async () => expect(await streams()).toBe(0));
  const after = await scrape();
  expect(after.value("parley_http_requests_total", { ...route, status: "2xx" })).toBe(1);
  expect(after.value("parley_http_request_duration_seconds_sum", route)).toBeLessThan(opened / 1_000);
});

test("the pool shows a connection that a transaction holds, and what waits", async () => {
  const pool = async (state: string) =>
    (await scrape()).value("parley_db_pool_connections", { server: "control", state })!;
  // When a key or a session was last used is written a moment later, and takes one, too.
  await eventually(async () => expect(await pool("busy")).toBe(0));
  await tenant.transaction(tenant.tenantId, () => eventually(async () => expect(await pool("busy")).toBe(1)));
  await eventually(async () => expect(await pool("busy")).toBe(0));
  const max = (await scrape()).value("parley_db_pool_max_connections", { server: "control" })!;
  expect(max).toBe(app.config.DATABASE_POOL_SIZE);
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const all = Array.from({ length: max + 2 }, () => tenant.transaction(tenant.tenantId, () => held));
  await eventually(async () => {
    const now = await scrape();
    // The gauges that ask the database wait as well.
    expect(now.value("parley_db_pool_waiting", { server: "control" })).toBeGreaterThanOrEqual(2);
    expect(now.value("parley_db_pool_connections", { server: "control", state: "busy" })).toBe(max);
  });
  go();
  await Promise.all(all);
});

describe("jobs", () => {
  test("show when they last succeeded", async () => {
    const at = async () => (await scrape()).value("parley_job_last_success_timestamp_seconds", { job: "outcomes" });
    const before = Date.now() / 1_000;
    await app.app.get(OutcomesService).tick();
    expect(await at()).toBeGreaterThanOrEqual(before);
    expect(await at()).toBeLessThanOrEqual(Date.now() / 1_000);
    expect((await scrape()).value("parley_job_duration_seconds", { job: "outcomes" })).toBeGreaterThan(0);
  });

  test("count the rounds that failed, which are no success", async () => {
    const succeeded = async () =>
      (await scrape()).value("parley_job_last_success_timestamp_seconds", { job: "outcomes" });
    const before = await succeeded();
    const failed = await rise("parley_job_failures_total", { job: "outcomes" }, async () => {
      await app.db.query("alter table outcome rename to outcome_away");
      await app.app.get(OutcomesService).tick();
      await app.db.query("alter table outcome_away rename to outcome");
    });
    expect([failed, await succeeded()]).toEqual([1, before]);
  });

  test("that run once a day show when, from the database", async () => {
    const at = async () => (await scrape()).value("parley_daily_run_last_success_timestamp_seconds");
    expect(await at()).toBeUndefined();
    await app.db.query("insert into job_run values ('daily', '2026-01-02T03:00:00Z', '2026-01-02T03:00:07Z', '{}')");
    expect([await at(), (await scrape()).value("parley_daily_run_duration_seconds")]).toEqual([
      Date.parse("2026-01-02T03:00:07Z") / 1_000,
      7,
    ]);
  });
});

test("a due queue shows how late it is, until the rows are worked on", async () => {
  const { id } = await start(tenant.live, tenant.defaults.workspaceId);
  const lag = async () => (await scrape()).value("parley_queue_lag_seconds", { queue: "snooze" })!;
  await owner.post(`/api/conversations/${id}/snooze`, { until: "2099-01-01T00:00:00Z" }, 200);
  expect(await lag()).toBe(0);
  await app.db.query("update snooze_due set due_at = now() - interval '90 seconds'");
  expect(await lag()).toBeGreaterThanOrEqual(90);
  expect(await lag()).toBeLessThan(9_000);
  const done = await rise("parley_queue_rows_total", { queue: "snooze", result: "done" }, () =>
    app.app.get(SnoozeJob).tick(),
  );
  expect([done, await lag()]).toEqual([1, 0]);
});

test("values that cost a query are read at most once in five seconds, and once for all who ask at the same time", async () => {
  const metrics = app.app.get(Metrics);
  let reads = 0;
  const read = metrics.shared(async () => {
    await sleep(50);
    return ++reads;
  });
  metrics.keptMs = 5_000;
  // The clock stands still until the test moves it. It never goes back: what was read later would be kept until then.
  const realNow = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now");
  const now = performance.now();
  clock.mockReturnValue(now);
  try {
    expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
    expect(await read()).toBe(1);
    const lag = async () => (await scrape()).value("parley_queue_lag_seconds", { queue: "snooze" })!;
    await start(tenant.live, tenant.defaults.workspaceId).then(({ id }) =>
      owner.post(`/api/conversations/${id}/snooze`, { until: "2099-01-01T00:00:00Z" }, 200),
    );
    const before = await lag();
    await app.db.query("update snooze_due set due_at = now() - interval '90 seconds'");
    clock.mockReturnValue(now + 4_999);
    expect([before, await lag(), await read()]).toEqual([0, 0, 1]);
    metrics.keptMs = 0;
    clock.mockReturnValue(now + 5_001);
    expect(await lag()).toBeGreaterThanOrEqual(90);
    expect([await read(), await read()]).toEqual([2, 3]);
  } finally {
    clock.mockImplementation(() => realNow() + 5_001);
    metrics.keptMs = 0;
    await app.app.get(SnoozeJob).tick();
  }
});

test("the outbox shows what waits for a mail server that is down, since when, and what became of the attempts", async () => {
  const kind = "mail";
  const outbox = async () => {
    const now = await scrape();
    return {
      waiting: now.value("parley_outbox_messages", { kind, state: "waiting" }),
      parked: now.value("parley_outbox_messages", { kind, state: "parked" }),
      age: now.value("parley_outbox_oldest_age_seconds", { kind })!,
      sent: now.value("parley_outbox_attempts_total", { kind, result: "sent" }) ?? 0,
      postponed: now.value("parley_outbox_attempts_total", { kind, result: "postponed" }) ?? 0,
      dead: now.value("parley_outbox_attempts_total", { kind, result: "dead" }) ?? 0,
    };
  };
  await app.app.get(OutboxWorker).tick();
  const before = await outbox();
  expect(before).toMatchObject({ waiting: 0, parked: 0, age: 0 });
  mail.refuse = { code: 451, at: "content" };
  const email = `${randomUUID()}@example.com`;
  await owner.post("/api/members", { email, name: "Grace", role: "agent" }, 201);
  await app.app.get(OutboxWorker).tick();
  const waiting = await outbox();
  expect(waiting).toEqual({ ...before, waiting: 1, postponed: before.postponed + 1, age: expect.any(Number) });
  await app.db.query("update outbox_queue set waiting_since = now() - interval '90 seconds'");
  const { age } = await outbox();
  expect(age).toBeGreaterThanOrEqual(90);
  expect(age).toBeLessThan(120);

  await app.db.query("update outbox_message set attempts = 1000");
  await app.db.query("update outbox_queue set due_at = now()");
  await app.app.get(OutboxWorker).tick();
  expect(await outbox()).toMatchObject({ postponed: before.postponed + 1, dead: before.dead + 1 });
  mail.refuse = undefined;
  await owner.post("/api/members", { email: `${randomUUID()}@example.com`, name: "Ada", role: "agent" }, 201);
  await app.app.get(OutboxWorker).tick();
  expect(await outbox()).toMatchObject({ waiting: 0, age: 0, sent: before.sent + 1 });
  await owner.post("/api/members", { email: `${randomUUID()}@example.com`, name: "Eve", role: "agent" }, 201);
  await app.db.query("update outbox_queue set due_at = 'infinity'");
  expect(await outbox()).toMatchObject({ waiting: 0, parked: 1, age: 0 });
  await app.db.query("delete from outbox_message");
});

test("how long a message waits is told by the clock of PostgreSQL, whatever the clock of a process says or has said", async () => {
  const age = async () => (await scrape()).value("parley_outbox_oldest_age_seconds", { kind: "mail" })!;
  const inAnHour = async <T>(work: () => T | Promise<T>): Promise<T> => {
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 3_600_000);
    try {
      return await work();
    } finally {
      clock.mockRestore();
    }
  };
  // Ids never go back in time: from now on they are an hour ahead.
  await inAnHour(() => uuid());
  await owner.post("/api/members", { email: `${randomUUID()}@example.com`, name: "Grace", role: "agent" }, 201);
  await eventually(async () => {
    expect(await age()).toBeGreaterThan(0.2);
  });
  expect(await inAnHour(age)).toBeLessThan(600);
  await app.db.query("delete from outbox_message");
});

test("a message whose channel works again waits from then on", async () => {
  const age = async () => (await scrape()).value("parley_outbox_oldest_age_seconds", { kind: "mail" })!;
  const channelId = randomUUID();
  await owner.post("/api/members", { email: `${randomUUID()}@example.com`, name: "Grace", role: "agent" }, 201);
  const parked =
    "update outbox_queue set channel_id = $1, due_at = 'infinity', waiting_since = now() - interval '3 days'";
  await app.db.query(parked, [channelId]);
  expect(await age()).toBe(0);
  await app.transaction(tenant.tenantId, (tx) => app.app.get(OutboxService).resume(tx, channelId));
  await eventually(async () => {
    expect(await age()).toBeGreaterThan(0);
  });
  expect(await age()).toBeLessThan(600);
  await app.db.query("delete from outbox_message");
});

test("a mailbox that cannot be read shows since when nobody has looked into it", async () => {
  const port = Number(app.config.OUTBOUND_ALLOW[0]!.split(":")[1]);
  await owner.post(
    `/api/workspaces/${tenant.defaults.workspaceId}/channels`,
    {
      type: "email",
      name: "Support",
      address: "support@example.com",
      credentials: { username: "support", password: "hunter2-hunter2" },
      settings: {
        smtp: { host: "127.0.0.1", port: mail.port, security: "none" },
        imap: { host: "127.0.0.1", port, security: "none" },
      },
    },
    201,
  );
  await provision(app);
  await app.db.query("update channel set status = 'active' where type = 'email'");
  expect((await scrape()).value("parley_mailboxes_unattended")).toBe(1);
  await app.app.get(Mailboxes).tick();
  const first = await scrape();
  expect(first.value("parley_mailboxes_held")).toBe(1);
  await eventually(async () => {
    const second = await scrape();
    expect(second.value("parley_mailboxes_unattended")).toBe(0);
    expect(second.value("parley_mailbox_lag_seconds")! - first.value("parley_mailbox_lag_seconds")!).toBeGreaterThan(1);
  });
});

test("no tenant, person, id or key is in it, after all this traffic", async () => {
  await tenant.live.get("/api/contacts?limit=1", 200);
  await ask(app.baseUrl, { path: `/api/conversations?workspaceId=${tenant.defaults.workspaceId}&label=needle` });
  const text = await scrapeText(app.baseUrl);
  expect(parseExposition(text).size).toBeGreaterThan(50);
  expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}|@|svc_|whsec_|needle|example|hunter2|Ada|Tenant|127\.0\.0\.1/);
  expect(text).not.toContain(TOKEN);
});

test("while the database is away it still answers: what it cannot read is left out, and counted", async () => {
  const admin = await connect(app.db.url.replace(app.db.name, "postgres"));
  // Until each has ended: one that still lives would answer.
  const terminate = () =>
    admin.query("select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = $1", [app.db.name]);
  const broken = async () => (await scrape()).value("parley_db_connections_broken_total", { server: "control" })!;
  const before = await broken();
  try {
    // Of the connections that a scrape has used and left idle. How long they stay, and when the process hears of their end, varies.
    await eventually(async () => {
      await terminate();
      expect(await broken()).toBeGreaterThan(before);
    });
    await admin.query(`alter database ${app.db.name} allow_connections false`);
    await terminate();
    const away = await scrape();
    expect(away.value("parley_db_up", { server: "control" })).toBe(0);
    expect(away.samples("parley_queue_lag_seconds")).toEqual([]);
    expect(away.samples("parley_outbox_messages")).toEqual([]);
    expect(away.value("parley_http_requests_total", { route: "/api/me", status: "2xx" })).toBeGreaterThan(0);
    const failures = await scrape();
    expect(failures.value("parley_metrics_failures_total", { metric: "parley_queue_lag_seconds" })).toBeGreaterThan(0);
  } finally {
    await admin.query(`alter database ${app.db.name} allow_connections true`);
    await admin.end();
  }
  await eventually(async () => {
    const back = await scrape();
    expect(back.value("parley_db_up", { server: "control" })).toBe(1);
    expect(back.samples("parley_queue_lag_seconds").length).toBeGreaterThan(5);
  });
});
