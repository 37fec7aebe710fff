import type { Pool, PoolClient } from "pg";
import { isReadOnly } from "../http/errors.js";

/**
 * After a failover, connections may lead to a server that takes no changes any more. The first error that says so replaces all
 * connections that were made before it: new ones go where the address leads by then.
 * @returns notes an error of a connection that is still in use, if it says so
 */
export function replaceReadOnly(pool: Pool): (client: PoolClient, error: unknown) => void {
  const since = new WeakMap<PoolClient, number>();
  const left = new WeakSet<PoolClient>();
  let failedAt = -Infinity;
  const note = (client: PoolClient, error: unknown): void => {
    if (!(error instanceof Error) || !isReadOnly(error) || left.has(client)) return;
    left.add(client);
    // Known already, by another connection.
    if ((since.get(client) ?? 0) < failedAt) return;
    failedAt = performance.now();
    for (let idle = pool.idleCount; idle > 0; idle--)
      pool.connect((_error, one) => {
        one?.release(true);
      });
  };
  pool.on("connect", (client) => since.set(client, performance.now()));
  pool.on("release", (error, client) => {
    note(client, error);
    // The pool keeps no client that ends.
    if (left.has(client) || (since.get(client) ?? 0) < failedAt) void client.end();
  });
  return note;
}
