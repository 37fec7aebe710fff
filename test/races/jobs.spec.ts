import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DueQueue, DueQueueOptions, DueRow } from "../../src/platform/jobs/due-queue.js";
import { Database } from "../../src/platform/database/database.js";
import { Servers } from "../../src/platform/database/servers.js";
import { sql, STRANGERS } from "../../src/platform/database/sql.js";
import { globalQuery } from "../../src/platform/database/statements.js";
import { lagOf, type Room } from "../../src/platform/jobs/due-rows.js";
import { JobRunner } from "../../src/platform/jobs/job-runner.js";
import { startApp, type TestApp } from "../support/app.js";
import { concurrently, startTwo, tally, type TwoNodes, until } from "./support.js";
import { run } from "../support/sql.js";

// The job runner on its own queue table, on two nodes of one installation.

let nodes: TwoNodes;
let tenantIds: string[];
beforeAll(async () => {
  nodes = await startTwo();
  tenantIds = (await Promise.all([nodes.a.tenant(), nodes.a.tenant()])).map(({ tenantId }) => tenantId);
  await nodes.a.db.query(
    "create table test_due (tenant_id uuid, id text, due_at timestamptz not null, primary key (tenant_id, id))",
  );
  await nodes.a.db.query("grant all on test_due to public");
});
afterAll(() => nodes.close());
beforeEach(() => nodes.a.db.query("delete from test_due"));

const LEASE_SECONDS = 60;
const CLAIM = globalQuery<{ leaseSeconds: number; limit: number }, DueRow>()(
  "test.claim",
  "everywhere",
  ({ leaseSeconds, limit }) => sql`
    update test_due d set due_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}) where (d.tenant_id, d.id) in (
      select n.tenant_id, n.id from test_due n
      where n.tenant_id in (select t.id from tenant t) and n.due_at <= clock_timestamp()
        and not n.tenant_id = any(${STRANGERS}::uuid[])
      order by n.due_at, n.id limit ${limit} for update of n skip locked) and d.tenant_id in (select t.id from tenant t)
    returning d.tenant_id as "tenantId", d.id`,
);
/** Of another table: this one is in no list of tables. */
const LAG = lagOf("test", sql`outbox_queue`);
const claim = (node: TestApp, limit: number): Promise<DueRow[]> =>
  node.app.get(JobRunner).acrossTenants(CLAIM, { leaseSeconds: LEASE_SECONDS, limit });

/** A queue on the node. It runs `work` for each row and then deletes the row. */
function queueOn(
  node: TestApp,
  work: (row: DueRow) => Promise<unknown>,
  options: Partial<DueQueueOptions<DueRow>> = {},
): DueQueue<DueRow> {
  return node.app.get(JobRunner).queue<DueRow>({
    name: "test",
    claim: ({ limit }) => claim(node, limit),
    lag: LAG,
    concurrency: 5,
    work: async (_, row) => {
      await work(row);
      await node.db.query("delete from test_due where tenant_id = $1 and id = $2", [row.tenantId, row.id]);
    },
    ...options,
  });
}

/** Inserts `count` due rows, alternating between the tenants. The row with the lowest number has been due longest. */
async function due(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => String(n).padStart(4, "0"));
  await nodes.a.db.query(
    `insert into test_due select ($1::uuid[])[1 + n % 2], lpad(n::text, 4, '0'), clock_timestamp() - make_interval(secs => 1000 - n)
     from generate_series(0, $2 - 1) n`,
    [tenantIds, count],
  );
  return ids;
}
const left = async (): Promise<string[]> =>
  (await nodes.a.db.query<{ id: string }>("select id from test_due order by id")).map(({ id }) => id);

/** Work that stays in progress until it is released. */
function blocked(): { wait: () => Promise<void>; release: () => void; begun: () => number } {
  let release!: () => void;
  let begun = 0;
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    wait: () => {
      begun++;
      return released;
    },
    release,
    begun: () => begun,
  };
}

