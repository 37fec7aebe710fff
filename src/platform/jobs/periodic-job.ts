import { Logger } from "@nestjs/common";
import { Failing } from "./failing.js";

/** Work that runs again and again, one round at a time in this process. */
export class PeriodicJob {
  private readonly failing: Failing;
  private round?: Promise<void>;
  private stopped = false;
  /** The last round of this process that did not fail: when it ended, and how long it took. */
  lastSuccess?: { endedAt: number; ms: number };

  /** Created by `JobRunner.periodic`. */
  constructor(
    name: string,
    private readonly work: () => Promise<unknown>,
    private readonly failed: () => void,
  ) {
    this.failing = new Failing(new Logger(name));
  }

  /** True once the process shuts down. A long round checks it between two steps and returns. */
  get stopping(): boolean {
    return this.stopped;
  }

  /** Starts a round, or waits for the one that is running. A failed round is logged; the next one tries again. */
  tick(): Promise<void> {
    if (!this.stopped)
      this.round ??= this.runRound().finally(() => {
        this.round = undefined;
      });
    return this.round ?? Promise.resolve();
  }

  /**
   * Works on each item in turn, until the process shuts down. An item that fails does not hold up the others.
   * @throws the first failure, after the last item
   */
  async forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
    const failures: unknown[] = [];
    for (const item of items) {
      if (this.stopped) break;
      await work(item).catch((error: unknown) => failures.push(error));
    }
    if (failures.length) throw failures[0];
  }

  private async runRound(): Promise<void> {
    const began = performance.now();
    try {
      await this.work();
      this.lastSuccess = { endedAt: Date.now(), ms: performance.now() - began };
      this.failing.succeeded();
    } catch (error) {
      this.failed();
      this.failing.failed(`this round failed, the next one tries again: ${(error as Error).message}`);
    }
  }

  /** Starts no more rounds, and waits for the one that is running. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.round;
  }
}
