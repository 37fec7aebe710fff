import type { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RecordWriter } from "../../../src/platform/database/read-engine/record-json.js";
import { time } from "../../../src/platform/database/statements.js";
import { sql } from "../../../src/platform/database/sql.js";
import { connect, freshDatabase, type TestDatabase } from "../../support/database.js";

// Lists are written as JSON in Node. Each value has to be, byte for byte, what PostgreSQL's `row_to_json` writes.

let db: TestDatabase;
let client: Client;
beforeAll(async () => {
  db = await freshDatabase();
  client = await connect({ connectionString: db.url, options: "-c timezone=UTC" });
});
afterAll(async () => {
  await client.end();
  await db.drop();
});

interface Answers {
  json: string;
  records: Buffer;
}

/** What PostgreSQL writes for the rows of a query, and the same rows as records. */
async function ask(rows: string, values: unknown[] = [], shown = "*"): Promise<Answers> {
  const answers = await client.query<Answers>(
    `with q as materialized (${rows})
    select (select coalesce(json_agg(x)::text, '[]') from (select ${shown} from q) x) as json,
      (select coalesce(string_agg(record_send(q), ''), '') from q) as records`,
    values,
  );
  return answers.rows[0]!;
}

/** `json_agg` breaks the line between rows. */
const inOneLine = (json: string): string => json.replaceAll(", \n ", ",");

async function expectSame(names: string[], rows: string, values: unknown[] = [], shown?: string): Promise<void> {
  const { json, records } = await ask(rows, values, shown);
  const written = new RecordWriter(names).write("", records, "").toString();
  // Not `toBe` alone: its message would show megabytes.
  if (written === inOneLine(json)) return;
  const at = [...written].findIndex((character, n) => character !== inOneLine(json)[n]);
  expect(written.slice(Math.max(at - 80, 0), at + 80)).toBe(inOneLine(json).slice(Math.max(at - 80, 0), at + 80));
  expect(written.length).toBe(inOneLine(json).length);
}

