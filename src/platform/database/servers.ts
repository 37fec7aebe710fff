import { Inject, Injectable, Logger, type OnApplicationShutdown } from "@nestjs/common";
import { InjectDataSource } from "@nestjs/typeorm";
import pg, { type Pool, type PoolClient } from "pg";
import { DataSource, type QueryRunner } from "typeorm";
import { PostgresDriver } from "typeorm/driver/postgres/PostgresDriver.js";
import { Config } from "../config/config.js";
import { Metrics } from "../metrics/metrics.js";
import { Tracing } from "../tracing/tracing.js";
import { CONNECTIONS, type Connections, FURTHER_CONNECTIONS } from "./connections.js";
import { poolOptions } from "./options.js";
import type { Reads } from "./read-engine/answer-read.js";
import { readsOf } from "./read-engine/reads.js";
import { replaceReadOnly } from "./read-only.js";
import { traceReads, traceStatements } from "./traced-pool.js";

/** A PostgreSQL server on which organisations live. */
export interface Server {
  name: string;
  connections: Connections;
  pool: Pool;
  answers: Reads;
  noteReadOnly: (client: PoolClient, error: unknown) => void;
  /** A connection for a transaction, for TypeORM. */
  runner(): QueryRunner;
}

/** The server of DATABASE_URL, `control`, and those of DATABASE_SERVERS. */
@Injectable()
export class Servers implements OnApplicationShutdown {
  private readonly log = new Logger("database");
  readonly control: Server;
  /** `control` comes first. */
  readonly all: readonly Server[];

  constructor(
    @InjectDataSource() source: DataSource,
    @Inject(CONNECTIONS) connections: Connections,
    @Inject(FURTHER_CONNECTIONS) further: readonly Connections[],
    config: Config,
    metrics: Metrics,
    tracing: Tracing,
  ) {
    const { driver } = source;
    if (!(driver instanceof PostgresDriver)) throw new Error("Parley needs PostgreSQL");
    const broken = metrics.counter(
      "parley_db_connections_broken_total",
      "Connections to PostgreSQL that broke while they were idle",
    );
    const serverOf = (to: Connections, pool: Pool, runner: () => QueryRunner): Server => {
      traceStatements(pool, tracing);
      // A broken idle connection is replaced on the next use. Without a listener its error would end the process.
      // While the pool ends, connections are removed before they are closed, and their errors do not matter.
      pool.on("error", (error) => {
        if (pool.ending) return;
        broken.inc();
        this.log.warn(`an idle connection broke: ${error.message}`);
      });
      return {
        name: to.name,
        connections: to,
        pool,
        answers: traceReads(readsOf(config.READ_ENGINE, pool), tracing),
        noteReadOnly: replaceReadOnly(pool),
        runner,
      };
    };
    this.control = serverOf(connections, driver.master as Pool, () => source.createQueryRunner());
    this.all = [
      this.control,
      ...further.map((to) => {
        const pool = new pg.Pool(poolOptions(to, config));
        return serverOf(to, pool, runnersOn(source, driver, pool));
      }),
    ];
  }

  /** @throws Error: no server has this name */
  named(name: string): Server {
    const found = this.all.find((server) => server.name === name);
    if (!found) throw new Error(`DATABASE_SERVERS names no server ${name}`);
    return found;
  }

  /** TypeORM ends the pool of control. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.all.slice(1).map(({ pool }) => pool.end()));
  }
}

/** TypeORM knows the entities once, and takes connections of another pool. */
function runnersOn(source: DataSource, driver: PostgresDriver, pool: Pool): () => QueryRunner {
  const obtainMasterConnection = (): Promise<[PoolClient, (error?: Error | boolean) => void]> =>
    pool.connect().then((client) => [client, (error) => client.release(error)]);
  const driverHere = Object.assign(Object.create(driver) as PostgresDriver, { obtainMasterConnection });
  return () => {
    const runner = driverHere.createQueryRunner("master");
    return Object.assign(runner, { manager: source.createEntityManager(runner) });
  };
}
