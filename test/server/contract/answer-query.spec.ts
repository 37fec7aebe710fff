import type { Socket } from "node:net";
import { Pool, type PoolConfig } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Reads } from "../../../src/platform/database/read-engine/answer-read.js";
import { allowToBreak } from "../../../src/platform/database/checked-connection.js";
import { clientOf, readsOf } from "../../../src/platform/database/read-engine/reads.js";
import { describeError } from "../../../src/platform/http/errors.js";
import { connect, freshDatabase, type TestDatabase } from "../../support/database.js";
import { eventually } from "../../support/eventually.js";

// Reads do not use the query of `pg`, unless they are told to. What it does for them has to be the same.

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

const asText = (value: Buffer): string => value.toString();

describe.each(["parley", "pg"] as const)("with READ_ENGINE=%s", (engine) => {
  let pool: Pool;
  let reads: Reads;
  const poolOf = (settings: PoolConfig): Pool => {
    const made = new Pool({
      Client: clientOf(engine),
      connectionString: db.url,
      max: 1,
      onConnect: allowToBreak,
      ...settings,
    });
    made.on("error", () => undefined);
    return made;
  };
  beforeAll(() => {
    pool = poolOf({ query_timeout: 4_000, options: "-c timezone=UTC" });
    reads = readsOf(engine, pool);
  });
  afterAll(() => pool.end());

  const ask = (text: string, values: unknown[] = []) =>
    reads.run({ name: text.slice(0, 60), text, values, read: asText, isShort: true });

  test("the first value, null, or undefined without a row", async () => {
    expect(await ask("select 'ä😀' as answer")).toBe("ä😀");
    expect(await ask("select ''")).toBe("");
    expect(await ask("select null::text")).toBeNull();
    expect(await ask("select 'x' where false")).toBeUndefined();
  });

  test("bytes arrive as they are, short and long, also beside rows of other queries", async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7919) >> 3));
    for (const value of [Buffer.alloc(0), bytes.subarray(0, 300), bytes]) {
      const query = {
        name: "bytes",
        text: "select $1::bytea",
        values: [value],
        read: (bytes: Buffer) => Buffer.from(bytes),
      };
      const [answer, { rows }] = await Promise.all([
        reads.run(query),
        pool.query<{ a: string; b: null }>("select repeat('ä', 100000) as a, null as b from generate_series(1, 3)"),
      ]);
      expect(answer?.equals(value)).toBe(true);
      expect(rows).toEqual(Array(3).fill({ a: "ä".repeat(100_000), b: null }));
    }
  });

  test("an answer that cannot be read rejects, and the connection goes on", async () => {
    const unreadable = (): string => {
      throw new Error("unreadable");
    };
    await expect(reads.run({ name: "unreadable", text: "select 'x'", values: [], read: unreadable })).rejects.toThrow(
      "unreadable",
    );
    expect(await ask("select 'next'")).toBe("next");
  });

  test.each([
    ["text", 'it\'s \\ "ä😀"'],
    ["text", null],
    ["int", -1],
    ["boolean", false],
    ["text[]", ["a", 'b"', "\\", "", null, "null", "{,}"]],
    ["uuid[]", []],
    ["bytea", Buffer.from([0, 255, 92])],
    ["timestamptz", new Date(1_700_000_000_123)],
    ["jsonb", { a: ["ä", null] }],
  ])("binds %s %j as pg does", async (type, value) => {
    const text = `select $1::${type}::text as bound`;
    const { rows } = await pool.query<{ bound: string | null }>(text, [value]);
    expect(await ask(text, [value])).toBe(rows[0]!.bound);
  });

  test("is prepared once a connection", async () => {
    for (const name of ["a", "b", "c"]) expect(await ask("select 'once ' || $1::text", [name])).toBe(`once ${name}`);
    expect(await ask("select count(*)::text from pg_prepared_statements where name like 'select ''once%'")).toBe("1");
  });

  test("many at once get their own answers", async () => {
    const all = await Promise.all(Array.from({ length: 50 }, (_, n) => ask("select $1::text as own", [n])));
    expect(all).toEqual(Array.from({ length: 50 }, (_, n) => String(n)));
  });

  test("connections that read at the same time keep their answers apart, also those that come in pieces", async () => {
    const several = poolOf({ max: 4 });
    const answers = readsOf(engine, several);
    try {
      await Promise.all(
        Array.from({ length: 120 }, async (_, n) => {
          const own = `${n} `.repeat(1 + (n % 4) * 25_000);
          const query = { name: "apart", text: "select $1::text", values: [own], read: asText, isShort: true };
          const [answer, { rows }] = await Promise.all([
            answers.run(query),
            several.query<{ own: string }>("select $1::text as own", [own]),
          ]);
          expect(answer === own && rows[0]!.own === own, `${n}`).toBe(true);
        }),
      );
    } finally {
      await several.end();
    }
  });

  test("an error while it is prepared, bound or run rejects, and the next query works", async () => {
    await expect(ask("select nothing from nowhere")).rejects.toThrow('relation "nowhere" does not exist');
    await expect(ask("select $1::int as bound", ["x"])).rejects.toThrow("invalid input syntax");
    await expect(ask("select (1 / $1::int)::text", [0])).rejects.toThrow("division by zero");
    expect(await ask("select (1 / $1::int)::text", [1])).toBe("1");
  });

  test("a broken connection rejects, and the next query has a new one", async () => {
    await expect(ask("select pg_terminate_backend(pg_backend_pid())")).rejects.toThrow();
    expect(await ask("select 'again'")).toBe("again");
  });

  test("a query that takes too long rejects, and the next query has a new connection", async () => {
    await expect(ask("select pg_sleep(60)")).rejects.toThrow("Query read timeout");
    expect(await ask("select 'after'")).toBe("after");
  });

  if (engine === "pg") return;
  describe("reads that wait for the same connection", () => {
    const short = (name: string, text: string, values: unknown[] = []) =>
      reads.run({ name, text, values, read: asText, isShort: true });
    const long = (text: string) => reads.run({ name: "long", text, values: [], read: asText });

    /** How many writes to the connection the work takes. */
    async function writesOf(work: () => Promise<unknown>): Promise<number> {
      const client = await pool.connect();
      const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
      client.release();
      const writes = vi.spyOn(stream, "write");
      await work();
      const { length } = writes.mock.calls;
      writes.mockRestore();
      return length;
    }

    test("are sent four at a time, and one that may take long goes alone", async () => {
      const shorts = (count: number) =>
        Array.from({ length: count }, (_, n) => short("together", "select $1::text", [n]));
      expect(await writesOf(() => Promise.all(shorts(9)))).toBe(3);
      expect(await writesOf(() => Promise.all([...shorts(2), long("select 'long'"), ...shorts(2)]))).toBe(3);
      expect(
        await writesOf(async () => {
          await shorts(1)[0];
          await shorts(1)[0];
        }),
      ).toBe(2);
    });

    test("all of them count as waiting", async () => {
      const client = await pool.connect();
      const asked = [
        pool.query("select 1"),
        ...["a", "b", "c"].map((name) => short("counted", "select $1::text", [name])),
      ];
      expect(reads.waitingCount).toBe(4);
      client.release();
      await Promise.all(asked);
      expect(reads.waitingCount).toBe(0);
    });

    test("one that has waited for longer than the pool allows is refused", async () => {
      const busy = poolOf({ connectionTimeoutMillis: 3_000 });
      const answers = readsOf(engine, busy);
      const read = (text: string) => answers.run({ name: text, text, values: [], read: asText });
      const taken = await busy.connect();
      await expect(read("select 'late'")).rejects.toThrow("timeout exceeded when trying to connect");
      taken.release();
      expect(await read("select 'next'")).toBe("next");
      await busy.end();
    });

    test("a statement that is new to the connection is prepared for all of them", async () => {
      const asked = ["a", "b", "c"].map((name) => short("new to it", "select 'new ' || $1::text", [name]));
      expect(await Promise.all(asked)).toEqual(["new a", "new b", "new c"]);
    });

    test("each is a transaction of its own", async () => {
      const ids = await Promise.all(
        ["a", "b"].map((tenant) =>
          short(
            "own transaction",
            "select coalesce(nullif(current_setting('app.tenant_id', true), ''), 'none') || set_config('app.tenant_id', $1, true)",
            [tenant],
          ),
        ),
      );
      expect(ids).toEqual(["nonea", "noneb"]);
    });

    // It is prepared once for all of them, so the others have nothing to bind.
    test("where the database cannot prepare it for now, all of them can be tried again", async () => {
      await db.query("create table locked as select 'x' as n");
      const impatient = poolOf({ options: "-c statement_timeout=200" });
      const answers = readsOf(engine, impatient);
      const taken = await impatient.connect();
      const locking = await connect(db.url);
      try {
        await locking.query("begin; lock table locked in access exclusive mode");
        const read = () =>
          answers.run({ name: "n", text: "select n from locked", values: [], read: asText, isShort: true });
        const asked = Promise.allSettled([read(), read(), read()]);
        taken.release();
        const errors = (await asked).map((one) => (one.status === "rejected" ? (one.reason as unknown) : undefined));
        expect(errors.map((error) => describeError(error).status)).toEqual([503, 503, 503]);
        await locking.query("rollback");
        // On a busy machine it may take longer than the timeout.
        await eventually(async () => expect(await read()).toBe("x"));
      } finally {
        await locking.end();
        await impatient.end();
      }
    });

    test("an error of one leaves the others their answers", async () => {
      const asked = ["a", "0", "b", "x"].map((given) =>
        short("may fail", "select case when $1::text in ('a', 'b') then $1::text else (1 / $1::int)::text end", [
          given,
        ]),
      );
      expect(
        (await Promise.allSettled(asked)).map((one) => (one.status === "fulfilled" ? one.value : String(one.reason))),
      ).toEqual(["a", "error: division by zero", "b", 'error: invalid input syntax for type integer: "x"']);
      expect(await ask("select 'goes on'")).toBe("goes on");
    });

    test.each([
      ["a broken connection", "select pg_terminate_backend(pg_backend_pid())::text"],
      ["a query that takes too long", "select pg_sleep(60)::text"],
    ])("%s rejects those that were sent with it, and those behind them have a new connection", async (name, text) => {
      const asked = [short(`before ${name}`, "select 'before'"), short(name, text)];
      for (const n of [1, 2, 3]) asked.push(short("behind", "select $1::text", [n]));
      const ended = await Promise.allSettled(asked);
      expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "rejected", "fulfilled"]);
    });
  });
});
