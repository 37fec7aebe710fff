import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { type Environment, system } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { dayAfter } from "../../platform/http/days.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import type { PeriodicJob } from "../../platform/jobs/periodic-job.js";
import { ReportDayUntilEntity } from "./report-days.entity.js";
import { BEGIN_DAYS, FIND_RUNS, LOCK_DAYS, PACK, SIDES_TO_PACK } from "./report-days.queries.js";

/** Days with a change that are packed in one transaction. */
const CHANGED = 20;
/** Days of the past, for which more are taken at once as long as they take less than this. */
const MAX_DAYS = 32;
const SHORT_MS = 500;

/**
 * Packs finished days for the reports, and packs days again of which something has changed. Until it has, the reports read the rows
 * of such days. One process at a time.
 */
@Injectable()
export class ReportDaysJob {
  private readonly job: PeriodicJob;

  constructor(
    private readonly jobs: JobRunner,
    private readonly db: Database,
  ) {
    this.job = jobs.periodic("report days", () => this.run());
  }

  @Interval(60_000)
  tick(): Promise<void> {
    return this.job.tick();
  }

  async run(): Promise<void> {
    const sides = await this.jobs.acrossTenants(SIDES_TO_PACK);
    if (!sides.length) return;
    await this.db.exclusively("parley report days", () => this.job.forEach(sides, (side) => this.packSide(side)));
  }

  private async packSide({ id, environment }: { id: string; environment: Environment }): Promise<void> {
    const caller = system("report days", id, environment);
    let days = 1;
    while (!this.job.stopping) {
      const began = performance.now();
      if (!(await this.db.transaction(caller, (tx) => this.pack(tx, days)))) return;
      days = performance.now() - began < SHORT_MS ? Math.min(2 * days, MAX_DAYS) : 1;
    }
  }

  /** @returns whether there was something to pack */
  private async pack(tx: Tx, days: number): Promise<boolean> {
    tx.changesNothingVisible();
    let [at] = await tx.query(LOCK_DAYS);
    if (!at) {
      await tx.query(BEGIN_DAYS);
      [at] = await tx.query(LOCK_DAYS);
    }
    const { until, due } = at!;
    const after = dayAfter(until, days);
    const next = until >= due ? until : after < due ? after : due;
    const runs = await tx.query(FIND_RUNS, { until, next, limit: CHANGED });
    if (runs.length)
      await tx.query(PACK, {
        workspaceIds: runs.map(({ workspaceId }) => workspaceId),
        sinces: runs.map(({ since }) => since),
        untils: runs.map((run) => run.until),
      });
    if (next !== until) await tx.update(ReportDayUntilEntity, {}, { until: next });
    return runs.length > 0 || next !== until;
  }
}
