import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { REMOVE_WEBHOOK_DELIVERIES } from "../../../src/maintenance/retention.queries.js";
import { Servers } from "../../../src/platform/database/servers.js";
import { on, until } from "../../races/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { freshDatabase, type TestDatabase, connect } from "../../support/database.js";
import { eventTimes, insertEvents, newPlace, type Place } from "./support.js";
import { run } from "../../support/sql.js";

let db: TestDatabase;
let app: TestApp;
let other: TestApp;
let tenant: TestTenant;
let owner: Client;
/** The sweep as the migration created it. */
let sweep: string;

beforeAll(async () => {
  db = await freshDatabase();
  // Far from UTC, where the month differs for half of the day.
  await db.query(
    `do $$ begin execute format('alter database %I set timezone = ''Pacific/Kiritimati''', current_database()); end $$`,
  );
  app = await startApp({}, db);
  other = await startApp({ DATABASE_POOL_SIZE: 2 }, db);
  tenant = await app.tenant();
  owner = await tenant.owner();
  sweep = (await db.query<{ text: string }>(`select pg_get_functiondef('sweep_identity_events'::regproc) as text`))[0]!
    .text;
});
afterAll(async () => {
  await other.close();
  await app.close();
  await db.drop();
});

/** Does the work with the sweep's clock, and no other clock, set to this time. */
async function at(clock: string, work: () => Promise<unknown>): Promise<void> {
  if (!sweep.includes("now()")) throw new Error("the sweep asks another clock than now(); this test has to move it");
  await db.query(sweep.replaceAll("now()", `timestamptz '${clock}'`));
  try {
    await work();
  } finally {
    await db.query(sweep);
  }
}
const runAt = (clock: string): Promise<void> => at(clock, () => app.app.get(DailyService).runNow());
/** What the daily task asks of the database for the workspaces, without everything else that it does. */
const sweepAt = (clock: string, ...places: Place[]): Promise<void> =>
  at(clock, () =>
    app.transaction(tenant.tenantId, async (tx) => {
      for (const where of places)
        await run(tx, "select removed from sweep_identity_events(:tenantId, :workspaceId, '-infinity', 5000)", where);
    }),
  );
async function place(months: number): Promise<Place> {
  const { id } = (
    await owner.post("/api/workspaces", { name: `${months} months`, brandId: tenant.defaults.brandId }, 201)
  ).body;
  await db.query("update workspace set identity_retention_months = $2 where id = $1", [id, months]);
  return newPlace(tenant.live, id);
}
const SECOND = 1_000;
const shifted = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();

/**
 * The time when an event is due: the same day and time of day that many months later, or the last day of a shorter
 * month.
 */
function dueAt(occurredAt: string, months: number): string {
  const date = new Date(occurredAt);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(
    Date.UTC(year, month, Math.min(date.getUTCDate(), last)) + (date.getTime() % 86_400_000),
  ).toISOString();
}