describe("a queue", () => {
  test("shared by two nodes processes each row once", async () => {
    const ids = await due(200);
    const seen: [string, string][] = [];
    const queues = [nodes.a, nodes.b].map((node, n) =>
      queueOn(node, async ({ id }) => {
        seen.push([id, String(n)]);
        // The first one keeps its rows until the other has some.
        await until(async () => new Set(seen.map(([, node]) => node)).size === 2, "both nodes have work");
      }),
    );
    await Promise.all([...queues, ...queues].map((queue) => queue.tick()));
    expect(seen.map(([id]) => id).sort()).toEqual(ids);
    expect(Object.keys(tally(seen.map(([, n]) => n)))).toEqual(["0", "1"]);
    expect(await left()).toEqual([]);
  });

  test("continues with the other rows when one fails, and retries the failed row after its lease", async () => {
    const ids = await due(30);
    const attempted: string[] = [];
    const queue = queueOn(
      nodes.a,
      ({ id }) => {
        attempted.push(id);
        return id === "0003" ? Promise.reject(new Error("fails")) : Promise.resolve();
      },
      { concurrency: 1, batch: 10 },
    );
    await queue.tick();
    expect(attempted.toSorted()).toEqual(ids);
    expect(await left()).toEqual(["0003"]);
    await queue.tick();
    expect(attempted).toHaveLength(30);
    await nodes.a.db.query("update test_due set due_at = due_at - make_interval(secs => $1)", [LEASE_SECONDS]);
    await queue.tick();
    expect(attempted).toHaveLength(31);
  });

  test("does not process a leased row while its process is alive, and processes it after the lease ends", async () => {
    await due(1);
    const dead = blocked();
    // A killed process neither finishes the row nor releases its lease.
    const ended = queueOn(nodes.a, dead.wait).tick();
    await until(async () => dead.begun(), "the first node has the row");
    const taken: string[] = [];
    const other = queueOn(nodes.b, ({ id }) => Promise.resolve(taken.push(id)));
    await other.tick();
    expect(taken).toEqual([]);
    await nodes.a.db.query("update test_due set due_at = due_at - make_interval(secs => $1)", [LEASE_SECONDS]);
    await other.tick();
    expect(taken).toEqual(["0000"]);
    dead.release();
    // It deletes the row, whose name is also that of a row of the next test.
    await ended;
  });

  test("processes rows up to its concurrency and claims the next ones as soon as one finishes", async () => {
    await due(20);
    let [now, most] = [0, 0];
    await queueOn(nodes.a, async () => {
      most = Math.max(most, ++now);
      // Each stays until the slots are full, and as long as it takes to claim another one.
      await until(async () => most >= 5, "five rows are worked on");
      await claim(nodes.a, 0);
      now--;
    }).tick();
    expect(most).toBe(5);
    expect(await left()).toEqual([]);
  });

  test("with a slow row processes the other rows at the next tick", async () => {
    await due(1);
    const slow = blocked();
    const done: string[] = [];
    const queue = queueOn(nodes.a, ({ id }) => (id === "0000" ? slow.wait() : Promise.resolve(done.push(id))), {
      concurrency: 2,
    });
    const first = queue.tick();
    await until(async () => slow.begun(), "the slow row is worked on");
    await nodes.a.db.query("insert into test_due select $1, 'quick ' || n, now() from generate_series(1, 5) n", [
      tenantIds[0],
    ]);
    const second = queue.tick();
    await until(async () => done.length === 5, "the quick rows are done");
    slow.release();
    await Promise.all([first, second]);
    expect(await left()).toEqual([]);
  });

  test("claims again if a row finished during a claim, which did not count its slot as free", async () => {
    const claims: ((rows: DueRow[]) => void)[] = [];
    const [one, two] = [blocked(), blocked()];
    const queue = nodes.a.app.get(JobRunner).queue<DueRow>({
      name: "test",
      claim: () => new Promise((resolve) => claims.push(resolve)),
      lag: LAG,
      concurrency: 5,
      followUps: true,
      work: (_, { id }) => (id === "one" ? one : two).wait(),
    });
    const tick = queue.tick();
    claims[0]!(["one", "two"].map((id) => ({ tenantId: tenantIds[0]!, id })));
    await until(async () => one.begun() && two.begun(), "both rows are worked on");
    one.release();
    await until(async () => claims.length === 2, "the queue claims again");
    two.release();
    await sleep(10);
    claims[1]!([]);
    await until(async () => claims.length === 3, "the queue claims once more");
    claims[2]!([]);
    await tick;
    expect(claims).toHaveLength(3);
  });

  test("claims what is left of a tenant whose share frees up during a claim", async () => {
    const claims: { room: Room; resolve: (rows: DueRow[]) => void }[] = [];
    const work = Object.fromEntries(["one", "two", "three"].map((id) => [id, blocked()]));
    const rows = (...ids: string[]): DueRow[] => ids.map((id) => ({ tenantId: tenantIds[0]!, id }));
    const queue = nodes.a.app.get(JobRunner).queue<DueRow>({
      name: "test",
      claim: (room) => new Promise((resolve) => claims.push({ room, resolve })),
      lag: LAG,
      concurrency: 4,
      work: (_, { id }) => work[id]!.wait(),
    });
    const claimed = (count: number) => until(async () => claims.length === count, `claim ${count}`);
    const tick = queue.tick();
    claims[0]!.resolve(rows("one", "two"));
    await claimed(2);
    await until(async () => work.one!.begun() && work.two!.begun(), "both rows are worked on");
    work.one!.release();
    await sleep(10);
    // The tenant has two rows of four in progress: the statement left out its third and fourth.
    claims[1]!.resolve([]);
    await claimed(3);
    expect(claims[2]!.room).toMatchObject({ held: [1], free: 3, limit: 2 });
    work.two!.release();
    await sleep(10);
    // The fourth row is beyond the share that the statement saw.
    claims[2]!.resolve(rows("three"));
    await claimed(4);
    work.three!.release();
    claims[3]!.resolve([]);
    await tick;
  });

  test("with a concurrency of one claims a whole batch with one statement", async () => {
    const ids = await due(25);
    const limits: number[] = [];
    const order: string[] = [];
    await queueOn(nodes.a, ({ id }) => Promise.resolve(order.push(id)), {
      concurrency: 1,
      batch: 10,
      claim: ({ limit }) => {
        limits.push(limit);
        return claim(nodes.a, limit);
      },
    }).tick();
    expect(order.toSorted()).toEqual(ids);
    expect(limits).toEqual([10, 10, 10]);
  });
});

