import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { ENTITIES } from "../../../src/entities.js";
import { APP_ROLE } from "../../../src/platform/database/app-role.js";
import { startEmbeddedPostgres } from "../../../src/platform/database/embedded/embedded.js";
import { migrate } from "../../../src/platform/database/migrations/migrate.js";
import { ownerOptions } from "../../../src/platform/database/options.js";
import { SQL_FILES } from "../../../src/sql-files.js";
import { connect, type TestDatabase } from "../../support/database.js";

/** A PostgreSQL of the test's own that can send its changes to another one, with the schema. */
export interface Cluster extends TestDatabase {
  /** As the owner of the schema. */
  client: pg.Client;
}

const SETTINGS = ["wal_level = 'logical'", "jit = off", "autovacuum = off"];

export async function startCluster(settings: readonly string[] = SETTINGS): Promise<Cluster> {
  const memory = "/dev/shm";
  const dataDir = fs.mkdtempSync(path.join(fs.existsSync(memory) ? memory : os.tmpdir(), "parley-cluster-"));
  const options = { dataDir, mode: "own", durable: false } as const;
  const first = await startEmbeddedPostgres(options);
  const admin = await connect(first.url());
  for (const setting of settings) await admin.query(`alter system set ${setting}`);
  await admin.end();
  await first.stop();
  const server = await startEmbeddedPostgres(options);
  const url = server.url();
  await migrate(url, ownerOptions(url, ENTITIES), SQL_FILES);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on("error", () => undefined);
  const client = await connect(url);
  const onWrite = new Set<() => void>();
  return {
    name: path.basename(dataDir),
    url,
    serverUrl: await server.loginUrl(APP_ROLE),
    client,
    onWrite,
    query: async <Row>(sql: string, values: unknown[] = []) => {
      const { rows } = await pool.query(sql, values);
      for (const tell of onWrite) tell();
      return rows as Row[];
    },
    prepared: async <Row>(name: string, text: string) => (await pool.query({ name, text })).rows as Row[],
    drop: async () => {
      await client.end();
      await pool.end();
      await server.stop();
      fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
