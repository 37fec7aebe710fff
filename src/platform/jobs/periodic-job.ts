import { Logger } from "@nestjs/common";

/** Work that runs again and again, one round at a time in this process. */
export class PeriodicJob {
  private readonly log: Logger;
  private round?: Promise<void>;
  private stopped = false;

  /** Created by `JobRunner.periodic`. */
  constructor(
    name: string,
    private readonly work: () => Promise<unknown>,
  ) {
    this.log = new Logger(name);
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

  private async runRound(): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      this.log.warn(`this round failed, the next one tries again: ${(error as Error).message}`);
    }
  }

  /** Starts no more rounds, and waits for the one that is running. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.round;
  }
}
