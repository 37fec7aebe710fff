import type { ClientConfig } from "pg";

/** What `pg` takes for a connection, or for a connection string. */
export const clientConfig = (connection: ClientConfig | string): ClientConfig =>
  typeof connection === "string" ? { connectionString: connection } : connection;
