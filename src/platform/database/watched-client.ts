import type { Socket } from "node:net";
import pg from "pg";

/** How long a statement may take before its connection is given up. `statement_timeout` ends it earlier if the server works. */
const MAX_BUSY_MS = 20_000;
const CHECK_MS = 1_000;

/**
 * A client that gives up its connection if the server does not answer, such as a server that hangs or a network that
 * drops packets. pg has `query_timeout` for this, which makes a timer for each query. Those timers keep every result in
 * memory until the next major garbage collection: at a page of 24 kB a third of the server's processor time.
 */
export class WatchedClient extends pg.Client {
  private busySince = 0;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const watch = setInterval(() => this.check(), CHECK_MS).unref();
    this.on("drain", () => (this.busySince = 0));
    this.once("end", () => clearInterval(watch));
  }

  override query = ((...args: Parameters<pg.Client["query"]>) => {
    this.busySince ||= performance.now();
    return super.query(...args);
  }) as pg.Client["query"];

  private check(): void {
    if (!this.busySince || performance.now() - this.busySince < MAX_BUSY_MS) return;
    this.busySince = 0;
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection;
    stream.destroy(new Error("timeout: the database did not answer"));
  }
}
