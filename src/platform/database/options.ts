import type { PostgresDataSourceOptions } from "typeorm/driver/postgres/PostgresDataSourceOptions.js";
import { MIGRATIONS } from "./migrations/index.js";
import { SnakeCase } from "./naming.js";
import { clientOf, type ReadEngine } from "./read-engine/reads.js";

/**
 * Owns nothing, cannot delete identity events, and row-level security limits it to one tenant. The first migration
 * creates it.
 */
export const APP_ROLE = "parley_app";

/** For migrations. The server's own wait is a setting. */
const CONNECT_MS = 5_000;

/** What the settings say about the connections of a process. */
export interface PoolSettings {
  DATABASE_POOL_SIZE: number;
  DATABASE_WAIT_SECONDS: number;
  READ_ENGINE: ReadEngine;
}

/** The list of entity classes. It is passed in, because features are above this folder (see `src/entities.ts`). */
type Entities = PostgresDataSourceOptions["entities"];

const base = (url: string, entities: Entities): PostgresDataSourceOptions => ({
  type: "postgres",
  url,
  entities,
  migrations: MIGRATIONS,
  namingStrategy: new SnakeCase(),
  applicationName: "parley",
  synchronize: false,
  migrationsRun: false,
  installExtensions: false,
  connectTimeoutMS: CONNECT_MS,
  // Otherwise TypeORM would drop a condition whose value is missing, such as the tenant's.
  invalidWhereValuesBehavior: { null: "throw", undefined: "throw" },
});

/** For migrations: connects as the user that owns the schema. */
export const ownerOptions = (url: string, entities: Entities): PostgresDataSourceOptions => ({
  ...base(url, entities),
  poolSize: 2,
});

/**
 * For everything else: each connection starts with the application's role, and each statement has a timeout. PostgreSQL
 * plans a named statement once a connection. By itself it would plan many of ours anew at each call, because a plan that
 * knows the values looks cheaper to it. Planning the list of conversations takes longer than running it.
 */
export const appOptions = (
  url: string,
  entities: Entities,
  { DATABASE_POOL_SIZE, DATABASE_WAIT_SECONDS, READ_ENGINE }: PoolSettings,
): PostgresDataSourceOptions => ({
  ...base(url, entities),
  poolSize: DATABASE_POOL_SIZE,
  // Also how long a read waits for its turn.
  connectTimeoutMS: DATABASE_WAIT_SECONDS * 1_000,
  extra: {
    Client: clientOf(READ_ENGINE),
    options: `-c role=${APP_ROLE} -c timezone=UTC -c plan_cache_mode=force_generic_plan -c statement_timeout=15000 -c idle_in_transaction_session_timeout=30000`,
    query_timeout: 20_000,
    keepAlive: true,
  },
});
