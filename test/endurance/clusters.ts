import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { ENTITIES } from "../../src/entities.js";
import { named, withEnds } from "../../src/maintenance/moving/ends.js";
import { Move, type MoveTools } from "../../src/maintenance/moving/move.js";
import { findOrganisation } from "../../src/maintenance/moving/organisation-tables.js";
import { APP_ROLE } from "../../src/platform/database/app-role.js";
import { connectionsOf } from "../../src/platform/database/connections.js";
import { startEmbeddedPostgres } from "../../src/platform/database/embedded/embedded.js";
import { migrate } from "../../src/platform/database/migrations/migrate.js";
import { ownerOptions } from "../../src/platform/database/options.js";
import { SQL_FILES } from "../../src/sql-files.js";
import { attachmentsOf } from "../support/app.js";
import { connect, type TestDatabase } from "../support/database.js";
import { postgresOf, processesOn, until } from "../server/process/support.js";

/** A PostgreSQL of the test's own that can send its changes to another one, with the schema. */
export interface Cluster extends TestDatabase {
  /** As the owner of the schema. */
  client: pg.Client;
  superuserUrl: string;
  /** kill -9. Then only `restart` works. */
  crash(): Promise<void>;
  /** It comes back on another port. @returns its address */
  restart(): Promise<string>;
}

// Each table is copied by a process that takes a moment to start.
const WORKERS = [
  "max_worker_processes = 24",
  "max_logical_replication_workers = 16",
  "max_sync_workers_per_subscription = 8",
];
const SETTINGS = ["wal_level = 'logical'", "jit = off", "autovacuum = off", ...WORKERS];

/** What docs/moving.md asks of an owner that is no superuser. */
const OWNER = (password: string): string[] => [
  `create role owner login createrole replication bypassrls password '${password}' in role pg_create_subscription`,
  "grant set on parameter session_replication_role to owner",
  "create database owned owner owner",
];

/** @returns the address of a database whose owner is no superuser */
async function ownedDatabase(admin: pg.Client, url: string): Promise<string> {
  const password = randomUUID();
  for (const statement of OWNER(password)) await admin.query(statement);
  return Object.assign(new URL(url), { username: "owner", password, pathname: "/owned" }).href;
}

interface ClusterOptions {
  /** Further settings of PostgreSQL. */
  settings?: readonly string[];
  /** Who owns the schema. Default: the superuser. */
  owner?: "superuser" | "ordinary";
}

export async function startCluster({ settings = [], owner = "superuser" }: ClusterOptions = {}): Promise<Cluster> {
  const memory = "/dev/shm";
  const dataDir = fs.mkdtempSync(path.join(fs.existsSync(memory) ? memory : os.tmpdir(), "parley-cluster-"));
  const options = { dataDir, mode: "own", durable: false } as const;
  const first = await startEmbeddedPostgres(options);
  const admin = await connect(first.url());
  for (const setting of [...SETTINGS, ...settings]) await admin.query(`alter system set ${setting}`);
  const owned = owner === "ordinary" ? await ownedDatabase(admin, first.url()) : undefined;
  await admin.end();
  await first.stop();
  let server = await startEmbeddedPostgres(options);
  // It comes back on another port.
  const addressOf = (of: string): string =>
    owned ? Object.assign(new URL(owned), { port: new URL(of).port }).href : of;
  const url = addressOf(server.url());
  await migrate(url, ownerOptions(url, ENTITIES), SQL_FILES);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on("error", () => undefined);
  const client = await connect(url);
  const onWrite = new Set<() => void>();
  return {
    name: path.basename(dataDir),
    url,
    serverUrl: Object.assign(new URL(await server.loginUrl(APP_ROLE)), { pathname: new URL(url).pathname }).href,
    client,
    superuserUrl: server.url(),
    onWrite,
    query: async <Row>(sql: string, values: unknown[] = []) => {
      const { rows } = await pool.query(sql, values);
      for (const tell of onWrite) tell();
      return rows as Row[];
    },
    crash: async () => {
      // Tests do without waiting for the disk at each commit.
      await client.query("checkpoint");
      const ended = until(
        () => processesOn(dataDir).length === 0,
        () => "PostgreSQL had ended",
      );
      process.kill(postgresOf(dataDir), "SIGKILL");
      await server.stop().catch(() => undefined);
      await ended;
    },
    restart: async () => {
      server = await until(
        () => startEmbeddedPostgres(options).catch(() => undefined),
        () => "PostgreSQL was back",
      );
      return addressOf(server.url());
    },
    prepared: async <Row>(name: string, text: string) => (await pool.query({ name, text })).rows as Row[],
    drop: async () => {
      await client.end();
      await pool.end();
      await server.stop();
      for (const folder of [dataDir, attachmentsOf({ url })]) fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface TwoServers {
  control: Cluster;
  second: Cluster;
  /** As DATABASE_SERVERS has it. */
  setting: string;
  drop(): Promise<void>;
}

/** Two servers, on which the running application has the same login. */
export async function twoServers(options: ClusterOptions = {}): Promise<TwoServers> {
  const [control, second] = await Promise.all([startCluster(options), startCluster(options)]);
  const superuser = await connect(second.superuserUrl);
  await superuser.query(`alter role parley_server password '${new URL(control.serverUrl).password}'`);
  await superuser.end();
  return {
    control,
    second,
    setting: `second=${second.url}`,
    drop: async () => {
      await Promise.all([control.drop(), second.drop()]);
    },
  };
}

/** Does `work` with a move of the organisation, which has connections of its own. */
export async function withMove<T>(
  servers: TwoServers,
  {
    from,
    to,
    id,
    log,
  }: { from: "control" | "second"; to: "control" | "second"; id: string; log: (line: string) => void },
  work: (move: Move, tools: MoveTools) => Promise<T>,
): Promise<T> {
  const connections = (["control", "second"] as const).map((name) => ({
    name,
    owner: connectionsOf({}, servers[name].url).owner,
  }));
  return withEnds(connections, async (ends) => {
    const [source, target] = [named(ends, from), named(ends, to)];
    const organisation = (await findOrganisation(source.client, id))!;
    const tools = { control: ends[0]!.client, source, target, organisation, log };
    return work(new Move(tools), tools);
  });
}
