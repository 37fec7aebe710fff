import type { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Parameter } from "../../../src/platform/database/sql.js";
import type { Checked, Json, RowOf } from "../../../src/platform/database/row-types.js";
import { connect, freshDatabase, type TestDatabase } from "../../support/database.js";
import { describer } from "./described.js";

let db: TestDatabase;
let client: Client;
let describe: Awaited<ReturnType<typeof describer>>;
beforeAll(async () => {
  db = await freshDatabase();
  client = await connect({ connectionString: db.url, options: "-c role=parley_app" });
  describe = await describer(client);
});
afterAll(async () => {
  await client.end();
  await db.drop();
});

const NEVER = { x: false };
const MAY_BE = { x: true };
const UNKNOWN = { x: undefined };
test.each([
  ["not null in its table", "select c.id as x from conversation c", NEVER],
  ["null in its table", "select c.subject as x from conversation c", MAY_BE],
  [
    "of the side that an outer join fills up",
    "select w.name as x from contact c left join workspace w on true",
    MAY_BE,
  ],
  ["of the other side", "select w.name as x from workspace w left join contact c on true", NEVER],
  ["of a full join", "select w.name as x from contact c full join workspace w on w.id = c.id", MAY_BE],
  [
    "of an outer join in a sub-select",
    "select s.x from (select w.name as x from contact c left join workspace w on true) s",
    MAY_BE,
  ],
  [
    "of a sub-select that an outer join fills up",
    "select s.x from contact c left join (select 1 as x) s on true",
    MAY_BE,
  ],
  ["of a common table expression", "with s as (select w.name as x from workspace w) select s.x from s", NEVER],
  [
    "of what a common table expression returns",
    "with s as (delete from conversation c returning c.subject as x) select s.x from s",
    MAY_BE,
  ],
  ["that a condition keeps", "select c.subject as x from conversation c where c.subject is not null", NEVER],
  ["that a comparison keeps", "select c.subject as x from conversation c where c.subject = $1 and true", NEVER],
  ["that a comparison may keep", "select c.subject as x from conversation c where c.subject = $1 or true", MAY_BE],
  [
    "that the condition of an outer join does not keep",
    "select c.subject as x from conversation c left join workspace w on c.subject = w.name",
    MAY_BE,
  ],
  [
    "that an update has set after its condition",
    "update conversation c set subject = $1 where c.subject is not null returning c.subject as x",
    MAY_BE,
  ],
  [
    "of a row that was not there before",
    "insert into idempotency_key (tenant_id, fingerprint, body_hash) values ($1, $2, $3) returning old.fingerprint as x",
    MAY_BE,
  ],
  [
    "of two selects, one of which gives null",
    "select w.name as x from workspace w union all select c.subject from conversation c",
    MAY_BE,
  ],
  ["that counts", "select count(*)::int as x from workspace", NEVER],
  ["with another value in the place of null", "select coalesce(c.subject, '') as x from conversation c", NEVER],
  [
    "with a value that may be null in the place of null",
    "select coalesce(c.subject, $1) as x from conversation c",
    UNKNOWN,
  ],
  ["cast from JSON, whose null becomes null", "select '1'::jsonb::int as x from workspace", UNKNOWN],
  ["of a sub-select that may have no row", "select (select w.name from workspace w limit 1) as x", UNKNOWN],
])("whether a column is null is known: %s", async (_, text, expected) => {
  const { row } = await describe({ name: "test.x", text, slots: [] });
  expect(Object.fromEntries([...row].map(([name, { nullable }]) => [name, nullable]))).toEqual(expected);
});

