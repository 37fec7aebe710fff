import { Logger } from "@nestjs/common";
import pLimit from "p-limit";
import { type Environment, system, type SystemCaller } from "../caller/caller.js";
import type { Lag, Room } from "./due-rows.js";
import { Failing } from "./failing.js";
import { mayTake } from "./fair-share.js";

/** One row that is due. `id` is its id within the tenant, as the log names it. */
export interface DueRow {
  tenantId: string;
  id: string;
  /** Left out where the work is the same on both sides. */
  environment?: Environment;
}

export interface DueQueueOptions<Row extends DueRow> {
  /** Names the queue in the log, and its changes in the audit log. */
  name: string;
  /**
   * Claims due rows for as long as one lease lasts: an update that selects them with `dueInTurn`, moves the lease column
   * into the future and returns a `Row` for each, run with `JobRunner.acrossTenants`. A row whose process dies is due again
   * after that.
   */
  claim: (room: Room, inProgress: readonly Row[]) => Promise<Row[]>;
  /** How late the queue is: `lagOf` its table. A function asks itself, where that takes arguments. */
  lag: Lag | (() => Promise<{ seconds: number }[]>);
  /** How many rows this process works on at the same time. */
  concurrency: number;
  /** How many rows one statement claims. Defaults to `concurrency`; what exceeds it waits its turn, on the same lease. */
  batch?: number;
  /** Finishing one row may make others due, as the next message of a conversation: claim again each time. */
  followUps?: boolean;
  /**
   * Does the work, and removes the row or says when it is due again. If it throws, the row is due again after its lease. A row may be due
   * too early after the clock went back (`clock.sql`): where that matters, the work looks whether it is time.
   */
  work: (caller: SystemCaller, row: Row) => Promise<unknown>;
}

/**
 * Works on the rows of a table as they become due. Any number of processes share the table; each row is leased to one of
 * them at a time. A row that fails is logged and does not hold up the others.
 */
export class DueQueue<Row extends DueRow> {
  private readonly log: Logger;
  private readonly failing: Failing;
  private readonly slot: ReturnType<typeof pLimit>;
  private readonly batch: number;
  /** Claimed and not finished yet. */
  private readonly claimed = new Map<Promise<void>, Row>();
  private claiming?: Promise<void>;
  /** Asked to claim while a claim was running, which may have looked too early. */
  private claimAgain = false;
  /**
   * More rows may be due: a claim is running, or the last one returned all it asked for, or left out rows of a tenant that had
   * its share.
   */
  private more = false;
  private stopped = false;

  /** Created by `JobRunner.queue`. @param count is told the result of each row */
  constructor(
    private readonly options: DueQueueOptions<Row>,
    private readonly count: (result: "done" | "failed") => void,
  ) {
    this.log = new Logger(options.name);
    this.failing = new Failing(this.log);
    this.slot = pLimit(options.concurrency);
    this.batch = options.batch ?? options.concurrency;
  }

  /** True once the process shuts down. Long work checks it between two steps and returns. */
  get stopping(): boolean {
    return this.stopped;
  }

  /** Claims what is due, and returns when everything claimed is finished. Rows that become due meanwhile need another tick, which need not wait for this one. */
  async tick(): Promise<void> {
    await this.claimDue();
    await this.finished();
  }

  /** Claims no more, skips what it has not begun, and waits for what it has. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.claiming;
    await this.finished();
  }

  private async finished(): Promise<void> {
    while (this.claimed.size) await Promise.all(this.claimed.keys());
  }

  private claimDue(): Promise<void> {
    this.claimAgain = true;
    this.claiming ??= this.claimAll()
      .then(() => this.failing.succeeded())
      .catch((error: unknown) => this.failing.failed(`due rows cannot be claimed: ${(error as Error).message}`))
      .finally(() => {
        this.claiming = undefined;
      })
      .then(() => (this.claimAgain && this.room() > 0 ? this.claimDue() : undefined));
    return this.claiming;
  }

  private async claimAll(): Promise<void> {
    for (
      let [room, full] = [this.room(), true];
      room > 0 && ((this.more && full) || this.claimAgain);
      room = this.room()
    ) {
      this.claimAgain = false;
      const inProgress = [...this.claimed.values()];
      const [held, free] = [this.held(), this.free];
      // A row that finishes from here on frees a slot that this claim does not count.
      this.more = true;
      const rows = await this.options.claim(
        { limit: room, free, tenants: [...held.keys()], held: [...held.values()] },
        inProgress,
      );
      for (const row of rows) {
        held.set(row.tenantId, (held.get(row.tenantId) ?? 0) + 1);
        this.begin(row);
      }
      full = rows.length === room;
      this.more = full || [...held.values()].some((count) => !mayTake(count, free - rows.length, 1));
    }
  }

  /** How many rows of each tenant are in progress. */
  private held(): Map<string, number> {
    const held = new Map<string, number>();
    for (const { tenantId } of this.claimed.values()) held.set(tenantId, (held.get(tenantId) ?? 0) + 1);
    return held;
  }

  private get free(): number {
    return Math.max(this.batch, this.options.concurrency) - this.claimed.size;
  }

  /**
   * How many rows to claim now. None while every slot is busy: a lease must not run out while its row waits for a slot.
   * Half of the free slots at most, so that the next claim sees what the tenants of this one have.
   */
  private room(): number {
    if (this.stopped || this.claimed.size >= this.options.concurrency) return 0;
    return this.batch > this.options.concurrency ? this.free : Math.min(this.batch, Math.ceil(this.free / 2));
  }

  private begin(row: Row): void {
    const done: Promise<void> = this.slot(() => this.run(row)).then(() => {
      this.claimed.delete(done);
      return this.more || this.options.followUps ? this.claimDue() : undefined;
    });
    this.claimed.set(done, row);
  }

  private async run(row: Row): Promise<void> {
    if (this.stopped) return;
    try {
      await this.options.work(system(this.options.name, row.tenantId, row.environment ?? "live"), row);
      this.count("done");
    } catch (error) {
      this.count("failed");
      this.log.warn(`${row.id} failed and is tried again after its lease: ${(error as Error).message}`);
    }
  }
}
