import type { Logger } from "@nestjs/common";

/** How long the same failure of the same work is not said again. */
const QUIET_MS = 60_000;

/** Logs that work which runs again and again fails: once, then once a minute, and that it is over. Rounds come every second. */
export class Failing {
  private said?: { text: string; at: number };
  private failures = 0;

  constructor(
    private readonly log: Pick<Logger, "log" | "warn">,
    private readonly now = (): number => performance.now(),
  ) {}

  failed(text: string): void {
    this.failures++;
    if (this.said?.text === text && this.now() - this.said.at < QUIET_MS) return;
    this.said = { text, at: this.now() };
    this.log.warn(text);
  }

  succeeded(): void {
    if (this.failures > 1) this.log.log(`works again after ${this.failures} failures`);
    this.failures = 0;
    delete this.said;
  }
}
