import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AssistantJob } from "../../../src/assistant/assistant.job.js";
import { RETURN } from "../../../src/assistant/runs.queries.js";
import { SnoozeJob } from "../../../src/conversations/actions/snooze.job.js";
import { ClockWatch } from "../../../src/platform/jobs/clock-watch.js";
import { STATEMENTS } from "../../../src/platform/database/statements.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { wasAheadFor } from "../../support/clock.js";
import { connect } from "../../support/database.js";
import { eventually } from "../../support/eventually.js";
import { ENTRIES, outcomesOf, teach } from "../assistant/support.js";
import { start } from "../e2e/support.js";

// The clock of PostgreSQL was an hour ahead, and is right again. What was written meanwhile comes back by itself.

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  tenant = await app.tenant();
});
afterAll(() => app.close());

const look = (): Promise<void> => app.app.get(ClockWatch).tick();

/** The tables of all queues, by the statements that say how late they are. Another file may have a queue of its own on one of them. */
const queues = (): string[] => {
  const tables = [...STATEMENTS].flatMap(([name, { text }]) =>
    name.endsWith(".lag") ? (/ from (\w+) q\s/.exec(text)?.[1] ?? []) : [],
  );
  return [...new Set(tables)];
};

/** A row of any queue, of a tenant that does not exist. Each column has some value of its type. */
const A_ROW = (table: string, due: string): string => `
  insert into ${table} select (jsonb_populate_record(null::${table}, (
    select jsonb_object_agg(a.attname, case
      when a.attname = 'due_at' then to_jsonb(clock_timestamp() + interval '${due}')
      when a.atttypid = 'uuid'::regtype then to_jsonb(gen_random_uuid())
      when a.atttypid = 'timestamptz'::regtype then to_jsonb(clock_timestamp())
      when a.atttypid = 'boolean'::regtype then to_jsonb(false)
      when a.atttypid = 'jsonb'::regtype then '{}'
      when a.atttypid = 'text'::regtype then to_jsonb('x'::text)
      else to_jsonb(1) end)
    from pg_attribute a where a.attrelid = '${table}'::regclass and a.attnum > 0 and not a.attisdropped))).*`;

test("rows of every queue do, by as much as the clock went back, and once; what is due soon or never stays", async () => {
  const tables = queues();
  expect(tables.length).toBeGreaterThan(15);
  const owner = await connect(app.db.url);
  const dueIn = async (table: string): Promise<(number | null)[]> =>
    (
      await owner.query<{ at: number | null }>(
        `select case when due_at < 'infinity' then extract(epoch from due_at)::float8 end as at from ${table} order by due_at`,
      )
    ).rows.map(({ at }) => at);
  try {
    // The rows refer to nothing.
    await owner.query("set session_replication_role = replica");
    for (const table of tables)
      for (const due of ["2 minutes 50 seconds", "1 hour 5 minutes", "3 hours", "infinity"])
        await owner.query(A_ROW(table, due));
    const before: (number | null)[][] = [];
    for (const table of tables) before.push(await dueIn(table));
    await wasAheadFor(app, "1 hour");
    await look();
    await look();
    for (const [n, table] of tables.entries()) {
      const after = await dueIn(table);
      // Time went on between the two looks, so the clock seems to have gone back by a little less.
      const earlier = before[n]!.map((at, row) => (at === null ? after[row] : Math.round((at - after[row]!) / 60)));
      expect({ table, earlier }).toEqual({ table, earlier: [0, 60, 60, null] });
    }
  } finally {
    for (const table of tables) await owner.query(`delete from ${table}`);
    await owner.end();
  }
});

test("what a transaction writes that began while the clock was ahead does, too", async () => {
  const [owner, late] = [await connect(app.db.url), await connect(app.db.url)];
  try {
    await late.query("set session_replication_role = replica");
    await late.query("begin");
    await late.query(A_ROW("outbox_queue", "1 hour"));
    await wasAheadFor(app, "1 hour", null);
    await look();
    await late.query("commit");
    // Every process looks every two seconds.
    await look();
    await owner.query(`update job_run set result = jsonb_build_object('seenBackAt',
      (result ->> 'seenBackAt')::timestamptz - interval '11 seconds') where name = 'clock'`);
    await look();
    const { rows } = await owner.query(
      "select due_at <= clock_timestamp() + interval '1 minute' as soon from outbox_queue",
    );
    expect(rows).toEqual([{ soon: true }]);
  } finally {
    await owner.query("delete from outbox_queue");
    await Promise.all([owner.end(), late.end()]);
  }
});

