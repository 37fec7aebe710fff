import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import "reflect-metadata";
import { startEmbeddedPostgres } from "../../src/platform/database/embedded/embedded.js";
import { migrate } from "../../src/platform/database/migrations/migrate.js";
import { APP_ROLE } from "../../src/platform/database/app-role.js";
import { SESSION } from "../../src/platform/database/connections.js";
import { ownerOptions } from "../../src/platform/database/options.js";
import { buildWidgets } from "../../scripts/widgets.mjs";
import { buildWorkers } from "../../scripts/workers.mjs";
import { ENTITIES } from "../../src/entities.js";
import { SQL_FILES } from "../../src/sql-files.js";
import { type PgBouncer, startPgBouncer, WITHOUT_PGBOUNCER } from "./pgbouncer.js";

/** `PARLEY_TEST_POOLER=1` puts a real PgBouncer between the applications of the tests and PostgreSQL. */
const THROUGH_POOLER = process.env.PARLEY_TEST_POOLER === "1";

/**
 * Starts one PostgreSQL for the whole run, with a migrated template that each test file clones, and bundles the
 * widgets' and the workers' scripts from their current source.
 * @returns connection strings with `{database}` in the place of the database's name: as the owner, as the running server, and as the running
 * server through a pooler, which is empty without one; and the folder of PostgreSQL's socket
 */
export async function start(): Promise<{
  postgres: string;
  server: string;
  pooler: string;
  socket: string;
  stop(): Promise<void>;
}> {
  await buildWidgets();
  await buildWorkers();
  const dir = scratch();
  const server = await startEmbeddedPostgres({ dataDir: dir, mode: "own", durable: false, socket: true });
  const admin = new pg.Client(server.url("postgres"));
  admin.on("error", () => undefined);
  await admin.connect();
  // Same plans each time, and no work beside the tests. A transaction that a failed test left open would hold the change feed of
  // all others back until the run ends.
  // Each connection would stretch its password 4096 times.
  const settings = ["jit = off", "autovacuum = off", "max_parallel_workers_per_gather = 0", "scram_iterations = 1"];
  for (const setting of [...settings, "idle_in_transaction_session_timeout = '100s'"])
    await admin.query(`alter system set ${setting}`);
  await admin.query("select pg_reload_conf()");
  const { username, password } = new URL(server.url("postgres"));
  await admin.query("set scram_iterations = 1");
  await admin.query(`alter role ${pg.escapeIdentifier(username)} password ${pg.escapeLiteral(password)}`);
  await admin.query("create database template_parley");
  await migrate(server.url("template_parley"), ownerOptions(server.url("template_parley"), ENTITIES), SQL_FILES);
  await knowTenants(server.url("template_parley"));
  await admin.query("alter database template_parley with is_template true allow_connections false");
  const serverUrl = (await server.loginUrl(APP_ROLE)).replace(/[^/]+$/, "{database}");
  const pooler = THROUGH_POOLER ? await startPooler(admin, server.url("postgres"), serverUrl) : undefined;
  await admin.end();
  return {
    postgres: server.url("{database}"),
    server: serverUrl,
    pooler: pooler?.through(serverUrl) ?? "",
    socket: server.dataDir,
    stop: async () => {
      await pooler?.close();
      await server.stop();
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** For whole sessions. What the start makes the defaults of the server's login in one database, it has here in all. */
async function startPooler(admin: pg.Client, ...urls: [owner: string, server: string]): Promise<PgBouncer> {
  if (WITHOUT_PGBOUNCER) throw new Error(`PARLEY_TEST_POOLER=1${WITHOUT_PGBOUNCER}`);
  const login = pg.escapeIdentifier(new URL(urls[1]).username);
  for (const [name, value] of Object.entries(SESSION))
    await admin.query(`alter role ${login} set ${name} = ${pg.escapeLiteral(value)}`);
  return startPgBouncer(urls, { mode: "session", settings: ["max_client_conn = 2000", "default_pool_size = 40"] });
}

/**
 * Tells the planner that a table has two tenants, as `analyze` would in production, where autovacuum runs. Without statistics it
 * takes a tenant's rows for a 200th of the table, so an index on the tenant is as good to it as one on the id. A nested loop then
 * reads the whole tenant for each row, and a test that writes a thousand rows takes as long as a million.
 */
async function knowTenants(url: string): Promise<void> {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  await client.connect();
  await client.query(
    `select pg_restore_attribute_stats('schemaname', 'public', 'relname', c.relname::text, 'attname', 'tenant_id',
       'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 2::real)
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'tenant_id'`,
  );
  await client.end();
}

/** In memory if there is room, which makes cloning a database four times faster. */
function scratch(): string {
  const memory = "/dev/shm";
  try {
    const { bavail, bsize } = fs.statfsSync(memory);
    if (bavail * bsize > 1e9) return fs.mkdtempSync(path.join(memory, "parley-test-"));
  } catch {
    /* The folder does not exist here. */
  }
  return fs.mkdtempSync(path.join(os.tmpdir(), "parley-test-"));
}
