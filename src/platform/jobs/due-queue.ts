import { Logger } from "@nestjs/common";
import pLimit from "p-limit";
import { type Environment, system, type SystemCaller } from "../caller/caller.js";

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
   * Claims up to `limit` due rows for as long as one lease lasts: an update that selects them with `for update skip locked`,
   * moves the lease column into the future and returns a `Row` for each, run with `JobRunner.acrossTenants`. A row whose
   * process dies is due again after that.
   */
  claim: (limit: number, inProgress: readonly Row[]) => Promise<Row[]>;
  /** How many rows this process works on at the same time. */
  concurrency: number;
  /** How many rows one statement claims. Defaults to `concurrency`; what exceeds it waits its turn, on the same lease. */
  batch?: number;
  /** Finishing one row may make others due, as the next message of a conversation: claim again each time. */
  followUps?: boolean;
  /** Does the work, and removes the row or says when it is due again. If it throws, the row is due again after its lease. */
  work: (caller: SystemCaller, row: Row) => Promise<unknown>;
}

/**
 * Works on the rows of a table as they become due. Any number of processes share the table; each row is leased to one of
 * them at a time. A row that fails is logged and does not hold up the others.
 */
export class DueQueue<Row extends DueRow> {
  private readonly log: Logger;
  private readonly slot: ReturnType<typeof pLimit>;
  private readonly batch: number;
  /** Claimed and not finished yet. */
  private readonly claimed = new Map<Promise<void>, Row>();
  private claiming?: Promise<void>;
  /** Asked to claim while a claim was running, which may have looked too early. */
  private claimAgain = false;
  /** The last claim returned all it asked for, so more rows may be due. */
  private more = false;
  private stopped = false;

  /** Created by `JobRunner.queue`. */
  constructor(private readonly options: DueQueueOptions<Row>) {
    this.log = new Logger(options.name);
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
      .catch((error: unknown) => this.log.warn(`due rows cannot be claimed: ${(error as Error).message}`))
      .finally(() => {
        this.claiming = undefined;
      })
      .then(() => (this.claimAgain && this.room() > 0 ? this.claimDue() : undefined));
    return this.claiming;
  }

  private async claimAll(): Promise<void> {
    for (let room = this.room(); room > 0 && (this.more || this.claimAgain); room = this.room()) {
      this.claimAgain = false;
      const rows = await this.options.claim(room, [...this.claimed.values()]);
      for (const row of rows) this.begin(row);
      this.more = rows.length === room;
    }
  }

  /** How many rows to claim now. None while every slot is busy: a lease must not run out while its row waits for a slot. */
  private room(): number {
    const { concurrency } = this.options;
    if (this.stopped || this.claimed.size >= concurrency) return 0;
    return Math.min(this.batch, Math.max(this.batch, concurrency) - this.claimed.size);
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
    } catch (error) {
      this.log.warn(`${row.id} failed and is tried again after its lease: ${(error as Error).message}`);
    }
  }
}
