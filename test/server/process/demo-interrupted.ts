import type pg from "pg";
import { expect } from "vitest";
import { ENTITIES } from "../../../src/entities.js";
import { startEmbeddedPostgres } from "../../../src/platform/database/embedded/embedded.js";
import { migrate } from "../../../src/platform/database/migrations/migrate.js";
import { ownerOptions } from "../../../src/platform/database/options.js";
import { SQL_FILES } from "../../../src/sql-files.js";
import { main, superuser, until } from "./support.js";
import { connect } from "../../support/database.js";

/** The demo has more of both. */
const ROWS_BEFORE_KILL = { message: 40, kb_entry: 3 };

/**
 * Kills the first two starts on a folder while they load the demo: one in the middle of the conversations, one in the
 * middle of the knowledge.
 */
export async function interruptTwice(dataDir: string): Promise<void> {
  await holdBack(dataDir);
  await killedAt(dataDir, "message");
  await killedAt(dataDir, "kb_entry");
}

/**
 * Makes the database with its schema, as `parley migrate` does. There the insert of the next row waits, for each table that `hold`
 * names, so that a kill meets it however fast or slow the machine is.
 */
async function holdBack(dataDir: string): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir, mode: "own", durable: false });
  try {
    await migrate(server.url(), ownerOptions(server.url(), ENTITIES), SQL_FILES);
    const client = await connect(server.url());
    await client.query(`create table hold (of text, count int);
      create function hold_back() returns trigger language plpgsql security definer as $$
      declare present int;
      begin
        if exists (select from public.hold where of = tg_table_name) then
          execute format('select count(*) from public.%I', tg_table_name) into present;
          if present >= (select count from public.hold where of = tg_table_name) then perform pg_sleep(3600); end if;
        end if;
        return new;
      end $$`);
    for (const [table, count] of Object.entries(ROWS_BEFORE_KILL))
      await client.query(`insert into hold values ('${table}', ${count});
        create trigger hold_back before insert on ${table} for each row execute function hold_back()`);
    await client.end();
  } finally {
    await server.stop();
  }
}

/** Starts the server and kills it with kill -9 while it inserts into the table, before it has printed anything. */
async function killedAt(dataDir: string, table: keyof typeof ROWS_BEFORE_KILL): Promise<void> {
  const run = main({ DATA_DIR: dataDir, PORT: 0 });
  const client = await until(
    () => superuser(dataDir).catch(() => undefined),
    () => `the database ran: ${run.output().stderr}`,
  );
  await until(
    async () => (await client.query(`select from pg_stat_activity where wait_event = 'PgSleep'`)).rowCount! > 0,
    () => `the next ${table} was on its way: ${run.output().stderr}`,
  );
  // The next start is not held back here. TRUNCATE would wait for the insert that reads the table.
  await client.query("delete from hold where of = $1", [table]);
  expect(await rows(client, table)).toBeGreaterThanOrEqual(ROWS_BEFORE_KILL[table]);
  expect(run.output().stdout, "the demo was not complete yet").not.toContain("svc_live");
  await run.end("SIGKILL");
  await client.end().catch(() => undefined);
}

const rows = async (client: pg.Client, table: string): Promise<number> =>
  (await client.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]!.count;
