import { GoneException, Logger } from "@nestjs/common";
import type { EntityTarget } from "typeorm";
import type { SystemCaller } from "../platform/caller/caller.js";
import type { Changes } from "../platform/database/changes.js";
import type { Database } from "../platform/database/database.js";
import type { GlobalQuery, NoArgs, Query } from "../platform/database/statements.js";
import type { Tx } from "../platform/database/transaction.js";
import type { DueQueue } from "../platform/jobs/due-queue.js";
import type { Lag, Room } from "../platform/jobs/due-rows.js";
import type { JobRunner } from "../platform/jobs/job-runner.js";
import type { Occurrence } from "./event-types.js";
import { isSameLineage, type Position } from "./feed.queries.js";
import type { FeedService, Occurrences } from "./feed.service.js";
import type { DueSide } from "./follower.queries.js";

const LEASE_SECONDS = 30;
const CONCURRENCY = 4;
/** Each side is read this often, whether something is known to have changed or not. */
const POLL_SECONDS = 10;
/** A transaction that is still running holds rows back: look again soon. */
const HELD_SECONDS = 0.25;
/** Changes within this time are read together. */
const GATHER_MS = 100;
/** Then other sides have their turn. */
const MAX_ROUND_MS = 20_000;

/** A row of the table that a follower keeps: up to where the feed of a side was read, and when it is read next. */
interface FollowedRow {
  tenantId: string;
  transactionId: string;
  position: string;
  epoch: string;
}

export interface FollowerOptions<Row extends Occurrence> {
  /** Names the queue in the log and in `/metrics`. */
  name: string;
  table: EntityTarget<FollowedRow>;
  /** Made with `claimSides`, `lagOf`, `followedSides`, `wakeSides` and `releaseSide`, on the table. */
  claim: GlobalQuery<Room & { leaseSeconds: number }, DueSide, "everywhere">;
  lag: Lag;
  sides: GlobalQuery<NoArgs, { tenantId: string }, "everywhere">;
  wake: GlobalQuery<{ tenantIds: readonly string[] }, object, "everywhere">;
  release: Query<{ until: string; seconds: number }, object>;
  read: (caller: SystemCaller, after: Position) => Promise<Occurrences<Row>>;
  /** Does what follows from the rows, in the transaction that moves the position. @returns false if nobody wants to know any more */
  store: (tx: Tx, found: Occurrences<Row>) => Promise<boolean>;
  /** What goes on after a gap, for the log. */
  goesOn: string;
}

interface FeedPosition {
  epoch: string;
  at: Position;
}

/**
 * Reads the feed of each side in a table, for all processes together. The feed's rows are written in the transaction of each
 * change, so nothing is lost and nothing is made up. The position moves in the transaction that stores what follows from the rows,
 * so it follows once.
 */
export class FeedFollower<Row extends Occurrence> {
  private readonly log: Logger;
  private readonly queue: DueQueue<DueSide>;
  /** Undefined if it may have changed. */
  private sides?: Set<string>;
  private readonly changed = new Set<string>();
  private gathering?: NodeJS.Timeout;
  /** Sides that this process reads now, and whether something changed since it began. */
  private readonly reading = new Map<string, boolean>();
  /** In processes that run jobs. */
  private runs = false;

  constructor(
    private readonly jobs: JobRunner,
    private readonly db: Database,
    private readonly feed: FeedService,
    changes: Changes,
    private readonly options: FollowerOptions<Row>,
  ) {
    this.log = new Logger(options.name);
    this.queue = jobs.queue<DueSide>({
      name: options.name,
      claim: (room) => jobs.acrossTenants(options.claim, { ...room, leaseSeconds: LEASE_SECONDS }),
      lag: options.lag,
      concurrency: CONCURRENCY,
      work: (caller, side) => this.follow(caller, side),
    });
    changes.onChange((tenantId, workspaceId) => {
      this.noteChange(tenantId, workspaceId);
    });
  }

  /** For an `@Interval` of a second. */
  poll(): Promise<void> {
    this.runs = true;
    return this.tick();
  }

