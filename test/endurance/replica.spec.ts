import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Metrics } from "../../src/platform/metrics/metrics.js";
import { SECRET_KEY, startApp, type TestApp, type TestTenant } from "../support/app.js";
import { startCluster, type TestCluster, WITHOUT_POSTGRES } from "../support/cluster.js";
import { connect, openedDatabase, type TestDatabase } from "../support/database.js";
import { eventually } from "../support/eventually.js";
import { start } from "../server/e2e/support.js";
import { pack, packedPast } from "../server/quality/packed-days.js";
import { allowTimeForProcesses, parleyHere } from "../server/process/support.js";

allowTimeForProcesses();

// A real standby that streams. It is held back where a test wants to see that it is read, or that it is not.

describe.skipIf(WITHOUT_POSTGRES)(`reads that may be some seconds old${WITHOUT_POSTGRES}`, () => {
  let primary: TestCluster;
  let standby: TestCluster;
  let db: TestDatabase;
  let app: TestApp;
  let tenant: TestTenant;
  let conversationId: string;
  const written: string[] = [];
  const onStandby = async (sql: string): Promise<Record<string, unknown>[]> => {
    const client = await connect(standby.url("postgres", "parley"));
    try {
      return (await client.query(sql)).rows as Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };
  const lag = async (): Promise<number | undefined> => {
    const text = await app.app.get(Metrics).text();
    const value = /^parley_db_replica_lag_seconds (\S+)$/m.exec(text)?.[1];
    return value === undefined ? undefined : Number(value);
  };
  /** Runs `work` while the standby replays nothing. A pause that was asked for may still let a record through. */
  const heldBack = async (work: () => Promise<void>): Promise<void> => {
    await onStandby("select pg_wal_replay_pause()");
    try {
      await eventually(async () =>
        expect(await onStandby("select pg_get_wal_replay_pause_state() as state")).toEqual([{ state: "paused" }]),
      );
      await work();
    } finally {
      await onStandby("select pg_wal_replay_resume()");
    }
  };
  /**
   * Runs `work` while the standby replays nothing, and again until it passes: each minute, after another process has ended, and after a slow
   * answer of the standby, a server reads from the primary for a while. `work` gets a new word each time.
   */
  const readWhileHeldBack = (work: (word: string) => Promise<void>): Promise<void> => {
    let times = 0;
    return eventually(() => heldBack(() => work(`zebra${++times}`)));
  };
  /** Until what was written so far is there, and the server knows it. */
  const caughtUp = (): Promise<void> => {
    const began = performance.now();
    return eventually(async () => {
      const [{ lsn }] = (await db.query("select pg_current_wal_lsn()::text as lsn")) as [{ lsn: string }];
      expect(await onStandby(`select pg_last_wal_replay_lsn() >= '${lsn}'::pg_lsn as there`)).toEqual([
        { there: true },
      ]);
      expect(await lag()).toBeLessThan((performance.now() - began) / 1_000);
    });
  };
  /** How many conversations a search for this word finds. */
  const found = async (word: string, live = tenant.live): Promise<number> =>
    (await live.post("/api/conversations/search", { query: word }, 200)).body.data.length;

  /** A change of one workspace, which the standby may lack. */
  const write = async (body: string): Promise<void> => {
    written.push(body);
    await tenant.live.post(`/api/conversations/${conversationId}/reply`, { body }, 200);
  };

  beforeAll(async () => {
    primary = await startCluster();
    const admin = await connect(primary.url("postgres"));
    await admin.query("create role parley login superuser password 'parley'");
    await admin.query("create database parley owner parley");
    await admin.end();
    const url = primary.url("parley", "parley");
    db = openedDatabase(`cluster_${primary.port}`, url, url);
    expect(await parleyHere(["migrate"], { DATABASE_URL: url, SECRET_KEY })).toMatchObject({ code: 0 });
    standby = await primary.standby();
    const DATABASE_REPLICA_URL = standby.url("parley", "parley");
    app = await startApp(
      { DATABASE_APP_URL: undefined, DATABASE_REPLICA_URL, DATABASE_REPLICA_MAX_LAG_SECONDS: 3_600 },
      db,
    );
    tenant = await app.tenant();
    ({ id: conversationId } = await start(tenant.live, tenant.defaults.workspaceId, { message: { body: "giraffe" } }));
    await caughtUp();
  });
  afterAll(async () => {
    await app.close();
    await db.drop();
    await standby.remove();
    await primary.remove();
  });

  test("go to the standby: a search does not find what it does not have yet, and a list does", async () => {
    await eventually(async () => expect(await found("giraffe")).toBe(1));
    await readWhileHeldBack(async (word) => {
      await write(word);
      expect(await found(word)).toBe(0);
      const { body } = await tenant.live.get(`/api/conversations/${conversationId}/messages`, 200);
      expect(JSON.stringify(body)).toContain(word);
    });
    await caughtUp();
    await eventually(async () => expect(await found(written.at(-1)!)).toBe(1));
  });

  test("never show who was erased, however far it is behind", async () => {
    const { contactId } = await start(tenant.live, tenant.defaults.workspaceId, { message: { body: "okapi" } });
    await caughtUp();
    await eventually(async () => expect(await found("okapi")).toBe(1));
    await heldBack(async () => {
      await tenant.live.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
      expect(await found("okapi")).toBe(0);
      await (await tenant.owner()).get(`/api/contacts/${contactId}/export`, 404);
    });
    await caughtUp();
  });

  test("count packed days as the primary does, and as before while the standby lacks a change and what was packed since", async () => {
    const { figures, label } = await packedPast(app, tenant, db.query);
    await caughtUp();
    const primaryApp = await startApp({ DATABASE_APP_URL: undefined }, db);
    try {
      const current = primaryApp.client(tenant.live.token);
      expect(await figures(tenant.live)).toEqual(await figures(current));
      let before: unknown;
      await readWhileHeldBack(async (word) => {
        before = await figures(tenant.live);
        await label(word);
        await pack(app);
        expect(await figures(tenant.live)).toEqual(before);
      });
      await caughtUp();
      const after = await figures(current);
      expect(after).not.toEqual(before);
      await eventually(async () => expect(await figures(tenant.live)).toEqual(after));
    } finally {
      await primaryApp.close();
    }
  });

  test("go to the primary while the standby is further behind than it may be", async () => {
    const strict = await startApp(
      {
        DATABASE_APP_URL: undefined,
        DATABASE_REPLICA_URL: standby.url("parley", "parley"),
        DATABASE_REPLICA_MAX_LAG_SECONDS: 1,
      },
      db,
    );
    const live = strict.client(tenant.live.token);
    try {
      await readWhileHeldBack(async (word) => {
        await write(word);
        await eventually(async () => expect(await found(word, live)).toBe(1));
        expect(await found(word)).toBe(0);
        expect(await lag()).toBeGreaterThan(0);
      });
    } finally {
      await strict.close();
    }
    await caughtUp();
  });

  test("go to the primary when the standby is gone, without an error", async () => {
    await standby.crash();
    for (const word of ["giraffe", ...written]) expect(await found(word)).toBe(1);
    expect(await lag()).toBeUndefined();
  });
});
