import type pg from "pg";
import { expect } from "vitest";
import { main, superuser, until } from "./support.js";

/**
 * Kills the first two starts on a folder while they load the demo: one in the middle of the conversations, one in the
 * middle of the knowledge.
 */
export async function interruptTwice(dataDir: string): Promise<void> {
  await killedWhen(dataDir, inTheConversations);
  await killedWhen(dataDir, inTheKnowledge);
}

/** Starts the server and kills it with kill -9 at `reached`, before it has printed anything. */
async function killedWhen(dataDir: string, reached: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const run = main({ DATA_DIR: dataDir, PORT: 0 });
  const client = await asSoonAsPossible(dataDir);
  await reached(client);
  expect(run.output().stdout, "the demo was not complete yet").toBe("");
  await run.end("SIGKILL");
  await client.end().catch(() => undefined);
}

const rows = async (client: pg.Client, table: string): Promise<number> =>
  (await client.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]!.count;
const inTheConversations = (client: pg.Client): Promise<unknown> =>
  until(
    async () => (await rows(client, "message")) > 40,
    () => "some messages were there",
  );

/** The fourth entry is blocked while the table `hold` has a row, so that the kill leaves an incomplete list. */
async function inTheKnowledge(client: pg.Client): Promise<void> {
  await client.query(`create table hold as select;
    create function hold_back() returns trigger language plpgsql security definer as $$ begin
      if exists (select from public.hold) and (select count(*) from public.kb_entry) >= 3 then perform pg_sleep(60); end if;
      return new;
    end $$;
    create trigger hold_back before insert on kb_entry for each row execute function hold_back()`);
  await until(
    async () => (await client.query(`select from pg_stat_activity where wait_event = 'PgSleep'`)).rowCount! > 0,
    () => "the fourth entry was on its way",
  );
  // TRUNCATE would wait for the insert that reads the table.
  await client.query("delete from hold");
  expect(await rows(client, "kb_entry")).toBe(3);
}

/** Connects to the database of a starting server as soon as its tables exist. */
function asSoonAsPossible(dataDir: string): Promise<pg.Client> {
  return until(
    async () => {
      const client = await superuser(dataDir).catch(() => undefined);
      const there = await client
        ?.query<{ ready: boolean }>(`select to_regclass('purge_queue') is not null as ready`)
        .catch(() => undefined);
      if (there?.rows[0]!.ready) return client;
      await client?.end().catch(() => undefined);
      return undefined;
    },
    () => "the tables were there",
  );
}
