import type { Socket } from "node:net";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { AnswerClient } from "../../../src/platform/database/answer-client.js";
import { AnswerQuery } from "../../../src/platform/database/answer-query.js";
import { AnswerQueue } from "../../../src/platform/database/answer-queue.js";
import { freshDatabase, type TestDatabase } from "../../support/database.js";

// Reads do not use the query of `pg`. What it does for them has to be the same.

let db: TestDatabase;
let pool: Pool;
let queue: AnswerQueue;
beforeAll(async () => {
  db = await freshDatabase();
  pool = new Pool({
    Client: AnswerClient,
    connectionString: db.url,
    max: 1,
    query_timeout: 4_000,
    options: "-c timezone=UTC",
  });
  pool.on("error", () => undefined);
  queue = new AnswerQueue(pool);
});
afterAll(async () => {
  await pool.end();
  await db.drop();
});

const ask = (text: string, values: unknown[] = []) =>
  queue.run(new AnswerQuery(text.slice(0, 60), text, values, (value) => value.toString(), true));

test("the first value, null, or undefined without a row", async () => {
  expect(await ask("select 'ä😀' as answer")).toBe("ä😀");
  expect(await ask("select ''")).toBe("");
  expect(await ask("select null::text")).toBeNull();
  expect(await ask("select 'x' where false")).toBeUndefined();
});

test("bytes arrive as they are, short and long, also beside rows of other queries", async () => {
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => (n * 7919) >> 3));
  for (const value of [Buffer.alloc(0), bytes.subarray(0, 300), bytes]) {
    const query = new AnswerQuery("bytes", "select $1::bytea", [value], (read) => Buffer.from(read));
    const [answer, { rows }] = await Promise.all([
      queue.run(query),
      pool.query<{ a: string; b: null }>("select repeat('ä', 100000) as a, null as b from generate_series(1, 3)"),
    ]);
    expect(answer?.equals(value)).toBe(true);
    expect(rows).toEqual(Array(3).fill({ a: "ä".repeat(100_000), b: null }));
  }
});

test("an answer that cannot be read rejects, and the connection goes on", async () => {
  const query = new AnswerQuery("unreadable", "select 'x'", [], () => {
    throw new Error("unreadable");
  });
  await expect(queue.run(query)).rejects.toThrow("unreadable");
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
  const several = new Pool({ Client: AnswerClient, connectionString: db.url, max: 4 });
  const answers = new AnswerQueue(several);
  try {
    await Promise.all(
      Array.from({ length: 120 }, async (_, n) => {
        const own = `${n} `.repeat(1 + (n % 4) * 25_000);
        const query = new AnswerQuery("apart", "select $1::text", [own], (value) => value.toString(), true);
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

describe("reads that wait for the same connection", () => {
  const short = (name: string, text: string, values: unknown[] = []) =>
    queue.run(new AnswerQuery(name, text, values, (value) => value.toString(), true));
  const long = (text: string) => queue.run(new AnswerQuery("long", text, [], (value) => value.toString()));

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
    expect(queue.waitingCount).toBe(4);
    client.release();
    await Promise.all(asked);
    expect(queue.waitingCount).toBe(0);
  });

  test("one that has waited for longer than the pool allows is refused", async () => {
    const busy = new Pool({ Client: AnswerClient, connectionString: db.url, max: 1, connectionTimeoutMillis: 3_000 });
    const answers = new AnswerQueue(busy);
    const read = (text: string) => answers.run(new AnswerQuery(text, text, [], (value) => value.toString()));
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

  test("an error of one leaves the others their answers", async () => {
    const asked = ["a", "0", "b", "x"].map((given) =>
      short("may fail", "select case when $1::text in ('a', 'b') then $1::text else (1 / $1::int)::text end", [given]),
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