  tick(): Promise<void> {
    return this.queue.tick();
  }

  /** Whoever wants to know is a change of the whole tenant. Rows that this process misses are found by polling. */
  private noteChange(tenantId: string | null, workspaceId: string | null): void {
    if (workspaceId === null) this.sides = undefined;
    if (tenantId === null || !this.runs) return;
    if (this.reading.has(tenantId)) this.reading.set(tenantId, true);
    this.changed.add(tenantId);
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      void this.wake().catch((error: unknown) => {
        this.log.warn(`sides are read later: ${(error as Error).message}`);
      });
    }, GATHER_MS).unref();
  }

  private async wake(): Promise<void> {
    const changed = [...this.changed];
    this.changed.clear();
    if (this.queue.stopping) return;
    this.sides ??= new Set((await this.jobs.acrossTenants(this.options.sides)).map(({ tenantId }) => tenantId));
    const tenantIds = changed.filter((tenantId) => this.sides?.has(tenantId));
    if (!tenantIds.length) return;
    await this.jobs.acrossTenants(this.options.wake, { tenantIds });
    await this.tick();
  }

  private async follow(caller: SystemCaller, side: DueSide): Promise<void> {
    const { tenantId } = side;
    const end = Date.now() + MAX_ROUND_MS;
    this.sides?.add(tenantId);
    this.reading.set(tenantId, false);
    try {
      let position: FeedPosition = { epoch: side.epoch, at: [side.transactionId, side.position] };
      let found: Occurrences<Row> | undefined;
      do {
        this.reading.set(tenantId, false);
        found = await this.read(caller, position);
        const next = found ?? (await this.restart(caller, position));
        if (!(await this.store(caller, position, next))) return;
        position = { epoch: next.epoch, at: next.next };
      } while ((found?.more || this.reading.get(tenantId)) && Date.now() < end && !this.queue.stopping);
      const unfinished = found?.more || this.reading.get(tenantId);
      await this.release(caller, side, unfinished ? 0 : found?.unsettled ? HELD_SECONDS : POLL_SECONDS);
    } finally {
      if (this.reading.get(tenantId)) this.noteChange(tenantId, tenantId);
      this.reading.delete(tenantId);
    }
  }

  /** @returns undefined if the feed no longer has what follows */
  private async read(caller: SystemCaller, { epoch, at }: FeedPosition): Promise<Occurrences<Row> | undefined> {
    if (epoch === "") return undefined;
    try {
      const found = await this.options.read(caller, at);
      return isSameLineage(found.epoch, epoch) ? found : undefined;
    } catch (error) {
      if (error instanceof GoneException) return undefined;
      throw error;
    }
  }

  /** From the end of the feed on. What was in between cannot be found out any more. A side without an epoch begins only now. */
  private async restart(caller: SystemCaller, { epoch }: FeedPosition): Promise<Occurrences<Row>> {
    if (epoch !== "")
      this.log.warn(
        `the feed of ${caller.tenantId} is not whole: ${this.options.goesOn} with what happens from now on`,
      );
    const { epoch: current, end } = await this.feed.end(caller);
    return { epoch: current, next: end, rows: [], more: false, unsettled: false };
  }

  /** @returns false if another process was faster, or nobody wants to know any more */
  private store(
    caller: SystemCaller,
    { epoch, at: [transactionId, position] }: FeedPosition,
    found: Occurrences<Row>,
  ): Promise<boolean> {
    const { table } = this.options;
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const [toTransaction, toPosition] = found.next;
      const next = { transactionId: toTransaction, position: toPosition, epoch: found.epoch };
      if (!(await tx.update(table, { transactionId, position, epoch }, next))) return false;
      if (await this.options.store(tx, found)) return true;
      // Whoever wants to know next starts again.
      await tx.delete(table, {});
      return false;
    });
  }

  private release(caller: SystemCaller, { until }: DueSide, seconds: number): Promise<void> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      await tx.query(this.options.release, { until, seconds });
    });
  }
}
