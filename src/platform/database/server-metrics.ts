import { setTimeout as sleep } from "node:timers/promises";
import type { Metrics } from "../metrics/metrics.js";
import type { Homes } from "./homes.js";
import type { Server, Servers } from "./servers.js";

const PING_MS = 1_000;

/** What a scrape learns of each PostgreSQL server. With one server its label is `control`. */
export function measureServers(metrics: Metrics, { all }: Servers, homes: Homes): void {
  const of = (server: Server): { server: string } => ({ server: server.name });
  metrics.gauge(
    "parley_db_pool_connections",
    "Connections of this process to PostgreSQL",
    () =>
      all.flatMap((server) => {
        const { idleCount, totalCount } = server.pool;
        return [
          { labels: { ...of(server), state: "idle" }, value: idleCount },
          { labels: { ...of(server), state: "busy" }, value: totalCount - idleCount },
        ];
      }),
    ["server", "state"],
  );
  metrics.gauge(
    "parley_db_pool_max_connections",
    "DATABASE_POOL_SIZE",
    () => all.map((server) => ({ labels: of(server), value: server.pool.options.max })),
    ["server"],
  );
  metrics.gauge(
    "parley_db_pool_waiting",
    "Statements and transactions that wait for one",
    () => all.map((server) => ({ labels: of(server), value: server.answers.waitingCount })),
    ["server"],
  );
  const pings = all.map((server) => ({ labels: of(server), ping: metrics.shared(() => server.pool.query("select")) }));
  metrics.gauge(
    "parley_db_up",
    "Whether PostgreSQL answers this process within a second",
    () =>
      Promise.all(
        pings.map(async ({ labels, ping }) => {
          const late = sleep(PING_MS, undefined, { ref: false });
          return { labels, value: (await Promise.race([ping().catch(() => undefined), late])) ? 1 : 0 };
        }),
      ),
    ["server"],
  );
  const counts = all.map((server) => ({ labels: of(server), count: metrics.shared(() => homes.numberOn(server)) }));
  metrics.gauge(
    "parley_db_organisations",
    "Organisations that live on a server; missing while it does not answer",
    async () => {
      const found = await Promise.allSettled(
        counts.map(async ({ labels, count }) => ({ labels, value: await count() })),
      );
      return found.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    },
    ["server"],
  );
}
