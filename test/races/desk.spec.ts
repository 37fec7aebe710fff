import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SnoozeJob } from "../../src/conversations/actions/snooze.job.js";
import { keyFor, type TestApp, type TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import type { TestDatabase } from "../support/database.js";
import { newAgent } from "../server/e2e/support.js";
import { type Process, startProcess } from "./processes.js";
import { concurrently, databaseWithDeadlocks, on, startTwo, tally, type TwoNodes, until } from "./support.js";
import { allowTimeForProcesses } from "../server/process/support.js";
import { runs } from "../support/seed.js";
import { WHOLE } from "../support/sweep.js";

allowTimeForProcesses();

let database: TestDatabase;
let nodes: TwoNodes;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  database = await databaseWithDeadlocks();
  nodes = await startTwo({}, database);
  tenant = await nodes.a.tenant();
  owner = await tenant.owner();
  // Records every status change, even a short one, and every change of the resolver.
  await database.query(`create table moves (conversation_id uuid, before text, after text);
    grant all on moves to parley_app;
    create function note_move() returns trigger language plpgsql as $$ begin insert into moves values (new.id, old.status, new.status); return null; end $$;
    create trigger note_move after update on conversation for each row
      when (old.status <> new.status or old.resolved_by is distinct from new.resolved_by) execute function note_move()`);
});
afterAll(() => nodes.close());

const db = () => database;
const node = (n: number): TestApp => [nodes.a, nodes.b][n % 2]!;
const conversation = async (): Promise<string> =>
  (
    await tenant.live.post(
      "/api/conversations",
      { workspaceId: tenant.defaults.workspaceId, contact: {}, message: { body: "Hello" } },
      201,
    )
  ).body.id;
const read = async (id: string) => (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
const wakeUps = async (ids: string[]): Promise<string[]> =>
  (
    await db().query<{ id: string }>(
      `select conversation_id as id from moves where before = 'snoozed' and after = 'open' and conversation_id = any($1) order by 1`,
      [ids],
    )
  ).map(({ id }) => id);

describe("when ten members take over a conversation concurrently on two nodes", () => {
  let members: (Client & { id: string })[];
  beforeAll(async () => {
    members = await Promise.all(Array.from({ length: 10 }, () => newAgent(owner, [tenant.defaults.workspaceId])));
  });
  const takeOver = (id: string, body: object) =>
    concurrently(10, async (n) => ({
      member: members[n]!.id,
      status: (await on(node(n), members[n]!).post(`/api/conversations/${id}/take-over`, body)).status,
    }));

  test("one succeeds and nine get 409", async () => {
    for (let round = 0; round < runs(1, 3); round++) {
      const id = await conversation();
      const answers = await takeOver(id, {});
      expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 9 });
      const winner = answers.find(({ status }) => status === 200)!.member;
      const now = await read(id);
      expect(now).toMatchObject({ handlingMode: "human", assigneeId: winner });
      expect((await takeOver(id, {})).filter(({ status }) => status === 200)).toEqual([
        { member: winner, status: 200 },
      ]);
      expect(await read(id)).toEqual(now);
    }
  });

  test("each succeeds in turn with force, and the last one keeps it", async () => {
    const id = await conversation();
    const answers = await takeOver(id, { force: true });
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 10 });
    expect(members.map((member) => member.id)).toContain((await read(id)).assigneeId);
  });

  test("a key's take-over on behalf of a member competes equally", async () => {
    const id = await conversation();
    const answers = await concurrently(
      10,
      async (n) =>
        (await on(node(n), tenant.live).post(`/api/conversations/${id}/take-over`, { memberId: members[n]!.id }))
          .status,
    );
    expect(tally(answers)).toEqual({ 200: 1, 409: 9 });
  });
});

test("twelve concurrent resolves on two nodes resolve the conversation once, for one caller", async () => {
  const id = await conversation();
  const keys = await Promise.all(Array.from({ length: 3 }, () => keyFor(owner)));
  const answers = await concurrently(
    12,
    async (n) =>
      (
        await on(node(n), keys[n % 3]!).post(`/api/conversations/${id}/resolve`, {
          resolution: (["answered", "spam", "duplicate"] as const)[n % 3],
        })
      ).status,
  );
  expect(tally(answers)).toEqual({ 200: 12 });
  expect(await db().query("select before, after from moves where conversation_id = $1", [id])).toEqual([
    { before: "open", after: "resolved" },
  ]);
  const { resolvedBy, resolution } = await read(id);
  expect(resolution).toBe((["answered", "spam", "duplicate"] as const)[keys.findIndex((key) => key.id === resolvedBy)]);
});

test("concurrent actions and messages of every kind never deadlock and leave a consistent conversation", async () => {
  const id = await conversation();
  const actions: [string, object?][] = [
    ["resolve"],
    ["reopen"],
    ["snooze", { until: "2099-01-01T00:00:00Z" }],
    ["take-over", { force: true }],
    ["release"],
    ["unassign"],
    ["read"],
    ["messages", { body: "in" }],
    ["reply", { body: "out" }],
    ["notes", { body: "note" }],
  ];
  const statuses = await concurrently(40, async (n) => {
    const [action, body] = actions[n % actions.length]!;
    return (await on(node(n), tenant.live).post(`/api/conversations/${id}/${action}`, body)).status;
  });
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  const now = await read(id);
  expect(now.messageCount).toBe(9);
  expect([now.snoozedUntil !== null, now.resolvedAt !== null]).toEqual([
    now.status === "snoozed",
    now.status === "resolved",
  ]);
});

