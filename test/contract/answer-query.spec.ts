import { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AnswerClient } from "../../src/platform/database/answer-client.js";
import { AnswerQuery } from "../../src/platform/database/answer-query.js";
import { freshDatabase, type TestDatabase } from "../support/database.js";

// Reads do not use the query of `pg`. What it does for them has to be the same.

let db: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  db = await freshDatabase();
  pool = new Pool({
    Client: AnswerClient,
    connectionString: db.url,
    max: 1,
    query_timeout: 1_500,
    options: "-c timezone=UTC",
  });
  pool.on("error", () => undefined);
});
afterAll(async () => {
  await pool.end();
  await db.drop();
});

const ask = (text: string, values: unknown[] = []) =>
  new AnswerQuery(text.slice(0, 60), text, values, (value) => value.toString()).run(pool);

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
      query.run(pool),
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
  await expect(query.run(pool)).rejects.toThrow("unreadable");
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
  try {
    await Promise.all(
      Array.from({ length: 120 }, async (_, n) => {
        const own = `${n} `.repeat(1 + (n % 4) * 25_000);
        const query = new AnswerQuery("apart", "select $1::text", [own], (value) => value.toString());
        const [answer, { rows }] = await Promise.all([
          query.run(several),
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
  await expect(ask("select pg_sleep(10)")).rejects.toThrow("Query read timeout");
  expect(await ask("select 'after'")).toBe("after");
});