test("a message that was queued while the clock was ahead waits as long as it does", async () => {
  const owner = await connect(app.db.url);
  try {
    await owner.query("set session_replication_role = replica");
    await owner.query(A_ROW("outbox_queue", "0 seconds"));
    const waits = async (): Promise<number> =>
      (
        await owner.query<{ minutes: number }>(
          "select round(extract(epoch from clock_timestamp() - waiting_since) / 60)::int as minutes from outbox_queue",
        )
      ).rows[0]!.minutes;
    await owner.query("update outbox_queue set waiting_since = clock_timestamp() + interval '50 minutes'");
    await wasAheadFor(app, "1 hour");
    await look();
    expect(await waits()).toBe(10);
    // What waited before is left as it is.
    await wasAheadFor(app, "1 hour");
    await look();
    expect(await waits()).toBe(10);
  } finally {
    await owner.query("delete from outbox_queue");
    await owner.end();
  }
});

test("a lease of a mailbox whose process died ends", async () => {
  const owner = await connect(app.db.url);
  try {
    await owner.query("set session_replication_role = replica");
    await owner.query(
      "insert into mailbox_lease values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now() + interval '1 hour')",
    );
    await wasAheadFor(app, "1 hour");
    await look();
    const { rows } = await owner.query("select held_until <= clock_timestamp() as ended from mailbox_lease");
    expect(rows).toEqual([{ ended: true }]);
  } finally {
    await owner.query("delete from mailbox_lease");
    await owner.end();
  }
});

/** As if the runs had been queued while the clock was ahead. */
const queuedAhead = async (): Promise<void> => {
  await app.db.query("update assistant_due set due_at = due_at + interval '1 hour'");
  await app.db.query("update assistant_run set created_at = created_at + interval '1 hour' where outcome is null");
};

test("a run of the assistant does", async () => {
  await teach(tenant.live, tenant.defaults.workspaceId);
  const { id } = await start(tenant.live, tenant.defaults.workspaceId, { message: { body: ENTRIES.parcel.question } });
  await queuedAhead();
  await wasAheadFor(app, "1 hour");
  await look();
  // In a second, as every run.
  await eventually(async () => {
    await app.app.get(AssistantJob).tick();
    expect(await outcomesOf(tenant.live, id)).toEqual(["answered"]);
  });
});

test("a run does not wait for an hour because another one of the conversation has ended", async () => {
  const { id: conversationId } = await start(tenant.live, tenant.defaults.workspaceId, { message: { body: "Hello?" } });
  await queuedAhead();
  await app.transaction(tenant.tenantId, (tx) => tx.query(RETURN, { conversationId, waitSeconds: 1 }));
  const due =
    "select due_at <= clock_timestamp() + interval '1 second' as soon from assistant_due where conversation_id = $1";
  expect(await app.db.query(due, [conversationId])).toEqual([{ soon: true }]);
});

test("a snooze that is looked at too early ends when it should", async () => {
  const { id } = await start(tenant.live, tenant.defaults.workspaceId);
  await tenant.live.post(`/api/conversations/${id}/snooze`, { until: "2099-01-01T00:00:00Z" }, 200);
  await app.db.query("update snooze_due set due_at = now() - interval '1 second'");
  await app.app.get(SnoozeJob).tick();
  const due = "select due_at from snooze_due where conversation_id = $1";
  expect(await app.db.query(due, [id])).toEqual([{ due_at: new Date("2099-01-01T00:00:00Z") }]);
  await app.db.query("update conversation set snoozed_until = now() - interval '1 second' where id = $1", [id]);
  await app.db.query("update snooze_due set due_at = now() - interval '1 second'");
  await app.app.get(SnoozeJob).tick();
  expect((await tenant.live.get(`/api/conversations/${id}`, 200)).body.status).toBe("open");
  expect(await app.db.query(due, [id])).toEqual([]);
});
