import type { MigrationInterface, QueryRunner } from "typeorm";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MIGRATIONS } from "../../../src/platform/database/migrations/index.js";
import { connect, freshDatabase, type TestDatabase } from "../../support/database.js";

// A migration runs while servers go on. What it does under a lock that others wait for must not grow with the table: it may neither
// rewrite a table that is there, nor read it, nor build an index on it. PostgreSQL itself is asked, whatever the statements look like.

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

/** Those for which inserts, updates or reads have to wait. */
const BLOCKS = "'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'";

interface Table {
  id: number;
  name: string;
  /** Changes where the table is rewritten. */
  file: string;
  scans: number;
  /** The strongest lock of this transaction, if others wait for it. */
  lock: string | null;
}
const tables = async (client: pg.ClientBase): Promise<Map<number, Table>> => {
  const { rows } =
    await client.query<Table>(`select c.oid::int as id, c.relname as name, pg_relation_filenode(c.oid)::text as file,
      (pg_stat_get_xact_numscans(c.oid) + coalesce((
        select sum(pg_stat_get_xact_numscans(i.indexrelid)) from pg_index i where i.indrelid = c.oid), 0))::int as scans,
      (select max(l.mode) from pg_locks l where l.relation = c.oid and l.pid = pg_backend_pid() and l.granted and l.mode in (${BLOCKS})) as lock
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`);
  return new Map(rows.map((table) => [table.id, table]));
};

/** What of these statements takes longer the more rows there are, while others wait. They are undone. */
async function whatTakesLong(up: (query: (sql: string) => Promise<unknown>) => Promise<unknown>): Promise<string[]> {
  const client = await connect(db.url);
  const found: string[] = [];
  try {
    await client.query("begin");
    const before = await tables(client);
    await up(async (sql) => {
      const earlier = await tables(client);
      try {
        await client.query("savepoint one");
        const { rows } = await client.query<object>(sql);
        await client.query("release savepoint one");
        for (const [id, now] of await tables(client)) {
          const was = earlier.get(id);
          // What the migration itself has made is empty, and nobody else sees it.
          if (!before.has(id) || !was || !now.lock) continue;
          if (now.file !== was.file) found.push(`${now.name} is rewritten under ${now.lock}: ${sql}`);
          else if (now.scans > was.scans) found.push(`${now.name} is read under ${now.lock}: ${sql}`);
        }
        return rows;
      } catch (error) {
        // It takes no lock that others wait for, and runs without a transaction.
        if ((error as { code?: string }).code !== "25001" || !/\bconcurrently\b/i.test(sql)) throw error;
        await client.query("rollback to savepoint one");
        return [];
      }
    });
    return found;
  } finally {
    await client.query("rollback");
    await client.end();
  }
}
const ofStatements = (...statements: string[]): Promise<string[]> =>
  whatTakesLong(async (query) => {
    for (const sql of statements) await query(sql);
  });

describe("a migration may", () => {
  test.each([
    ["add a column with a constant", ["alter table message add column probe integer not null default 1"]],
    ["drop a column", ["alter table message drop column probe_of_old"]],
    [
      "add a constraint without looking at rows",
      ["alter table message add constraint probe check (body <> 'x') not valid"],
    ],
    [
      "add a reference without looking at rows",
      [
        "alter table message add column probe uuid",
        "alter table message add constraint probe foreign key (tenant_id) references tenant (id) not valid",
      ],
    ],
    ["look at rows later", ["alter table message validate constraint probe_of_old"]],
    ["build an index beside writes", ["create index concurrently probe on message (created_at)"]],
    [
      "make a table, fill and index it",
      ["create table probe (n integer)", "insert into probe select 1", "create index on probe (n)"],
    ],
  ])("%s", async (_, statements) => {
    // By an earlier migration.
    await db.query(
      "alter table message add column probe_of_old text, add constraint probe_of_old check (body <> 'x') not valid",
    );
    try {
      expect(await ofStatements(...statements)).toEqual([]);
    } finally {
      await db.query("alter table message drop constraint probe_of_old, drop column probe_of_old");
    }
  });
});