describe("an identity event", () => {
  // If the month has no such day, its last day.
  test.each([
    [3, "2026-05-15T12:00:00.000Z", "2026-08-15T12:00:00.000Z"],
    [3, "2026-01-31T15:00:00.000Z", "2026-04-30T15:00:00.000Z"],
    [13, "2026-01-31T01:00:00.000Z", "2027-02-28T01:00:00.000Z"],
    [25, "2026-01-31T23:59:59.999Z", "2028-02-29T23:59:59.999Z"],
    [48, "2024-02-29T06:00:00.000Z", "2028-02-29T06:00:00.000Z"],
    [3, "2026-11-30T23:59:59.000Z", "2027-02-28T23:59:59.000Z"],
    [3, "2027-11-30T00:00:00.000Z", "2028-02-29T00:00:00.000Z"],
    [3, "2027-02-28T10:30:00.000Z", "2027-05-28T10:30:00.000Z"],
    [24, "2026-11-20T04:00:00.000Z", "2028-11-20T04:00:00.000Z"],
    [24, "2024-02-29T12:00:00.000Z", "2026-02-28T12:00:00.000Z"],
    [84, "2020-02-29T13:00:00.000Z", "2027-02-28T13:00:00.000Z"],
    [84, "2019-12-31T23:59:59.999Z", "2026-12-31T23:59:59.999Z"],
  ])("kept for %i months, of %s, exists until %s and is deleted then", async (months, occurredAt, due) => {
    const where = await place(months);
    const younger = shifted(occurredAt, 2 * SECOND);
    await insertEvents(db, where, [occurredAt, younger]);
    await sweepAt(shifted(due, -SECOND), where);
    expect(await eventTimes(tenant.live, where)).toEqual([occurredAt, younger]);
    for (const clock of [due, shifted(due, SECOND)]) {
      await sweepAt(clock, where);
      expect([clock, await eventTimes(tenant.live, where)]).toEqual([clock, [younger]]);
    }
    await sweepAt(shifted(due, 2 * SECOND), where);
    expect(await eventTimes(tenant.live, where)).toEqual([]);
  });

  test("from any of the last days of a long month is due on the last day of a short month, in the order of their times", async () => {
    const where = await place(3);
    const days = [
      "2026-11-28T20:00:00.000Z",
      "2026-11-29T10:00:00.000Z",
      "2026-11-30T08:00:00.000Z",
      "2026-12-01T00:00:00.000Z",
    ];
    await insertEvents(db, where, days);
    const left: [string, string[]][] = [
      ["2027-02-28T07:59:59Z", days],
      ["2027-02-28T08:00:01Z", [days[0]!, days[1]!, days[3]!]],
      ["2027-02-28T10:00:01Z", [days[0]!, days[3]!]],
      ["2027-02-28T20:00:01Z", [days[3]!]],
      ["2027-02-28T23:59:59Z", [days[3]!]],
      ["2027-03-01T00:00:01Z", []],
    ];
    for (const [clock, expected] of left) {
      await runAt(clock);
      expect([clock, await eventTimes(tenant.live, where)]).toEqual([clock, expected]);
    }
  });

  test("of any time is kept to the exact second of its calendar period, for any number of months", async () => {
    const clocks = [
      "2027-02-28T12:00:00.000Z",
      "2028-02-29T00:00:00.000Z",
      "2028-03-01T00:00:00.000Z",
      "2026-04-30T23:59:59.999Z",
      "2026-07-31T03:00:00.000Z",
      "2027-01-01T00:00:00.000Z",
    ];
    const DAY = 86_400_000;
    // Around the day that many months before each clock, including every last day of a month, and a second on either side.
    const around = (clock: string, months: number): string[] => {
      const back = new Date(clock);
      const month = back.getUTCMonth() - months;
      return Array.from({ length: 9 }, (_, n) => n - 4).flatMap((days) =>
        [-SECOND, 0, SECOND].map((ms) =>
          new Date(
            Date.UTC(back.getUTCFullYear(), month, 1) +
              (Date.parse(clock) % DAY) +
              (back.getUTCDate() - 1 + days) * DAY +
              ms,
          ).toISOString(),
        ),
      );
    };
    const kept: { where: Place; months: number; times: string[] }[] = [];
    for (const months of [3, 4, 13, 24, 47, 84]) {
      const where = await place(months);
      const times = [...new Set(clocks.flatMap((clock) => around(clock, months)))].sort();
      await insertEvents(db, where, times);
      kept.push({ where, months, times });
    }
    for (const clock of [...clocks].sort()) {
      await sweepAt(clock, ...kept.map(({ where }) => where));
      for (const { where, months, times } of kept) {
        const left = await db.query<{ time: Date }>(
          "select occurred_at as time from identity_event where conversation_id = $1 order by 1",
          [where.conversationId],
        );
        expect([clock, months, left.map(({ time }) => time.toISOString())]).toEqual([
          clock,
          months,
          times.filter((occurredAt) => Date.parse(dueAt(occurredAt, months)) > Date.parse(clock)),
        ]);
      }
    }
  });

  test("is kept for its own workspace's period, on each side of each tenant, by the real clock", async () => {
    const places = [
      await place(3),
      await place(24),
      await place(84),
      await newPlace(tenant.live, tenant.defaults.workspaceId),
      await newPlace(tenant.test, tenant.testDefaults.workspaceId),
    ];
    const [{ times }] = (await db.query<{ times: Date[] }>(
      `select array(select clock_timestamp() - make_interval(months => m, days => d) from unnest(array[3, 24, 84]) as m, unnest(array[5, -5]) as d) as times`,
    )) as [{ times: Date[] }];
    for (const where of places) await insertEvents(db, where, times);
    await app.app.get(DailyService).runNow();
    const left = [];
    for (const [index, where] of places.entries())
      left.push((await eventTimes(index === 4 ? tenant.test : tenant.live, where)).length);
    // Six events: on either side of 3, 24 and 84 months. The default is 24.
    expect(left).toEqual([1, 3, 5, 3, 3]);
  });

  test("is deleted in the same run as all others that are due, across any number of batches", async () => {
    const where = await place(3);
    await insertEvents(db, where, [new Date()]);
    await db.query(
      `insert into identity_event (tenant_id, id, workspace_id, conversation_id, event_type, scope_dimension, scope_values, transition_key, occurred_at)
      select $1, gen_random_uuid(), $2, $3, 'ani_blocked', 'caller_ani', '["+4930901820"]', 'old ' || n, now() - interval '1 year' - n * interval '1 second' from generate_series(1, 12001) n`,
      [where.tenantId, where.workspaceId, where.conversationId],
    );
    expect(await app.app.get(DailyService).runNow()).toMatchObject({ identityEvents: 12_001 });
    expect(await eventTimes(tenant.live, where)).toHaveLength(1);
  });

  test("cannot be changed or deleted by the application in any other way", async () => {
    const where = await place(3);
    await insertEvents(db, where, [new Date(Date.now() - 80 * 86_400_000)]);
    const asApplication = (sql: string) =>
      app.transaction(tenant.tenantId, (tx) => run<{ removed: number }>(tx, sql, where));
    for (const sql of [
      "delete from identity_event where tenant_id = :tenantId",
      `update identity_event set occurred_at = '2000-01-01' where tenant_id = :tenantId`,
      "truncate identity_event",
    ]) {
      await expect(asApplication(sql), sql).rejects.toThrow(/permission denied/);
    }
    expect(
      await asApplication(`select removed from sweep_identity_events(:tenantId, :workspaceId, '-infinity', 5000)`),
    ).toEqual([{ removed: 0 }]);
    expect(await eventTimes(tenant.live, where)).toHaveLength(1);
    expect(
      await db.query(
        `select from pg_proc where proname in ('sweep_identity_events', 'purge_workspace', 'move_identity_events', 'purge_identity_events') and has_function_privilege('public', oid, 'execute')`,
      ),
    ).toEqual([]);
  });
});