/** The same numbers in each run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) yield (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

test("texts of every character", async () => {
  const texts: string[] = [];
  for (let first = 0; first < 0x110000; first += 0x800) {
    const points = Array.from({ length: 0x800 }, (_, n) => first + n);
    texts.push(String.fromCodePoint(...points.filter((point) => point !== 0 && (point < 0xd800 || point > 0xdfff))));
  }
  await expectSame(["text"], "select unnest($1::text[]) as text", [texts]);
});

test("texts in which anything meets anything", async () => {
  const random = numbers(17);
  const parts = [
    '"',
    "\\",
    "\n",
    "\u0000",
    "\u0001",
    "\u001f",
    "\u007f",
    "\u2028",
    "ä",
    "漢",
    "😀",
    "\\u0000",
    "a",
    " ",
    "</script>",
    ",",
  ];
  const texts = Array.from({ length: 3_000 }, () =>
    Array.from(
      { length: Math.floor(random.next().value * 90) },
      () => parts[Math.floor(random.next().value * parts.length)],
    )
      .join("")
      .replaceAll("\u0000", "\u0002"),
  );
  await expectSame(
    ["text", "varchar", "list", "json", "jsonb"],
    `select t as text, t::varchar as varchar, array[t, '', null, t] as list,
      json_build_object(t, t) as json, jsonb_build_object(t, jsonb_build_array(t, null, 1.50, true)) as jsonb
    from unnest($1::text[]) t`,
    [texts],
  );
});

test("times, on both sides of a millisecond, of the epoch and of what a number can hold", async () => {
  const borders = [
    "2000-01-01 00:00:00",
    "1999-12-31 23:59:59.999999",
    "1999-12-31 23:59:59.9999995",
    "2026-01-31 09:00:00.0005",
    "2026-01-31 09:00:00.000999",
    "2026-01-31 09:00:00.001",
    "2024-02-29 23:59:59.123456",
    "1970-01-01 00:00:00.000001",
    "1714-07-30 00:12:25.259008",
    "1714-07-30 00:12:25.259009",
    "2285-06-05 23:47:34.740992",
    "2285-06-05 23:47:34.740993",
    "0001-01-01 00:00:00",
    "9999-12-31 23:59:59.999999",
    "10000-01-01 00:00:00",
    "294276-12-31 23:59:59.999999",
    "0001-12-31 23:59:59.999999 BC",
    "0044-03-15 12:00:00.5 BC",
    "4714-11-24 00:00:00 BC",
    "infinity",
    "-infinity",
  ];
  const shown = time(sql`t`).text;
  await expectSame(["t"], "select unnest($1::timestamptz[]) as t", [borders], `${shown} as t`);
  await expectSame(
    ["t"],
    // A prime number of milliseconds and microseconds: all days of 440 years, at any time of the day.
    "select timestamptz '1800-01-01' + n * interval '86399.003077 s' as t from generate_series(1, 160000) n",
    [],
    `${shown} as t`,
  );
  await expectSame(
    ["t"],
    "select timestamptz '4000-01-01 BC' + n * interval '359.123457 days' as t from generate_series(1, 60000) n",
    [],
    `${shown} as t`,
  );
});

test("numbers, ids, booleans, lists, JSON, nulls", async () => {
  await expectSame(
    ["small", "int", "big", "id", "yes", "no", "nothing", "none", "ids", "empty", "json", "jsonb", "list", "float"],
    `select unnest(array[-32768, -10, -1, 0, 9, 10, 32767])::int2 as small,
      unnest(array[-2147483648, -10, -1, 0, 9, 10, 2147483647]) as int,
      unnest(array[-9223372036854775808, -9007199254740993, -1, 0, 9, 9007199254740993, 9223372036854775807]) as big,
      md5(generate_series(1, 7)::text)::uuid as id, true as yes, false as no, null::timestamptz as nothing, '' as none,
      array['00000000-0000-0000-0000-000000000000', null, 'ffffffff-ffff-ffff-ffff-ffffffffffff']::uuid[] as ids,
      '{}'::text[] as empty, ' { "b" : [1,  2.50, 1e3],"a":null }'::json as json,
      ' { "b" : [1,  2.50, 1e3], "a": {"c": "\\u00e9\\"\\\\"}, "": [] }'::jsonb as jsonb,
      array['a,b', '{}', '"', '\\', 'null', ' '] as list, to_json(0.1::float4) as float`,
  );
});

test("no rows, and no more rows than the limit", async () => {
  const writer = new RecordWriter(["n"]);
  const { records } = await ask("select generate_series(1, 30) as n");
  expect(writer.write('{"data":', Buffer.alloc(0), "}").toString()).toBe('{"data":[]}');
  expect(writer.write('{"data":', records, ',"é":"漢"}', 2).toString()).toBe('{"data":[{"n":1},{"n":2}],"é":"漢"}');
});

test("a long answer and a short one after it", async () => {
  const long = "select repeat(E'\\x01', 700000) as a, 'b' as b from generate_series(1, 3)";
  await expectSame(["a", "b"], long);
  await expectSame(["a", "b"], "select 'a' as a, null::text as b");
  await expectSame(["a", "b"], long);
});

test("columns that are as in the row before, alone and next to each other, in every pattern", async () => {
  const random = numbers(23);
  const texts = ["a", "b", 'an"', "ä".repeat(70), "", null];
  const ids = ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002", null];
  const pick = <T>(from: T[]): T => from[Math.floor(random.next().value * from.length)]!;
  const rows = Array.from({ length: 4_000 }, () => [pick(texts), pick(ids), pick([1, 1, 2]), pick(ids), pick(texts)]);
  await expectSame(
    ["first", "id", "number", "other", "last"],
    `select r->>0 as first, (r->>1)::uuid as id, (r->>2)::int as number, (r->>3)::uuid as other, r->>4 as last
    from jsonb_array_elements($1) with ordinality e (r, n) order by n`,
    [JSON.stringify(rows)],
  );
});

test("columns that are left out where they are null, in every pattern", async () => {
  const random = numbers(24);
  const pick = () => (random.next().value < 0.5 ? null : Math.floor(random.next().value * 2));
  const rows = Array.from({ length: 2_000 }, (_, id) => ({ id, a: pick(), b: pick(), c: pick(), d: pick() }));
  const { records } = await ask(
    "select id, a, b, c, d from jsonb_to_recordset($1) e (id int, a int, b int, c int, d int) order by id",
    [JSON.stringify(rows)],
  );
  const written = new RecordWriter(["id", "a", "b", "c", "d"], ["b", "c", "d"]).write("", records, "").toString();
  const shown = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([name, value]) => value !== null || name === "a")),
  );
  expect(written === JSON.stringify(shown)).toBe(true);
});

test("a column that changes its type", async () => {
  const writer = new RecordWriter(["value"]);
  for (const value of ["1::int", "'x'::text", "'{}'::jsonb", "2::int"]) {
    const { json, records } = await ask(`select ${value} as value`);
    expect(writer.write("", records, "").toString()).toBe(json);
  }
});

test.each([
  "1.5::float4",
  "1.5::float8",
  "1.5::numeric",
  "now()::date",
  "'127.0.0.1'::inet",
  "null::float8",
  "array[array['a']]",
  "'{1}'::int[]",
])("%s is refused", async (value) => {
  const { records } = await ask(`select ${value} as value`);
  expect(() => new RecordWriter(["value"]).write("", records, "")).toThrow("is not written as JSON: use to_json");
});

test("a record with other columns is refused", async () => {
  const { records } = await ask("select 1 as a, 2 as b");
  expect(() => new RecordWriter(["a"]).write("", records, "")).toThrow("2 columns");
});
