import { setTimeout as sleep } from "node:timers/promises";
import { Injectable, Logger } from "@nestjs/common";
import { Database } from "../database/database.js";
import type { GlobalQuery } from "../database/statements.js";
import { DueQueue, type DueQueueOptions, type DueRow } from "./due-queue.js";
import { PeriodicJob } from "./periodic-job.js";

/** How long a shutdown waits for running jobs. Less than the 20 s after which the process exits in any case. */
const STOP_MS = 15_000;

/**
 * Creates the jobs of all features and stops them at shutdown. `@Interval` and `@Cron` of @nestjs/schedule call their
 * `tick()`, in processes that run jobs.
 */
@Injectable()
export class JobRunner {
  private readonly log = new Logger("jobs");
  private readonly jobs: { stop(): Promise<void> }[] = [];

  constructor(private readonly db: Database) {}

  /** @param name in the log */
  periodic(name: string, work: () => Promise<unknown>): PeriodicJob {
    const job = new PeriodicJob(name, work);
    this.jobs.push(job);
    return job;
  }

  queue<Row extends DueRow>(options: DueQueueOptions<Row>): DueQueue<Row> {
    const queue = new DueQueue<Row>(options);
    this.jobs.push(queue);
    return queue;
  }

  /**
   * Reads or claims rows of all tenants. Every statement of a job that names no tenant goes through here, so that this is
   * the one place that would loop over several databases.
   */
  acrossTenants<Args extends object, Row>(
    statement: GlobalQuery<Args, Row>,
    ...args: object extends Args ? [args?: Args] : [args: Args]
  ): Promise<Row[]> {
    return this.db.global(statement, ...args);
  }

  /** Starts nothing more, and waits for what is running, but not forever: what is left is due again after its lease. */
  async stop(): Promise<void> {
    const stopped = Promise.all(this.jobs.map((job) => job.stop())).then(() => true);
    if (!(await Promise.race([stopped, sleep(STOP_MS, false, { ref: false })])))
      this.log.warn(`jobs are still running after ${STOP_MS / 1_000} s`);
  }
}
