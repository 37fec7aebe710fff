import { Logger } from "@nestjs/common";
import pg, { type ClientBase, type ClientConfig, type Pool } from "pg";
import { driverError, isSqlState } from "../http/errors.js";
import type { Changes } from "./changes.js";
import { allowToBreak, assertReader } from "./checked-connection.js";
import type { Connections } from "./connections.js";
import type { PoolSettings } from "./options.js";
import type { AnswerRead, Reads } from "./read-engine/answer-read.js";
import { clientOf, readsOf } from "./read-engine/reads.js";

const WATCH_MS = 250;
const PATIENCE_MS = 3_000;
const CONNECT_MS = 2_000;
/** A look that the replica has not caught up with. */
const MOST_LOOKS = 240;

interface Look {
  at: number;
  /** What `Changes` knew then. */
  mark: number;
  /** Up to where the primary had written. */
  lsn: string;
}
interface Settings extends PoolSettings {
  DATABASE_REPLICA_MAX_LAG_SECONDS: number;
}

/**
 * A standby, for reads that may be some seconds old. How far it is behind is measured by positions in the primary's log, because a standby
 * of an idle primary replays nothing, and clocks differ. A read goes there only if it has whatever changed in the whole tenant, as an erasure does.
 */
export class Replica {
  private readonly log = new Logger("replica");
  private readonly pool: Pool;
  private readonly reads: Reads;
  private readonly timer: NodeJS.Timeout;
  private readonly most: number;
  private primary?: pg.Client;
  private looks: Look[] = [];
  /** The newest look that it has caught up with. */
  private reached?: Look;
  private isLooking = false;
  private isAway = true;

  constructor(
    private readonly connections: Connections,
    replica: ClientConfig,
    private readonly changes: Changes,
    settings: Settings,
  ) {
    this.most = settings.DATABASE_REPLICA_MAX_LAG_SECONDS * 1_000;
    const checked = {
      onConnect: (client: ClientBase) => {
        allowToBreak(client);
        return assertReader(client, "DATABASE_REPLICA_URL");
      },
    };
    this.pool = new pg.Pool({
      ...replica,
      ...checked,
      Client: clientOf(settings.READ_ENGINE),
      max: settings.DATABASE_POOL_SIZE,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: 20_000,
      keepAlive: true,
      application_name: "parley",
    });
    this.pool.on("error", (error) => this.leave(error));
    this.reads = readsOf(settings.READ_ENGINE, this.pool);
    this.timer = setInterval(() => void this.look(), WATCH_MS);
    this.timer.unref();
  }

  /** How far it is behind. Undefined while it is away. */
  get lagSeconds(): number | undefined {
    return this.reached && this.lagMs / 1_000;
  }

  /** Whether a read of this tenant may go there now. */
  mayRead(tenantId: string): boolean {
    const { reached } = this;
    return (
      reached !== undefined && this.lagMs <= this.most && this.changes.changedWidely([tenantId], reached.mark) === false
    );
  }

  /** @returns "elsewhere" if it cannot answer, so that the primary has to */
  async run<Answer>(read: AnswerRead<Answer>): Promise<Answer | null | undefined | "elsewhere"> {
    try {
      return await this.reads.run(read);
    } catch (error) {
      if (!isOfTheReplica(error)) throw error;
      this.leave(error as Error);
      return "elsewhere";
    }
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.primary?.end().catch(() => undefined);
    await this.pool.end().catch(() => undefined);
  }

  private get lagMs(): number {
    return performance.now() - this.reached!.at;
  }

  private leave(error: Error): void {
    this.reached = undefined;
    this.looks = [];
    if (this.isAway || this.pool.ending) return;
    this.isAway = true;
    this.log.warn(`the standby does not answer, and the primary is read instead: ${error.message}`);
  }

  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      const look = { at: performance.now(), mark: this.changes.mark(), lsn: await this.written() };
      this.looks.push(look);
      if (this.looks.length > MOST_LOOKS) this.looks.shift();
      await this.compare();
      if (this.isAway && this.reached) this.log.log("the standby answers");
      this.isAway = this.reached === undefined;
    } catch (error) {
      this.leave(error as Error);
    } finally {
      this.isLooking = false;
    }
  }

  /**
   * Where the next change goes, also if the one before is not written yet (`synchronous_commit` off). On a connection of its own: the
   * pool may be in full use, which is when the standby is needed most.
   */
  private async written(): Promise<string> {
    if (!this.primary) {
      const client = new pg.Client({
        ...this.connections.direct,
        connectionTimeoutMillis: CONNECT_MS,
        query_timeout: PATIENCE_MS,
      });
      allowToBreak(client);
      client.once("end", () => (this.primary = undefined));
      await client.connect();
      this.primary = client;
    }
    try {
      const { rows } = await this.primary.query<{ lsn: string }>("select pg_current_wal_insert_lsn()::text as lsn");
      return rows[0]!.lsn;
    } catch (error) {
      await this.primary?.end().catch(() => undefined);
      this.primary = undefined;
      throw error;
    }
  }

  /** A standby that was promoted replays nothing any more, and falls behind. */
  private async compare(): Promise<void> {
    const { rows } = await this.pool.query<{ reached: number }>({
      text: `select count(*)::int as reached from unnest($1::pg_lsn[]) lsn
        where pg_is_in_recovery() and lsn <= pg_last_wal_replay_lsn()`,
      values: [this.looks.map(({ lsn }) => lsn)],
    });
    const { reached } = rows[0]!;
    if (reached) this.reached = this.looks[reached - 1];
    this.looks = this.looks.slice(reached);
  }
}

/** The standby is away, or cancelled the read because it would have had to wait with what it replays. */
function isOfTheReplica(error: unknown): boolean {
  const { code = "" } = driverError(error) ?? {};
  return !isSqlState(code) || /^(08|25006|28|3D|40001|53|57P|58)/.test(code);
}
