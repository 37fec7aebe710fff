import { type BeforeApplicationShutdown, Injectable, Logger } from "@nestjs/common";
import pLimit from "p-limit";

/** How much of it runs at a time, so that it leaves the database to the requests. */
const CONCURRENCY = 2;

/**
 * Work that follows an answer without holding it up, so that the time of the answer does not tell what the work is. The
 * process does not end before the work is done. Work that must not be lost when a process is killed belongs into the
 * transaction of the request instead.
 */
@Injectable()
export class Afterwards implements BeforeApplicationShutdown {
  private readonly log = new Logger("afterwards");
  private readonly slot = pLimit(CONCURRENCY);
  private readonly running = new Set<Promise<void>>();

  /** Begins once the request that asks for it has had its turn. An error is logged and nothing else. */
  do(work: () => Promise<void>): void {
    const turn = new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    const done: Promise<void> = turn
      .then(() => this.slot(work))
      .catch((error: unknown) => this.log.error(error instanceof Error ? error.stack : String(error)))
      .finally(() => this.running.delete(done));
    this.running.add(done);
  }

  /** Waits for everything that was begun. */
  async finished(): Promise<void> {
    while (this.running.size) await Promise.all(this.running);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.finished();
  }
}
