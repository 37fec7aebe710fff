import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowCounts, tablesWith } from "../races/support.js";
import { eventTimes, insertEvents, newPlace, type Place } from "../server/maintenance/support.js";
import { SECRET_KEY, startApp, type TestApp } from "../support/app.js";
import {
  allowTimeForProcesses,
  cleanUp,
  parleyHere,
  type Run,
  startCommand,
  until,
} from "../server/process/support.js";
import { connect } from "../support/database.js";

allowTimeForProcesses();

// Kills `parley sweep` with kill -9 in the middle of a deletion and of a reconciliation.

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await cleanUp();
  await app.close();
});

const settings = () => ({ DATABASE_URL: app.db.url, SECRET_KEY });
async function sweep(): Promise<{ leftovers: Record<string, number> }> {
  const { code, stdout, stderr } = await parleyHere(["sweep"], settings());
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as { leftovers: Record<string, number> };
}
const runs = (): Promise<unknown[]> => app.db.query("select started_at from job_run");

/** Starts a sweep, and kills it while it waits for rows locked by `lock`. Its open transaction is rolled back. */
async function killWhere(lock: string, values: unknown[], query: string): Promise<Run> {
  const holder = await connect(app.db.url);
  try {
    await holder.query("begin");
    await holder.query(lock, values);
    const run = startCommand(["sweep"], settings());
    const waiting = (): Promise<{ pid: number }[]> =>
      app.db.query<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike '%${query}%'`,
      );
    const [{ pid }] = (await until(
      async () => {
        const rows = await waiting();
        return rows.length > 0 && rows;
      },
      () => `the sweep waits in ${query}: ${JSON.stringify(run.output())}`,
    )) as [{ pid: number }];
    expect((await run.end("SIGKILL")).signal).toBe("SIGKILL");
    await holder.query("rollback");
    // The database notices the kill when it tries to answer.
    await until(
      async () => !(await app.db.query("select from pg_stat_activity where pid = $1", [pid])).length,
      () => "the database has noticed",
    );
    return run;
  } finally {
    await holder.end();
  }
}

async function insertOld({ tenantId, workspaceId, conversationId }: Place, count: number): Promise<void> {
  await app.db.query(
    `insert into identity_event (tenant_id, id, workspace_id, conversation_id, event_type, scope_dimension, scope_values, transition_key, occurred_at)
    select $1, gen_random_uuid(), $2, $3, 'ani_blocked', 'caller_ani', '["+4930901820"]', gen_random_uuid()::text, now() - interval '3 years' + n * interval '1 second' from generate_series(1, $4::int) n`,
    [tenantId, workspaceId, conversationId, count],
  );
}
const eventsOf = async ({ conversationId }: Place): Promise<number> =>
  (
    await app.db.query<{ count: number }>(
      "select count(*)::int as count from identity_event where conversation_id = $1",
      [conversationId],
    )
  )[0]!.count;

describe("a killed sweep", () => {
  test("between two batches keeps what it deleted; the next one deletes exactly the rest", async () => {
    const tenant = await app.tenant();
    const [due, young] = [
      await newPlace(tenant.live, tenant.defaults.workspaceId),
      await newPlace(tenant.test, tenant.testDefaults.workspaceId),
    ];
    await insertOld(due, 12_001);
    const kept = [new Date(Date.now() - 86_400_000).toISOString(), new Date(Date.now() - 60_000).toISOString()];
    await insertEvents(app.db, due, kept);
    await insertEvents(app.db, young, kept);
    const others = async (): Promise<Record<string, number>> => {
      const {
        identity_event: _,
        job_run: __,
        audit_entry: ___,
        resource_change: ____,
        ...rest
      } = await rowCounts(app.db);
      return rest;
    };
    const before = await others();

    // The sweep waits for row 6,001, in the second batch of 5,000.
    await killWhere(
      `select from identity_event where id = (select id from identity_event where conversation_id = $1 and occurred_at < now() - interval '2 years' order by occurred_at offset 6000 limit 1) for update`,
      [due.conversationId],
      "sweep_identity_events",
    );
    expect(await eventsOf(due)).toBe(7_001 + kept.length);
    expect((await eventTimes(tenant.live, due)).slice(-kept.length)).toEqual(kept);
    expect(await runs(), "a run that did not end is no run").toEqual([]);

    expect(await sweep()).toMatchObject({ identityEvents: 7_001 });
    expect(await eventTimes(tenant.live, due)).toEqual(kept);
    expect(await eventTimes(tenant.test, young)).toEqual(kept);
    expect(await others()).toEqual(before);
    expect(await runs()).toHaveLength(1);
    expect(await sweep()).toMatchObject({ identityEvents: 0 });
  });

  test("in the middle of a reconciliation leaves the rest to the next one, which reports exactly what it erases", async () => {
    await app.db.query("delete from job_run");
    // More tombstones than one transaction of the reconciliation handles, with remaining data of the first and the
    // last.
    const tenant = await app.tenant();
    const people: { id: string; conversationId: string }[] = [];
    for (let n = 0; n < 3; n++) {
      const {
        body: { id: conversationId, contactId: id },
      } = await tenant.live.post(
        "/api/conversations",
        { workspaceId: tenant.defaults.workspaceId, contact: { name: `remnant-${n}` }, message: { body: "Hello" } },
        201,
      );
      people.push({ id, conversationId });
    }
    const [first, , last] = people.sort((a, b) => (a.id < b.id ? -1 : 1)) as [
      (typeof people)[0],
      (typeof people)[0],
      (typeof people)[0],
    ];
    for (const { id } of people) await tenant.live.post(`/api/contacts/${id}/erasure`, undefined, 200);
    // The 400 ids that follow the first one: they lie before the last one even if both are of the same millisecond.
    const tail = Number.parseInt(first.id.slice(24), 16);
    await app.db.query(
      `insert into erased_contact (tenant_id, id, erasure_id) select tenant_id, overlay(id::text placing lpad(to_hex($2::bigint + n), 12, '0') from 25)::uuid, erasure_id from erased_contact, generate_series(1, 400) n where id = $1`,
      [first.id, tail],
    );
    await app.db.query(`update contact set erased_at = null, name = 'remnant' where id = any($1)`, [
      [first.id, last.id],
    ]);
    expect(await tablesWith(app.db, "remnant")).toEqual({
      contact: 2,
      directory_entry: 2,
      search_entry: 2,
      search_word: 1,
    });

    // PostgreSQL shows the first 1,024 characters of a statement.
    await killWhere("select from contact where id = $1 for update", [last.id], `select "contact"`);
    expect(
      await app.db.query("select id from contact where name is not null and id = any($1)", [
        people.map(({ id }) => id),
      ]),
    ).toEqual([{ id: last.id }]);
    expect(await runs()).toEqual([]);
    expect((await sweep()).leftovers).toMatchObject({ contacts: 1 });
    expect(await tablesWith(app.db, "remnant")).toEqual({});
    const { leftovers } = await sweep();
    expect(
      Object.values(leftovers).every((n) => n === 0),
      JSON.stringify(leftovers),
    ).toBe(true);
  });
});
