import { DataSource } from "typeorm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownerOptions } from "../../../src/platform/database/options.js";
import { ENTITIES } from "../../../src/entities.js";
import { freshDatabase, type TestDatabase } from "../../support/database.js";

let migrated: TestDatabase;
let fromEntities: TestDatabase;
beforeAll(async () => {
  migrated = await freshDatabase();
  fromEntities = await freshDatabase();
  await fromEntities.query("drop schema public cascade; create schema public");
});
afterAll(async () => {
  await migrated.drop();
  await fromEntities.drop();
});

async function withSource<T>(db: TestDatabase, work: (source: DataSource) => Promise<T>): Promise<T> {
  const source = await new DataSource(ownerOptions(db.url, ENTITIES)).initialize();
  try {
    return await work(source);
  } finally {
    await source.destroy();
  }
}

test("the migrated schema matches the entities: TypeORM would generate no migration", async () => {
  const { upQueries } = await withSource(migrated, (source) => source.driver.createSchemaBuilder().log());
  expect(upQueries.map(({ query }) => query)).toEqual([]);
});

// TypeORM compares checks and indexes by name only and would miss a changed condition.
test("columns, constraints and indexes of the migrated schema are identical to those that the entities create", async () => {
  await withSource(fromEntities, (source) => source.synchronize());
  const made = await describeSchema(fromEntities);
  expect(made.length).toBeGreaterThan(100);
  expect(await describeSchema(migrated)).toEqual(made);
});

/** Leaves out the migrations' own tables, expression indexes and storage parameters, which entities cannot declare. */
async function describeSchema(db: TestDatabase): Promise<string[]> {
  const rows = await db.query<{ line: string }>(`select line from (
      select table_name as "table", table_name || '.' || column_name || ' ' || udt_name || ' ' || coalesce(datetime_precision::text, '') || ' ' || is_nullable || ' ' || coalesce(column_default, '') || ' ' || coalesce(identity_generation, '') as line
      from information_schema.columns where table_schema = 'public'
      union all select conrelid::regclass::text, conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace and conrelid <> 0
      union all select tablename, regexp_replace(indexdef, ' WITH \\(.*\\)$', '') from pg_indexes where schemaname = 'public' and not exists (select from pg_index i where i.indexrelid = format('%I', indexname)::regclass and i.indexprs is not null)) lines
    where "table" not in ('migrations', 'schema_object', 'typeorm_metadata') order by line`);
  return rows.map(({ line }) => line);
}