test("each type is what the driver gives and takes", async () => {
  const types = ["int", "bigint", "timestamptz", "text[]", "jsonb", "bytea", "uuid", "boolean", "float8", "numeric"];
  const { args, row } = await describe({
    name: "test.x",
    text: `select ${types.map((type, n) => `$${n + 1}::${type} as "${type}"`).join(", ")}`,
    slots: types.map((type) => new Parameter(type)),
  });
  expect(Object.fromEntries(args)).toMatchObject({
    int: "number",
    bigint: "number | string",
    "text[]": "readonly (string | null)[]",
  });
  const values = [
    1,
    "12345678901",
    new Date(),
    ["a"],
    '{"a":1}',
    Buffer.from("b"),
    db.name && "0".repeat(32),
    true,
    0.5,
    "1.5",
  ];
  const { rows } = await client.query<Record<string, unknown>>(
    `select ${types.map((type, n) => `$${n + 1}::${type} as "${type}"`).join(", ")}`,
    values,
  );
  const given = Object.entries(rows[0]!).map(([name, value]) => {
    const of = Array.isArray(value) ? `${typeof value[0]}[]` : typeof value;
    return [name, name === "jsonb" ? "Json" : value instanceof Date ? "Date" : Buffer.isBuffer(value) ? "Buffer" : of];
  });
  expect([...row].map(([name, { type }]) => [name, type])).toEqual(given);
});

declare module "../../../src/platform/database/row-types.js" {
  interface Statements {
    "probe.one": {
      args: { id: string; at: Date | string; ids: readonly (string | null)[]; version: number | string; shape: string };
      row: { id: string; subject: string | null; at: Date; total: string; tags: string[]; shape: Json; sum?: number };
    };
    "probe.other": { args: { id: string }; row: { id: string } };
  }
}
/** Compiles if the code says what PostgreSQL says. `npm run check` compiles this file: a line that compiles against its word fails. */
const said =
  <Args, Row = never, NotNull extends string = never>() =>
  <const Name extends string>(name: Name & Checked<Name, Args, Row, NotNull>) =>
    name;

test("the compiler refuses what PostgreSQL says otherwise, and only that", () => {
  type None = Record<never, never>;
  // What PostgreSQL cannot know: which texts, which shape, and of an expression whether it is null.
  type Status = "open" | "closed";
  said<{ id: Status; shape?: string | null }, { id: Status; shape: { a: number }; sum: number }>()("probe.one");
  said<{ ids: readonly Status[]; version: number }, { tags: readonly Status[]; sum: number | null }>()("probe.one");
  said<{ id: string & { brand: true } }, { id: string & { brand: true }; subject: string | null }>()("probe.one");
  said<None, { id: unknown; subject: unknown }>()("probe.one");
  said<None, { subject: string }, "subject">()("probe.one");
  said<None, { id: string }>()<"probe.one" | "probe.other">("probe.one");
  // @ts-expect-error it can be null
  said<None, { subject: string }>()("probe.one");
  // @ts-expect-error null is not undefined
  said<None, { subject?: string }>()("probe.one");
  // @ts-expect-error no such column
  said<None, { name: string }>()("probe.one");
  // @ts-expect-error a bigint comes as text
  said<None, { total: number }>()("probe.one");
  // @ts-expect-error a time comes as a Date
  said<None, { at: string }>()("probe.one");
  // @ts-expect-error an array of texts
  said<None, { tags: string }>()("probe.one");
  // @ts-expect-error an expression has a type
  said<None, { sum: string }>()("probe.one");
  // @ts-expect-error one of the two has no such column
  said<None, { subject: string | null }>()<"probe.one" | "probe.other">("probe.one");
  // @ts-expect-error a number for a uuid
  said<{ id: number }>()("probe.one");
  // @ts-expect-error one for many
  said<{ ids: string }>()("probe.one");
  // @ts-expect-error JSON is sent as text
  said<{ shape: string[] }>()("probe.one");
  // @ts-expect-error it never is null
  said<None, { id: string }, "id">()("probe.one");
  // @ts-expect-error not described
  said<None>()("probe.two");
  // @ts-expect-error which statement?
  said<None>()<string>("probe.one");

  const row: RowOf<"probe.other", never, never> = { id: "x" };
  // @ts-expect-error what the code does not declare is as PostgreSQL describes it
  row.id = null;
  const whole = { id: "", subject: null, at: new Date(), total: "1", tags: [], shape: {} };
  expect<RowOf<"probe.one", never, never>>({ ...whole, sum: null }).toBeTruthy();
  // @ts-expect-error the statement's conditions keep it from being null
  expect<RowOf<"probe.one", never, "subject">>({ ...whole, sum: null }).toBeTruthy();
});