describe("a periodic job", () => {
  test("never overlaps with itself, and a caller that requests a run during another waits for that run", async () => {
    const work = blocked();
    const job = nodes.a.app.get(JobRunner).periodic("test", work.wait);
    let ended = 0;
    const ticks = concurrently(5, async () => {
      await job.tick();
      ended++;
    });
    await sleep(20);
    expect([work.begun(), ended]).toEqual([1, 0]);
    work.release();
    await ticks;
    expect([work.begun(), ended]).toEqual([1, 5]);
    await job.tick();
    expect(work.begun()).toBe(2);
  });

  test("that fails runs again at the next tick", async () => {
    let rounds = 0;
    const job = nodes.a.app.get(JobRunner).periodic("test", () => {
      rounds++;
      throw new Error("fails");
    });
    await job.tick();
    await job.tick();
    expect(rounds).toBe(2);
  });
});

describe("work that only one process may do", () => {
  test("leaves all connections to what it does, however many kinds of it run at once", async () => {
    const database = nodes.a.app.get(Database);
    const kinds = nodes.a.app.get(Servers).control.pool.options.max;
    const work = blocked();
    const results = concurrently(kinds, (kind) =>
      database.exclusively(`test ${kind}`, async () => {
        await work.wait();
        return nodes.a.transaction(tenantIds[0]!, (tx) => run(tx, "select 1 as one"));
      }),
    );
    await until(async () => work.begun() === kinds, "all of them have their lock");
    work.release();
    expect(await results).toEqual(Array(kinds).fill([{ one: 1 }]));
  });

  test("may be done by another process once the connection with its lock is lost, and by both of them afterwards", async () => {
    const [a, b] = [nodes.a, nodes.b].map(({ app }) => app.get(Database)) as [Database, Database];
    const work = blocked();
    const first = a.exclusively("test lock", async () => {
      await work.wait();
      return "first";
    });
    await until(async () => work.begun() === 1, "it has its lock");
    expect(await b.exclusively("test lock", () => Promise.resolve("second"))).toBeUndefined();
    await nodes.a.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'parley locks'`,
    );
    await until(() => b.exclusively("test lock", () => Promise.resolve(true)).catch(() => false), "the lock is free");
    work.release();
    expect(await first).toBe("first");
    for (const node of [a, b])
      expect(await node.exclusively("test lock", () => Promise.resolve("later"))).toBe("later");
  });
});

test("a shutdown waits for running work while the database is open, and starts no more work", async () => {
  const node = await startApp({}, nodes.a.db);
  await due(10);
  const work = blocked();
  const queue = queueOn(node, work.wait, { concurrency: 2, batch: 10 });
  const round = blocked();
  const job = node.app.get(JobRunner).periodic("test", async () => {
    await round.wait();
    await node.transaction(tenantIds[0]!, (tx) => run(tx, "select 1"));
  });
  const ticks = [queue.tick(), job.tick()];
  await until(async () => work.begun() === 2 && round.begun(), "both are running");
  let closed = false;
  const closing = node.close().then(() => (closed = true));
  await until(async () => job.stopping && queue.stopping, "both are told to stop");
  await sleep(50);
  expect(closed).toBe(false);
  work.release();
  round.release();
  await Promise.all([closing, ...ticks]);
  expect([work.begun(), round.begun()]).toEqual([2, 1]);
  await queue.tick();
  await job.tick();
  expect([work.begun(), round.begun()]).toEqual([2, 1]);
  expect(await left()).toHaveLength(8);
});
