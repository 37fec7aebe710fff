import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";

export interface TestDatabase {
  name: string;
  /** The connection string of the schema's owner, which bypasses row-level security. */
  url: string;
  /** The connection string of the running server, whose login owns nothing. */
  serverUrl: string;
  /** The same through the pooler of the run, if it has one. */
  pooledUrl?: string;
  query<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Each connection plans the statement once. For long texts that are sent many times. */
  prepared<Row>(name: string, sql: string): Promise<Row[]>;
  /** Listeners for writes by `query`, which bypass the application. */
  readonly onWrite: Set<() => void>;
  drop(): Promise<void>;
}

/** A connection of its own, for what a pool cannot do. Close it. */
export async function connect(to: pg.ClientConfig | string): Promise<pg.Client> {
  const client = new pg.Client(to);
  // The error of a statement reaches who sent it. That of an idle connection would end the run.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** The same address by the Unix socket of the run's PostgreSQL, which costs a third less than TCP. Others stay as they are. */
export function bySocket(url: string): string {
  const address = new URL(url);
  if (address.host !== new URL(inject("postgres")).host || address.search) return url;
  address.searchParams.set("host", inject("socket"));
  return address.href;
}

/** Creates a database with the schema, for one test file. */
export async function freshDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  const urlOf = (database: string, url = inject("postgres")): string =>
    url.replace(encodeURIComponent("{database}"), database).replace("{database}", database);
  const admin = await connect(urlOf("postgres"));
  await admin.query(`create database ${name} template template_parley strategy file_copy`);
  const db = openedDatabase(name, urlOf(name), urlOf(name, inject("server")), async () => {
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  const pooler = inject("pooler");
  return pooler ? { ...db, pooledUrl: urlOf(name, pooler) } : db;
}

/** A database of any server, for what asks it beside the application. */
export function openedDatabase(
  name: string,
  url: string,
  serverUrl: string,
  drop: () => Promise<void> = () => Promise.resolve(),
): TestDatabase {
  // Starting parallel workers takes longer than reading the small tables of a test.
  const options = "-c max_parallel_workers_per_gather=0";
  const pool = new pg.Pool({ connectionString: bySocket(url), max: 4, options });
  pool.on("error", () => undefined);
  const onWrite = new Set<() => void>();
  return {
    name,
    url,
    serverUrl,
    onWrite,
    query: async <Row>(sql: string, values: unknown[] = []) => {
      const { rows } = await pool.query(sql, values);
      if (!/^\s*select\b/i.test(sql)) for (const tell of onWrite) tell();
      return rows as Row[];
    },
    prepared: async <Row>(statement: string, text: string) =>
      (await pool.query({ name: statement, text })).rows as Row[],
    drop: async () => {
      await pool.end();
      await drop();
    },
  };
}
