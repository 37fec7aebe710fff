import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { examineDatabase } from "../../../src/cli/doctor/postgres.js";
import { ENTITIES } from "../../../src/entities.js";
import { connectionsOf } from "../../../src/platform/database/connections.js";
import { migrate } from "../../../src/platform/database/migrations/migrate.js";
import { ownerOptions } from "../../../src/platform/database/options.js";
import { applySqlFiles } from "../../../src/platform/database/migrations/sql-files.js";
import { SQL_FILES } from "../../../src/sql-files.js";
import { freshDatabase, type TestDatabase, connect } from "../../support/database.js";
import { eventually } from "../../support/eventually.js";

const SRC = path.resolve(import.meta.dirname, "../../../src");
const BASELINE = path.join(SRC, "platform/database/migrations/baseline");

let db: TestDatabase;
let client: pg.Client;
let folder: string;
beforeAll(async () => {
  db = await freshDatabase();
  client = await connect(db.url);
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-sql-files-"));
  await db.query("create table probe_run (file text)");
});
afterAll(async () => {
  await client.end();
  await db.drop();
  fs.rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  await db.query("delete from schema_object where name like 'probe%'");
  await db.query("truncate probe_run");
  await db.query("drop function if exists probe_one(), probe_two()");
});

/** A file that defines `probe_one` or `probe_two` and inserts a row into `probe_run` each time it is applied. */
function probe(name: "probe_one" | "probe_two", result: number, before = ""): URL {
  const file = path.join(folder, `${name}.sql`);
  fs.writeFileSync(
    file,
    `${before}create or replace function ${name}() returns integer language sql as 'select ${result}';\ninsert into probe_run values ('${name}');\n`,
  );
  return pathToFileURL(file);
}
const runs = async (): Promise<string[]> =>
  (await db.query<{ file: string }>("select file from probe_run")).map(({ file }) => file);
const start = (...added: URL[]): Promise<void> =>
  migrate(db.url, ownerOptions(db.url, ENTITIES), [...SQL_FILES, ...added]);

describe("the .sql files of functions and triggers", () => {
  test("are all listed, with unique names", () => {
    const found = fs
      .readdirSync(SRC, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".sql"))
      .map((file) => path.join(SRC, file))
      .filter((file) => path.dirname(file) !== BASELINE);
    expect(found.length).toBeGreaterThan(10);
    expect(SQL_FILES.map(({ pathname }) => pathname).sort()).toEqual(found.sort());
    const names = found.map((file) => path.basename(file));
    expect(names).toEqual([...new Set(names)]);
  });

  test("define every function and trigger: the migrations define none", async () => {
    const made = `select
      (select count(*)::int from pg_proc where pronamespace = 'public'::regnamespace) as functions,
      (select count(*)::int from pg_trigger where not tgisinternal) as triggers`;
    const name = `${db.name}_tables`;
    await db.query(`create database ${name}`);
    const url = db.url.replace(db.name, name);
    try {
      await migrate(url, ownerOptions(url, ENTITIES), []);
      const tables = await connect(url);
      expect((await tables.query(made)).rows).toEqual([{ functions: 0, triggers: 0 }]);
      await tables.end();
    } finally {
      await db.query(`drop database ${name} with (force)`);
    }
    const [all] = await db.query<{ functions: number; triggers: number }>(made);
    expect(all!.functions).toBeGreaterThan(50);
    expect(all!.triggers).toBeGreaterThan(50);
  });
});

