import { setTimeout as sleep } from "node:timers/promises";
import { Injectable, Logger } from "@nestjs/common";
import type { Counter } from "prom-client";
import { Database } from "../database/database.js";
import type { GlobalQuery } from "../database/statements.js";
import { Tracing } from "../tracing/tracing.js";
import { Metrics } from "../metrics/metrics.js";
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
  private readonly periodics = new Map<string, PeriodicJob>();
  private readonly lags = new Map<string, DueQueueOptions<DueRow>["lag"]>();
  private readonly failures: Counter<"job">;
  private readonly rows: Counter<"queue" | "result">;

  constructor(
    private readonly db: Database,
    metrics: Metrics,
    private readonly tracing: Tracing,
  ) {
    this.failures = metrics.counter("parley_job_failures_total", "Rounds of periodic jobs that failed", ["job"]);
    this.rows = metrics.counter("parley_queue_rows_total", "Rows of due queues that this process worked on", [
      "queue",
      "result",
    ]);
    metrics.gauge(
      "parley_job_last_success_timestamp_seconds",
      "When a round of the job last ended without an error in this process",
      () => this.ofPeriodics(({ endedAt }) => endedAt / 1_000),
      ["job"],
    );
    metrics.gauge(
      "parley_job_duration_seconds",
      "How long that round took",
      () => this.ofPeriodics(({ ms }) => ms / 1_000),
      ["job"],
    );
    metrics.gauge(
      "parley_queue_lag_seconds",
      "For how long the oldest row that is due has waited for a process to take it",
      metrics.shared(() => this.readLags()),
      ["queue"],
    );
  }

  /** @param name in the log */
  periodic(name: string, work: () => Promise<unknown>): PeriodicJob {
    const job = new PeriodicJob(name, work, () => this.failures.inc({ job: name }));
    this.failures.inc({ job: name }, 0);
    this.jobs.push(job);
    this.periodics.set(name, job);
    return job;
  }

  queue<Row extends DueRow>(options: DueQueueOptions<Row>): DueQueue<Row> {
    const { name, lag } = options;
    const work: typeof options.work = (caller, row) =>
      this.tracing.span(`queue ${name}`, { "parley.row.id": row.id }, () => options.work(caller, row));
    const queue = new DueQueue<Row>({ ...options, work }, (result) => this.rows.inc({ queue: name, result }));
    for (const result of ["done", "failed"]) this.rows.inc({ queue: name, result }, 0);
    this.jobs.push(queue);
    this.lags.set(name, lag);
    return queue;
  }

  /** Reads or claims rows of all tenants, on each server in turn. Every statement of a job that names no tenant goes through here. */
  acrossTenants<Args extends object, Row>(
    statement: GlobalQuery<Args, Row, "everywhere">,
    ...args: object extends Args ? [args?: Args] : [args: Args]
  ): Promise<Row[]> {
    return this.db.sweep(statement, ...args);
  }

  private ofPeriodics(value: (success: { endedAt: number; ms: number }) => number) {
    return [...this.periodics].flatMap(([job, { lastSuccess }]) =>
      lastSuccess ? [{ labels: { job }, value: value(lastSuccess) }] : [],
    );
  }

  /** One after the other, so that a scrape takes one connection from the requests, not all. */
  private async readLags() {
    const samples = [];
    for (const [queue, lag] of this.lags) {
      const late = typeof lag === "function" ? await lag() : await this.acrossTenants(lag);
      samples.push({ labels: { queue }, value: Math.max(0, ...late.map(({ seconds }) => seconds)) });
    }
    return samples;
  }

  /** Starts nothing more, and waits for what is running, but not forever: what is left is due again after its lease. */
  async stop(): Promise<void> {
    const stopped = Promise.all(this.jobs.map((job) => job.stop())).then(() => true);
    if (!(await Promise.race([stopped, sleep(STOP_MS, false, { ref: false })])))
      this.log.warn(`jobs are still running after ${STOP_MS / 1_000} s`);
  }
}