describe("the daily run", () => {
  const due = (node: TestApp) => node.app.get(DailyService).runIfDue();
  /** The start of the last completed run. */
  const lastRun = async (): Promise<Date | undefined> =>
    (await db.query<{ started_at: Date }>("select started_at from job_run"))[0]?.started_at;
  const pretend = (began: string) =>
    db.query(`insert into job_run (name, started_at, finished_at, result) values ('daily', ${began}, now(), '{}')
    on conflict (name) do update set started_at = excluded.started_at`);
  /** The most recent 03:00 UTC. */
  const NIGHT = `(date_bin('1 day', now(), timestamptz '2000-01-01 03:00:00Z'))`;
  beforeEach(() => db.query("delete from job_run"));

  test("happens once if two nodes start it concurrently, and not again that night", async () => {
    const reports = await Promise.all([due(app), due(other), due(app), due(other)]);
    expect(reports.filter(Boolean)).toHaveLength(1);
    const first = await lastRun();
    expect([await due(app), await due(other)]).toEqual([undefined, undefined]);
    expect(await lastRun()).toEqual(first);
  });

  test("is skipped by a node that found it due but gets its lock only after another node has completed it", async () => {
    const { locks } = other.app.get(Servers);
    const taken = await Promise.all(Array.from({ length: locks.options.max }, () => locks.connect()));
    try {
      const late = due(other);
      await until(() => Promise.resolve(locks.waitingCount === 1), "the node waits for a connection");
      expect(await due(app)).toBeDefined();
      taken.pop()!.release();
      expect(await late).toBeUndefined();
    } finally {
      for (const client of taken) client.release();
    }
  });

  test("is due if the last one began before 03:00 UTC, and not if it began then or later", async () => {
    await pretend(`${NIGHT} - interval '1 millisecond'`);
    expect(await due(app)).toBeDefined();
    await pretend(NIGHT);
    expect(await due(app)).toBeUndefined();
    await pretend(`now() - interval '1 day'`);
    expect(await due(app)).toBeDefined();
  });

  test("is not started by a second node while one runs it; after a crash, the other node completes it", async () => {
    const where = await place(3);
    const old = ["2020-01-01T00:00:00.000Z", "2020-01-02T00:00:00.000Z"];
    await insertEvents(db, where, old);
    const lock = await connect(db.url);
    try {
      await lock.query("begin");
      await lock.query("select from identity_event where workspace_id = $1 for update", [where.workspaceId]);
      const cutOff = due(app).catch((error: unknown) => error);
      const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await until(() => db.query(waiting), "the run waits for the lock");
      expect(await due(other)).toBeUndefined();
      // A crash, as the database sees it: every connection of the run is closed.
      await db.query(`select pg_terminate_backend(pid, 100000) from pg_stat_activity where datname = current_database()
        and (pid in (${waiting}) or pid in (select pid from pg_locks where locktype = 'advisory' and granted))`);
      expect(await cutOff).toBeInstanceOf(Error);
    } finally {
      await lock.end();
    }
    expect(await lastRun()).toBeUndefined();
    expect(await eventTimes(tenant.live, where)).toEqual(old);
    expect(await due(other)).toMatchObject({ identityEvents: 2 });
    expect(await eventTimes(on(other, tenant.live), where)).toEqual([]);
  });

  test("looks for old webhooks only among what no channel sends, however many replies were sent", async () => {
    const side = tenant.tenantId;
    await db.query(
      `insert into outbox_message (tenant_id, id, kind, channel, channel_id, status, sealed, created_at)
      select $1, gen_random_uuid(), 'reply', 'email', $2, 'sent', '', now() - make_interval(days => 60, secs => n)
      from generate_series(1, 20000) n`,
      [side, (await db.query<{ id: string }>("select id from channel where tenant_id = $1 limit 1", [side]))[0]!.id],
    );
    try {
      await db.query("analyze outbox_message");
      const explained = {
        ...REMOVE_WEBHOOK_DELIVERIES,
        name: "test retention.explained",
        text: `explain (analyze, costs off, timing off) ${REMOVE_WEBHOOK_DELIVERIES.text}`,
      };
      const plan = await app.transaction(side, (tx) => tx.query(explained, { keptFor: "30 days", batch: 500 }));
      const passed = [...JSON.stringify(plan).matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) =>
        Number(rows),
      );
      expect(passed.filter((rows) => rows > 1_000)).toEqual([]);
    } finally {
      await db.query("delete from outbox_message where tenant_id = $1", [side]);
    }
  });

  test("deletes the stored responses of retried requests after a day, not before", async () => {
    const { conversationId } = await newPlace(tenant.live, tenant.defaults.workspaceId);
    const send = (key: string) =>
      tenant.live.post(`/api/conversations/${conversationId}/notes`, { body: key }, 201, {
        headers: { "Idempotency-Key": key },
      });
    const age = (hours: number) =>
      db.query(
        `update idempotency_key set created_at = now() - make_interval(mins => $1) where created_at > now() - interval '1 hour'`,
        [hours * 60],
      );
    await send("old");
    await age(26);
    const kept = await send("kept");
    await age(24);
    expect(await due(app)).toMatchObject({ idempotencyKeys: 1 });
    expect((await send("kept")).text).toBe(kept.text);
    expect((await send("old")).headers.get("Idempotency-Replayed")).toBeNull();
  });
});