describe("starting", () => {
  test("only queries the checksums if no file changed", async () => {
    const before = await db.query("select name, checksum, applied_at, xmin::text from schema_object order by name");
    expect(before).toHaveLength(SQL_FILES.length);
    const sent: string[] = [];
    const recording = { query: (text: string) => (sent.push(text), client.query(text)) } as unknown as pg.Client;
    expect(await applySqlFiles(recording, SQL_FILES)).toEqual([]);
    expect(sent).toEqual(["select name, checksum from schema_object"]);
    expect(await db.query("select name, checksum, applied_at, xmin::text from schema_object order by name")).toEqual(
      before,
    );
  });

  test("applies only the file that changed", async () => {
    await start(probe("probe_one", 1), probe("probe_two", 1));
    expect(await runs()).toEqual(["probe_one", "probe_two"]);
    expect(await applySqlFiles(client, [...SQL_FILES, probe("probe_one", 2), probe("probe_two", 1)])).toEqual([
      "probe_one",
    ]);
    expect(await runs()).toEqual(["probe_one", "probe_two", "probe_one"]);
    expect(await db.query("select probe_one(), probe_two()")).toEqual([{ probe_one: 2, probe_two: 1 }]);
  });

  test("applies a changed file once, however many processes start concurrently", async () => {
    const file = probe("probe_one", 1, "select pg_sleep(0.2);\n");
    await Promise.all(Array.from({ length: 5 }, () => start(file)));
    expect(await runs()).toEqual(["probe_one"]);
    probe("probe_one", 2, "select pg_sleep(0.2);\n");
    await Promise.all(Array.from({ length: 5 }, () => start(file)));
    expect(await runs()).toEqual(["probe_one", "probe_one"]);
    expect(await db.query("select probe_one()")).toEqual([{ probe_one: 2 }]);
  });

  test("does not apply a file again after it moved to another folder", async () => {
    await start(probe("probe_one", 1));
    const moved = path.join(fs.mkdtempSync(path.join(folder, "moved-")), "probe_one.sql");
    fs.copyFileSync(path.join(folder, "probe_one.sql"), moved);
    await start(pathToFileURL(moved));
    expect(await runs()).toEqual(["probe_one"]);
  });

  test("fails at an invalid file, names the file and the line, and applies no other file", async () => {
    const good = probe("probe_one", 1);
    const broken = probe("probe_two", 1, "-- a comment\nselect no_such_function();\n");
    await expect(start(good, broken)).rejects.toThrow(
      "probe_two.sql:2 cannot be applied: function no_such_function() does not exist",
    );
    expect(await runs()).toEqual([]);
    expect(await db.query("select from pg_proc where proname like 'probe%'")).toEqual([]);
    expect(await db.query("select from schema_object where name like 'probe%'")).toEqual([]);
    await start(good, probe("probe_two", 1));
    expect(await runs()).toEqual(["probe_one", "probe_two"]);
  });

  test("refuses a database with functions of a deleted file", async () => {
    await start(probe("probe_one", 1));
    await expect(start()).rejects.toThrow("functions or triggers of probe_one.sql, which this version does not have");
    await db.query("drop function probe_one(); delete from schema_object where name = 'probe_one'");
    await start();
  });

  // Whoever asks for a table after a change of it waits behind the change, which waits for whoever reads the table now.
  test("makes way for requests while somebody reads the table that it changes", async () => {
    await db.query("create table probe_table (n integer)");
    const reader = await connect(db.url);
    try {
      await reader.query("begin; select from probe_table");
      const change = probe("probe_one", 1, "alter table probe_table add column m integer;\n");
      const started = start(change);
      await eventually(async () =>
        expect(
          await client.query("select from pg_locks where relation = 'probe_table'::regclass and not granted"),
        ).toMatchObject({ rowCount: 1 }),
      );
      expect(await db.query("select n from probe_table")).toEqual([]);
      await reader.query("commit");
      await started;
      expect(await runs()).toEqual(["probe_one"]);
    } finally {
      await reader.end();
      await db.query("drop table probe_table");
    }
  });

  describe("a process whose database is ready for a newer version", () => {
    beforeEach(() => db.query("comment on table schema_object is 'Parley 99.1.0'"));
    afterEach(async () => {
      await db.query("comment on table schema_object is null");
      await start();
    });

    test("leaves the functions of that version alone, also those that it does not have", async () => {
      await db.query("insert into schema_object (name, checksum) values ('probe_of_newer', 'c')");
      await start(probe("probe_one", 1));
      expect(await runs()).toEqual([]);
      await db.query("delete from schema_object where name = 'probe_of_newer'");
    });

    test("is told so by the doctor", async () => {
      const { findings, isUsable } = await examineDatabase(connectionsOf({ DATABASE_URL: db.url }, db.url), 2);
      expect(isUsable).toBe(true);
      expect(findings).toContainEqual({
        level: "warning",
        says: expect.stringMatching(
          /^The database is ready for Parley 99\.1\.0, and this is \d+\.\d+\.\d+: /,
        ) as string,
      });
    });
  });

  test("notes its version, which is no older one than that before", async () => {
    const comment = async (): Promise<unknown> =>
      (await db.query("select obj_description('schema_object'::regclass, 'pg_class') as comment"))[0]!.comment;
    await db.query("comment on table schema_object is 'Parley 0.0.9'");
    await start();
    expect(await comment()).toMatch(/^Parley \d+\.\d+\.\d+/);
    expect(await comment()).not.toBe("Parley 0.0.9");
  });
});
