import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { sql, STRANGERS } from "../database/sql.js";
import { globalQuery, type NoArgs } from "../database/statements.js";
import { JobRunner } from "./job-runner.js";
import type { PeriodicJob } from "./periodic-job.js";

const LOOK_AT_CLOCK = globalQuery<NoArgs, { seconds: number | null }>()(
  "jobs.lookAtClock",
  "everywhere",
  () => sql`select look_at_clock(${STRANGERS}::uuid[]) as seconds`,
);

/** What waits in a queue comes back by itself when the clock of PostgreSQL has gone back: see `clock.sql`. */
@Injectable()
export class ClockWatch {
  private readonly log = new Logger("clock");
  private readonly job: PeriodicJob;

  constructor(private readonly jobs: JobRunner) {
    this.job = jobs.periodic("clock", () => this.look());
  }

  /** A clock that is ahead for a shorter time is not noticed. */
  @Interval(2_000)
  tick(): Promise<void> {
    return this.job.tick();
  }

  private async look(): Promise<void> {
    for (const { seconds } of await this.jobs.acrossTenants(LOOK_AT_CLOCK))
      if (seconds !== null)
        this.log.warn(
          `the clock of PostgreSQL went back by ${Math.round(seconds)} s: what waits comes back by as much`,
        );
  }
}