describe("a snooze", () => {
  const snoozed = async (count: number): Promise<string[]> => {
    const ids = await Promise.all(Array.from({ length: count }, conversation));
    await Promise.all(
      ids.map((id) => tenant.live.post(`/api/conversations/${id}/snooze`, { until: "2099-01-01T00:00:00Z" }, 200)),
    );
    return ids.sort();
  };
  /** Makes the snoozes due. */
  const expire = async (ids: string[]): Promise<void> => {
    await db().query(`update conversation set snoozed_until = now() - interval '1 second' where id = any($1)`, [ids]);
    await db().query(`update snooze_due set due_at = now() - interval '1 second' where conversation_id = any($1)`, [
      ids,
    ]);
  };
  const tick = () => Promise.all([0, 1, 2, 3].map(node).map(({ app }) => app.get(SnoozeJob).tick()));
  const due = async (ids: string[]) =>
    (
      await db().query<{ count: number }>(
        "select count(*)::int as count from snooze_due where conversation_id = any($1)",
        [ids],
      )
    )[0]!.count;

  test("ends once when it is due, even if two nodes check at the same moment; snoozes that are not due continue", async () => {
    // More than a node claims of one tenant at once.
    const [ids, later] = [await snoozed(runs(60, 250)), await snoozed(3)];
    const before = await read(ids[0]!);
    await expire(ids);
    // A check takes a share of the rows; the next ones take the rest.
    await until(async () => {
      await tick();
      return (await due(ids)) === 0;
    }, "no snooze is due");
    expect(await wakeUps([...ids, ...later])).toEqual(ids);
    expect([await due(ids), await due(later)]).toEqual([0, 3]);
    const now = await read(ids[0]!);
    expect(now).toMatchObject({ status: "open", snoozedUntil: null, updatedAt: now.lastActivityAt, unreadCount: 1 });
    expect(now.lastActivityAt > before.lastActivityAt).toBe(true);
    expect((await read(later[0]!)).status).toBe("snoozed");
    await tick();
    expect(await wakeUps(ids)).toEqual(ids);
  });

  test("does not end a second time after a message or a resolve ended it, or before its new time if it was moved", async () => {
    const [answered, resolved, moved] = (await snoozed(3)) as [string, string, string];
    await tenant.live.post(`/api/conversations/${answered}/messages`, { body: "Hello?" }, 201);
    await tenant.live.post(`/api/conversations/${resolved}/resolve`, undefined, 200);
    await db().query(`update snooze_due set due_at = now() - interval '1 second' where conversation_id = any($1)`, [
      [answered, resolved, moved],
    ]);
    const before = await Promise.all([answered, resolved, moved].map(read));
    await tick();
    expect(await Promise.all([answered, resolved, moved].map(read))).toEqual(before);
    // Snoozed again while the row of the first snooze still existed.
    await tenant.live.post(`/api/conversations/${moved}/snooze`, { until: "2098-01-01T00:00:00Z" }, 200);
    expect(await due([moved])).toBe(1);
    await expire([moved]);
    await tick();
    expect((await read(moved)).status).toBe("open");
  });

  test("claimed by a process that died is claimed by another process half a minute later", async () => {
    const [id] = (await snoozed(1)) as [string];
    await expire([id]);
    await db().query(
      `update snooze_due set due_at = clock_timestamp() + interval '30 seconds' where conversation_id = $1`,
      [id],
    );
    await tick();
    expect((await read(id)).status).toBe("snoozed");
    await db().query(
      `update snooze_due set due_at = clock_timestamp() - interval '1 millisecond' where conversation_id = $1`,
      [id],
    );
    await tick();
    expect((await read(id)).status).toBe("open");
  });

  test.runIf(WHOLE)("ends once, within a minute, when two processes run", async () => {
    const processes: Process[] = [];
    try {
      await concurrently(2, async () => processes.push(await startProcess(db())));
      const ids = (await Promise.all(Array.from({ length: 20 }, conversation))).sort();
      const time = new Date(Date.now() + 5_000);
      await Promise.all(
        ids.map((id) => tenant.live.post(`/api/conversations/${id}/snooze`, { until: time.toISOString() }, 200)),
      );
      await until(async () => (await wakeUps(ids)).length >= 20, "all are awake");
      expect(await wakeUps(ids)).toEqual(ids);
      const woken = await Promise.all(ids.map(read));
      for (const { status, lastActivityAt } of woken) {
        expect(status).toBe("open");
        expect(Date.parse(lastActivityAt) - time.getTime()).toBeGreaterThanOrEqual(0);
      }
    } finally {
      for (const one of processes) await one.stop();
    }
  });
});
