import type { ClientBase, ClientConfig, PoolConfig } from "pg";
import type { PostgresDataSourceOptions } from "typeorm/driver/postgres/PostgresDataSourceOptions.js";
import { allowToBreak, assertIsolated } from "./checked-connection.js";
import type { Connections } from "./connections.js";
import { clientConfig } from "./migrations/client-config.js";
import { MIGRATIONS } from "./migrations/index.js";
import { SnakeCase } from "./naming.js";
import { clientOf, type ReadEngine } from "./read-engine/reads.js";

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

const base = (connection: ClientConfig | string, entities: Entities): PostgresDataSourceOptions => ({
  type: "postgres",
  extra: clientConfig(connection),
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
export const ownerOptions = (connection: ClientConfig | string, entities: Entities): PostgresDataSourceOptions => ({
  ...base(connection, entities),
  poolSize: 2,
});

/** For everything else: each connection has the application's role, or is refused. */
export const appOptions = (
  connections: Connections,
  entities: Entities,
  { DATABASE_POOL_SIZE, DATABASE_WAIT_SECONDS, READ_ENGINE }: PoolSettings,
): PostgresDataSourceOptions => ({
  ...base(connections.app, entities),
  poolSize: DATABASE_POOL_SIZE,
  // Also how long a read waits for its turn.
  connectTimeoutMS: DATABASE_WAIT_SECONDS * 1_000,
  extra: clientsOf(connections, READ_ENGINE),
});

type Check = (client: ClientBase) => Promise<void>;
const clientsOf = (connections: Connections, engine: ReadEngine, check?: Check) => ({
  ...connections.app,
  Client: clientOf(engine),
  query_timeout: 20_000,
  keepAlive: true,
  onConnect: async (client: ClientBase) => {
    allowToBreak(client);
    await assertIsolated(client, connections);
    await check?.(client);
  },
});

/** The same for the pool of a further server, which needs no entities of its own. @param check what else each connection needs */
export const poolOptions = (
  connections: Connections,
  { DATABASE_POOL_SIZE, DATABASE_WAIT_SECONDS, READ_ENGINE }: PoolSettings,
  check: Check,
): PoolConfig => ({
  application_name: "parley",
  max: DATABASE_POOL_SIZE,
  connectionTimeoutMillis: DATABASE_WAIT_SECONDS * 1_000,
  ...clientsOf(connections, READ_ENGINE, check),
});