describe("a migration may not, on a table that is there,", () => {
  test.each([
    ["change a type", ["alter table message alter column sequence type bigint"]],
    ["add a column with a value for each row", ["alter table message add column probe uuid default gen_random_uuid()"]],
    ["demand a value", ["alter table message alter column external_id set not null"]],
    ["check rows", ["alter table message add constraint probe check (body <> 'x')"]],
    [
      "check rows under the lock of the statement before",
      [
        "alter table message add constraint probe check (body <> 'x') not valid",
        "alter table message validate constraint probe",
      ],
    ],
    ["check a reference", ["alter table message add constraint probe foreign key (tenant_id) references tenant (id)"]],
    ["build an index", ["create index probe on message (created_at)"]],
    ["build an index for a constraint", ["alter table message add constraint probe unique (created_at)"]],
    [
      "fill a column under the lock that added it",
      ["alter table message add column probe text", "update message set probe = body"],
    ],
  ])("%s", async (_, statements) => {
    const found = await ofStatements(...statements);
    expect(found).toContainEqual(expect.stringMatching(/^message is (rewritten|read) under \w+Lock: /));
  });
});

/** The tables under audit, and their columns. */
const audited = async (client: pg.ClientBase): Promise<Map<string, string>> => {
  const { rows } = await client.query<{ name: string; columns: string }>(
    `select c.relname as name, string_agg(a.attname, ', ' order by a.attname) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'audit_update')
    group by c.oid, c.relname`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
};

/** What a migration has to do for the audit log, and does not. It is undone. */
async function whatAuditMisses(up: (query: (sql: string) => Promise<unknown>) => Promise<unknown>): Promise<string[]> {
  const client = await connect(db.url);
  try {
    await client.query("begin");
    const before = await audited(client);
    await up((sql) =>
      /\bconcurrently\b/i.test(sql) ? Promise.resolve([]) : client.query<object>(sql).then(({ rows }) => rows),
    );
    const after = await audited(client);
    const { rowCount } = await client.query("select from schema_object where name = 'audit-triggers'");
    const changed = [...before.keys()].filter((name) => after.has(name) && after.get(name) !== before.get(name));
    return rowCount
      ? changed.map(
          (name) =>
            `The audit trigger of ${name} knows the columns that the table had. Have the migration "delete from schema_object ` +
            `where name = 'audit-triggers'": then audit-triggers.sql is applied again right after it`,
        )
      : [];
  } finally {
    await client.query("rollback");
    await client.end();
  }
}

describe("a migration that changes which columns a table under audit has", () => {
  const APPLIES_AGAIN = "delete from schema_object where name = 'audit-triggers'";
  const missedBy = (...statements: string[]): Promise<string[]> =>
    whatAuditMisses(async (query) => {
      for (const sql of statements) await query(sql);
    });

  test.each([
    ["adds one", "alter table label add column probe text"],
    ["drops one", "alter table label drop column name"],
    ["renames one", "alter table label rename column name to probe"],
  ])("%s: it has audit-triggers.sql applied again", async (_, statement) => {
    expect(await missedBy(statement)).toEqual([
      expect.stringContaining("The audit trigger of label knows the columns"),
    ]);
    expect(await missedBy(statement, APPLIES_AGAIN)).toEqual([]);
  });

  test("another change, or another table, needs nothing", async () => {
    expect(await missedBy("alter table label alter column name type varchar(200)")).toEqual([]);
    expect(await missedBy("alter table job_run add column probe text", "create table probe (n integer)")).toEqual([]);
  });
});

test("no migration behind the baseline leaves the audit log with the columns of before", async () => {
  const [, ...further] = MIGRATIONS as readonly (new () => MigrationInterface)[];
  for (const Migration of further) {
    const migration = new Migration();
    const found = await whatAuditMisses((query) => migration.up({ query } as unknown as QueryRunner));
    expect(found, migration.name).toEqual([]);
  }
});

test("no migration behind the baseline makes others wait for longer the more rows there are", async () => {
  const [, ...further] = MIGRATIONS as readonly (new () => MigrationInterface)[];
  for (const Migration of further) {
    const migration = new Migration();
    const found = await whatTakesLong((query) => migration.up({ query } as unknown as QueryRunner));
    expect(found, migration.name).toEqual([]);
  }
});
