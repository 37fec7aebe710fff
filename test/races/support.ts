import pg from "pg";
import type { Config } from "../../src/platform/config/config.js";
import { ChangeLine } from "../../src/platform/database/change-line.js";
import { Changes } from "../../src/platform/database/changes.js";
import { startApp, type TestApp } from "../support/app.js";
import type { Client } from "../support/client.js";
import { freshDatabase, type TestDatabase, connect } from "../support/database.js";

export interface TwoNodes {
  a: TestApp;
  b: TestApp;
  close(): Promise<void>;
}

/** Two nodes of one installation, on a new database or on the given one. Closing drops the database. */
export async function startTwo(settings: Partial<Config> = {}, db?: TestDatabase): Promise<TwoNodes> {
  const a = await startApp(settings, db);
  const b = await startApp(settings, a.db);
  return {
    a,
    b,
    close: async () => {
      await b.close();
      await a.close();
      await db?.drop();
    },
  };
}

/**
 * A database that does not detect deadlocks. PostgreSQL would normally abort one of the transactions and the application would
 * retry it, so a wrong lock order would go unnoticed. Here both wait until their statement timeout and return 503.
 */
export async function databaseWithDeadlocks(): Promise<TestDatabase> {
  const db = await freshDatabase();
  await db.query(`alter database "${new URL(db.url).pathname.slice(1)}" set deadlock_timeout = '1h'`);
  return db;
}

