import type { Duplex } from "node:stream";
import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from "@nestjs/common";
import { InjectDataSource } from "@nestjs/typeorm";
import pg, { type ClientBase, type ClientConfig, type Pool, type PoolClient } from "pg";
import { DataSource, type QueryRunner } from "typeorm";
import { PostgresDriver } from "typeorm/driver/postgres/PostgresDriver.js";
import { Config } from "../config/config.js";
import { Metrics } from "../metrics/metrics.js";
import { Tracing } from "../tracing/tracing.js";
import { allowToBreak, RefusedConnection } from "./checked-connection.js";
import { CONNECTIONS, type Connections, FURTHER_CONNECTIONS } from "./connections.js";
import { poolOptions } from "./options.js";
import type { Reads } from "./read-engine/answer-read.js";
import { readsOf } from "./read-engine/reads.js";
import { Pulse } from "./pulse.js";
import { replaceReadOnly } from "./read-only.js";
import { traceReads, traceStatements } from "./traced-pool.js";

/** What tells two versions of the schema apart. */
const SCHEMA = `select md5(string_agg(part, ' ' order by part)) as schema from (
    select name as part from migrations union all select name || checksum from schema_object
  ) parts`;

/** With one server nobody asks whether it answers: what is sent there says so. */
const ALONE: Pick<Server, "isUp" | "assertUp"> = { isUp: () => true, assertUp: () => undefined };

/** A PostgreSQL server on which organisations live. */
export interface Server {
  name: string;
  connections: Connections;
  pool: Pool;
  answers: Reads;
  noteReadOnly: (client: PoolClient, error: unknown) => void;
  /** A connection for a transaction, for TypeORM. */
  runner(): QueryRunner;
  /** False if it is one of several, and does not answer. */
  isUp(): boolean;
  /** @throws Error if it is not up */
  assertUp(): void;
}

/** The server of DATABASE_URL, `control`, and those of DATABASE_SERVERS. */
@Injectable()
export class Servers implements OnModuleInit, OnApplicationShutdown {
  private readonly log = new Logger("database");
  /** That of control, as it was last read. */
  private schema?: string;
  private readonly pulses: Pulse[] = [];
  readonly control: Server;
  /** `control` comes first. */
  readonly all: readonly Server[];
  /**
   * Connections for session locks. They go past a pooler, which may lend a connection to somebody else. Control's pool is for the work
   * that holds a lock: if locks took its connections, they could take all of them, and the work would wait for ever.
   */
  readonly locks: Pool;

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
      ["server"],
    );
    const serverOf = (to: Connections, pool: Pool, runner: () => QueryRunner): Server => {
      traceStatements(pool, tracing);
      broken.inc({ server: to.name }, 0);
      // A broken idle connection is replaced on the next use. Without a listener its error would end the process.
      // While the pool ends, connections are removed before they are closed, and their errors do not matter.
      pool.on("error", (error) => {
        if (pool.ending) return;
        broken.inc({ server: to.name });
        this.log.warn(`an idle connection broke: ${error.message}`);
      });
      return {
        name: to.name,
        connections: to,
        pool,
        answers: traceReads(readsOf(config.READ_ENGINE, pool), tracing),
        noteReadOnly: replaceReadOnly(pool),
        runner,
        ...(further.length ? this.watch(to, pool) : ALONE),
      };
    };
    this.locks = new pg.Pool({
      ...connections.direct,
      application_name: "parley locks",
      connectionTimeoutMillis: config.DATABASE_WAIT_SECONDS * 1_000,
      // A server that is silent must not hold up a job for ever.
      query_timeout: 20_000,
      keepAlive: true,
      onConnect: allowToBreak,
    });
    this.locks.on("error", () => undefined);
    this.control = serverOf(connections, driver.master as Pool, () => source.createQueryRunner());
    this.all = [
      this.control,
      ...further.map((to) => {
        const pool = new pg.Pool(poolOptions(to, config, (client) => this.assertSameSchema(client, to)));
        return serverOf(to, pool, runnersOn(source, driver, pool));
      }),
    ];
  }

  private watch(to: Connections, pool: Pool): Pick<Server, "isUp" | "assertUp"> {
    const streams = new Set<Duplex>();
    const note = (stream: Duplex): void => {
      if (streams.has(stream)) return;
      streams.add(stream);
      stream.once("close", () => streams.delete(stream));
    };
    const pulse = new Pulse(to, () => {
      this.log.warn(`the server ${to.name} does not answer: what lives there is answered 503`);
      // What waits for it would wait for much longer.
      for (const stream of streams) stream.destroy();
    });
    // Also those that were connected before.
    pool.on("acquire", (client) => {
      note(streamOf(client));
    });
    const made = pool as unknown as { Client: new (config?: ClientConfig) => pg.Client };
    made.Client = class extends made.Client {
      constructor(config?: ClientConfig) {
        super(config);
        const stream = streamOf(this);
        note(stream);
        // Whoever waited for a connection that was lost asks for another one.
        if (!pulse.isUp) setImmediate(() => stream.destroy(pulse.error));
      }
    };
    this.pulses.push(pulse);
    return { isUp: () => pulse.isUp, assertUp: () => pulse.assertUp() };
  }

  async onModuleInit(): Promise<void> {
    await Promise.all(this.pulses.map((pulse) => pulse.start()));
  }

  /** Migrations change control last. @throws RefusedConnection: the server was down when they ran */
  private async assertSameSchema(client: ClientBase, { name }: Connections): Promise<void> {
    const schemaOf = async (connection: Pool | ClientBase): Promise<string> =>
      (await connection.query<{ schema: string }>(SCHEMA)).rows[0]!.schema;
    this.schema = await schemaOf(this.control.pool).catch((error: unknown) => {
      if (this.schema === undefined) throw error;
      return this.schema;
    });
    if ((await schemaOf(client)) !== this.schema)
      throw new RefusedConnection(`the schema of the server ${name} is not that of control: run \`parley migrate\``);
  }

  /** @throws Error: no server has this name */
  named(name: string): Server {
    const found = this.all.find((server) => server.name === name);
    if (!found) throw new Error(`DATABASE_SERVERS names no server ${name}`);
    return found;
  }

  /** TypeORM ends the pool of control. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.pulses.map((pulse) => pulse.stop()));
    const pools = [this.locks, ...this.all.slice(1).map(({ pool }) => pool)];
    // A start that failed ends them twice.
    await Promise.all(pools.filter(({ ending }) => !ending).map((pool) => pool.end()));
  }
}

const streamOf = (client: ClientBase): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream;

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
