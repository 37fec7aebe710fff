import { setTimeout as sleep } from "node:timers/promises";
import pg, { type ClientConfig } from "pg";
import { DataSource } from "typeorm";
import type { PostgresDataSourceOptions } from "typeorm/driver/postgres/PostgresDataSourceOptions.js";
import { driverError } from "../../http/errors.js";
import { clientConfig } from "./client-config.js";
import { isReadyForNewer, noteVersion } from "./schema-version.js";
import { applySqlFiles } from "./sql-files.js";

const OLDEST_SERVER = 150_000;
/**
 * How long a migration waits for a lock. Whoever comes after it to the same table waits for as long, so it makes way, and tries again.
 */
const LOCK_MS = 300;
/** Meanwhile, whoever waited behind it has a turn. */
const PAUSE_MS = 2_000;
/** Then something holds the table that does not end by itself. */
const MAX_ATTEMPTS = 120;
/** It waited for a lock, or crossed requests that go on meanwhile. It was rolled back, and can be run again. */
const MADE_WAY = new Set(["55P03", "40P01"]);

/**
 * Brings the schema up to date, as the user that owns it: first the migrations that have not run, then the `.sql` files
 * of functions and triggers that changed. Servers may go on meanwhile.
 * TypeORM takes no lock of its own: of several processes that start at once, one migrates and the others wait for it.
 * @param sqlFiles in the order in which they are applied
 */
export async function migrate(
  connection: ClientConfig | string,
  options: PostgresDataSourceOptions,
  sqlFiles: readonly URL[],
): Promise<void> {
  const guard = new pg.Client({ ...clientConfig(connection), connectionTimeoutMillis: 5_000 });
  guard.on("error", () => undefined); // it may break while the migrations run on another connection: the next query says so
  await guard.connect();
  try {
    const { rows } = await guard.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    );
    if (rows[0]!.version < OLDEST_SERVER) throw new Error("PostgreSQL 15 or later is needed");
    await guard.query(`select pg_advisory_lock(hashtext('parley migrate'))`);
    // In the middle of an upgrade, a process of the version before starts again. It must not bring its own functions back.
    if (await isReadyForNewer(guard)) return;
    await guard.query(`set lock_timeout = ${LOCK_MS}`);
    const source = await new DataSource(makingWay(options)).initialize();
    try {
      await untilItPasses(() => source.runMigrations({ transaction: "each" }));
    } finally {
      await source.destroy();
    }
    await untilItPasses(() => applySqlFiles(guard, sqlFiles));
    await noteVersion(guard);
  } finally {
    await guard.end();
  }
}

const makingWay = (options: PostgresDataSourceOptions): PostgresDataSourceOptions => ({
  ...options,
  extra: { ...(options.extra as object), lock_timeout: LOCK_MS },
});

async function untilItPasses(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      const cause = (error as Error).cause ?? error;
      if (attempt === MAX_ATTEMPTS || !MADE_WAY.has(driverError(cause)?.code ?? "")) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
