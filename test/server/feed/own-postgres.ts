import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type GuardedProcess, spawnGuarded } from "../../../src/platform/database/embedded/process.js";
import { startEmbeddedPostgres } from "../../../src/platform/database/embedded/embedded.js";
import { postgresOf } from "../process/support.js";

const PATIENCE_MS = 120_000;

/** A PostgreSQL of the test's own, durable as in production, so that it can be killed and started again. */
export interface OwnPostgres {
  url: string;
  query<Row>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** kill -9, then a new start on the same data and port. */
  killAndStart(): Promise<void>;
  stop(): Promise<void>;
}

export async function ownPostgres(dataDir: string): Promise<OwnPostgres> {
  const first = await startEmbeddedPostgres({ dataDir, mode: "own" });
  const cluster = path.join(first.dataDir, "cluster");
  const { uid, gid } = fs.statSync(cluster);
  const user = process.getuid?.() === 0 ? { name: "the cluster's owner", uid, gid } : undefined;
  const url = first.url();
  let again: GuardedProcess | undefined;
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on("error", () => undefined);

  const accepts = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  return {
    url,
    query: async <Row>(sql: string, values: unknown[] = []) => (await pool.query(sql, values)).rows as Row[],
    killAndStart: async () => {
      const pid = postgresOf(dataDir);
      const [command, ...args] = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
      process.kill(pid, "SIGKILL");
      await again?.exited;
      const deadline = Date.now() + PATIENCE_MS;
      // Until its processes have ended, PostgreSQL refuses to start.
      do {
        if (!again || again.hasExited()) again = spawnGuarded(command!, args, user);
        await sleep(50);
        if (Date.now() > deadline) throw new Error(`PostgreSQL did not start again: ${await again.output()}`);
      } while (again.hasExited() || !(await accepts()));
    },
    stop: async () => {
      await pool.end();
      await again?.end();
      await first.stop();
    },
  };
}
