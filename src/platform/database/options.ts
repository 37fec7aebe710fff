import type { PostgresDataSourceOptions } from "typeorm/driver/postgres/PostgresDataSourceOptions.js";
import { MIGRATIONS } from "./migrations/index.js";
import { SnakeCase } from "./naming.js";

/** Owns nothing, deletes no identity event, and is held to one tenant by row-level security. Made by the first migration. */
export const APP_ROLE = "parley_app";

/** The schema's classes are listed by whoever stands above the features (`src/entities.ts`). */
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
  connectTimeoutMS: 5_000,
  // TypeORM would otherwise drop a condition whose value is missing, and with it the tenant's wall.
  invalidWhereValuesBehavior: { null: "throw", undefined: "throw" },
});

/** For migrations: as the user that owns the schema. */
export const ownerOptions = (url: string, entities: Entities): PostgresDataSourceOptions => ({
  ...base(url, entities),
  poolSize: 2,
});

/** For everything else: each connection starts as the application's role, and no statement hangs for ever. */
export const appOptions = (url: string, entities: Entities, poolSize: number): PostgresDataSourceOptions => ({
  ...base(url, entities),
  poolSize,
  extra: {
    options: `-c role=${APP_ROLE} -c timezone=UTC -c statement_timeout=15000 -c idle_in_transaction_session_timeout=30000`,
    query_timeout: 20_000,
    keepAlive: true,
  },
});