/** Waits until this many connections to the database wait for a lock. */
export const untilWaiting = (db: TestDatabase, count: number): Promise<unknown> =>
  until(
    async () =>
      (await db.query("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
        .length >= count,
    `${count} connections wait for a lock`,
  );

/** The same credential on another node. */
export const on = (node: TestApp, { token }: Client): Client => node.client(token);

/** Starts all of them concurrently. */
export const concurrently = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** How often each value occurs. */
export function tally(values: readonly (string | number | null)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
}

/** Much longer than a busy machine needs, and shorter than a test may take, so that the test says what it waited for. */
const PATIENCE_MS = 100_000;

/**
 * For what another process learns within a second: ten times that, for a busy machine. It is less than the minute after which
 * a process reads everything anew, whatever it was told.
 */
export const SOON_MS = 10_000;

/** Polls until the result is truthy. */
export async function until<T>(ask: () => Promise<T>, what: string, withinMs = PATIENCE_MS): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (Array.isArray(answer) ? answer.length : answer) return answer;
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const MAX_DISTURBANCES = 50;

/**
 * Repeats the work until the nodes heard each other throughout. While a listening connection does not answer for 0.9 s, as may be
 * on a busy machine, a node by design reads everything from the database, and drops signals. All other rounds must succeed.
 */
export async function undisturbed<T>(nodes: readonly TestApp[], work: () => Promise<T>): Promise<T> {
  for (let round = 0; ; round++) {
    await until(async () => nodes.every(hearsAll), "all nodes hear the others");
    const { disturbed, end } = watch(nodes);
    try {
      return await work();
    } catch (error) {
      if (!disturbed() || round === MAX_DISTURBANCES) throw error;
    } finally {
      end();
    }
  }
}

/**
 * The same for what is compared later: prepares and does the work again until nothing disturbed the work. What was answered in the
 * round before is forgotten, because it is shared for a moment.
 */
export async function measured<Prepared, T>(
  nodes: readonly TestApp[],
  prepare: () => Promise<Prepared>,
  work: (prepared: Prepared) => Promise<T>,
): Promise<T> {
  for (let round = 0; ; round++) {
    if (round > 0) for (const node of nodes) node.app.get(Changes).forgetEverything();
    const prepared = await prepare();
    await until(async () => nodes.every(hearsAll), "all nodes hear the others");
    const { disturbed, end } = watch(nodes);
    try {
      const result = await work(prepared);
      if (!disturbed() || round === MAX_DISTURBANCES) return result;
    } finally {
      end();
    }
  }
}

interface Inside {
  lines: ReadonlyMap<string, ChangeLine>;
  raiseFloor: (server: string) => void;
}
const insideOf = (node: TestApp): Inside => node.app.get<Inside>(Changes);
const hearsAll = (node: TestApp): boolean => [...insideOf(node).lines.values()].every(({ hearing }) => hearing);

/** Notes whether a node asks and does not hear the others, forgets what it knew, or has an error on its listening connection. */
function watch(nodes: readonly TestApp[]): { disturbed: () => boolean; end: () => void } {
  let disturbed = false;
  const note = (): void => void (disturbed = true);
  const hearing = Object.getOwnPropertyDescriptor(ChangeLine.prototype, "hearing")!.get!;
  const all = nodes.map(insideOf);
  const lines = all.flatMap((inside) => [...inside.lines.values()]);
  for (const line of lines)
    Object.defineProperty(line, "hearing", {
      configurable: true,
      get: () => {
        const hears = hearing.call(line) as boolean;
        if (!hears) note();
        return hears;
      },
    });
  for (const inside of all)
    inside.raiseFloor = function (server) {
      note();
      (Changes.prototype as unknown as Inside).raiseFloor.call(this, server);
    };
  // A test may have replaced it, too.
  const query = pg.Client.prototype.query as (...all: unknown[]) => unknown;
  const observed = function (this: pg.Client, ...args: unknown[]): unknown {
    const answer = query.apply(this, args);
    if (answer instanceof Promise && /pg_notify|pg_stat_activity/.test(String(args[0]))) answer.catch(note);
    return answer;
  };
  Object.assign(pg.Client.prototype, { query: observed });
  return {
    disturbed: () => disturbed,
    end: () => {
      Object.assign(pg.Client.prototype, { query });
      for (const inside of all) Reflect.deleteProperty(inside, "raiseFloor");
      for (const line of lines) Reflect.deleteProperty(line, "hearing");
    },
  };
}

const tables = (db: TestDatabase): Promise<{ name: string }[]> =>
  db.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public' order by tablename`);

/** The tables that contain a text, with the number of rows. Searches text and bytea columns. */
export async function tablesWith(db: TestDatabase, text: string): Promise<Record<string, number>> {
  const parts = (await tables(db)).map(
    ({ name }) =>
      `select '${name}' as name, count(*)::int as count from "${name}" t where position($1 in t::text) > 0 or position($2 in t::text) > 0`,
  );
  const values = [text, Buffer.from(text).toString("hex")];
  const rows = await db.query<{ name: string; count: number }>(parts.join(" union all "), values);
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]));
}

/** The number of rows of each table. */
export async function rowCounts(db: TestDatabase): Promise<Record<string, number>> {
  const parts = (await tables(db)).map(({ name }) => `select '${name}' as name, count(*)::int as count from "${name}"`);
  return Object.fromEntries(
    (await db.query<{ name: string; count: number }>(parts.join(" union all "))).map(({ name, count }) => [
      name,
      count,
    ]),
  );
}

/** The content of each table, as `COPY … TO STDOUT` prints it. */
export async function copyOf(db: TestDatabase): Promise<Record<string, string>> {
  const client = await connect(db.url);
  try {
    const copies: Record<string, string> = {};
    for (const { name } of await tables(db)) {
      const chunks: Buffer[] = [];
      await new Promise<void>((resolve, reject) => {
        const query = new pg.Query(`copy "${name}" to stdout`, (error) => {
          if (error) reject(error);
          else resolve();
        });
        // The driver passes the rows on without parsing them.
        Object.assign(query, { handleCopyData: ({ chunk }: { chunk: Buffer }) => chunks.push(Buffer.from(chunk)) });
        client.query(query);
      });
      copies[name] = Buffer.concat(chunks).toString();
    }
    return copies;
  } finally {
    await client.end();
  }
}
