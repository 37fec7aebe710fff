import { Injectable, Logger } from "@nestjs/common";
import { Cron } from "@nestjs/schedule";
import { WebchatSessionsService } from "../channels/webchat/webchat-sessions.service.js";
import { AttachmentCleanupService } from "../conversations/attachments/attachment-cleanup.service.js";
import { AttachmentQuota } from "../conversations/attachments/attachment-quota.js";
import { ConsumptionService } from "../conversations/consumption/consumption.service.js";
import { system } from "../platform/caller/caller.js";
import { Config } from "../platform/config/config.js";
import { Database } from "../platform/database/database.js";
import { sql } from "../platform/database/sql.js";
import { globalQuery, type NoArgs } from "../platform/database/statements.js";
import { Metrics } from "../platform/metrics/metrics.js";
import { JobRunner } from "../platform/jobs/job-runner.js";
import type { PeriodicJob } from "../platform/jobs/periodic-job.js";
import { addErased, type Erased, nothingErased } from "../contacts/erased.js";
import { ErasureService } from "../privacy/erasure/erasure.service.js";
import { DeletionService } from "../contacts/deletion.service.js";
import { WebhookEndpointsService } from "../webhooks/endpoints.service.js";
import { type DueIdentityEvents, previewIdentityEvents } from "./identity-event-retention.js";
import { RETENTION } from "./retention.js";
import type { Counts, RetentionTools, Side } from "./retention-rule.js";

const JOB = "daily";
/** Of the runs before, one has ended within this time. */
const JOURNAL_PERIOD = "30 days";

export const SIDES = globalQuery<NoArgs, Side>()(
  "daily.sides",
  "everywhere",
  () => sql`select id, environment from tenant order by id`,
);

const IS_DUE = globalQuery<{ job: string }, { due: boolean }>()(
  "daily.is-due",
  "control",
  ({ job }) => sql`
    select not exists (select from job_run where name = ${job} and started_at >=
      date_trunc('day', now() at time zone 'UTC' - interval '3 hours') at time zone 'UTC' + interval '3 hours') as due`,
);

const LAST_RUN = globalQuery<{ job: string }, { finished: number; seconds: number }>()(
  "daily.last-run",
  "control",
  ({ job }) => sql`
    select extract(epoch from finished_at)::float8 as finished,
      extract(epoch from finished_at - started_at)::float8 as seconds
    from job_run where name = ${job}`,
);

const CLOCK = globalQuery<NoArgs, { time: string }>()(
  "daily.clock",
  "control",
  () => sql`select clock_timestamp()::text as time`,
);

export const RECORD_RUN = globalQuery<{ job: string; started: string; result: string }>()(
  "daily.record-run",
  "control",
  ({ job, started, result }) => sql`
    insert into job_run (name, started_at, finished_at, result)
    values (${job}, ${started}, clock_timestamp(), ${result})
    on conflict (name) do update
      set started_at = excluded.started_at, finished_at = excluded.finished_at, result = excluded.result`,
);

/** What one run removed, by rule of the retention table. */
export interface DailyReport extends Required<Counts> {
  /** Data of erased people that was there again and is erased again. Anything but zeros needs an explanation, as a restored backup. */
  leftovers: Erased;
}

/** Once a day, by one process: deletes everything whose retention is over, and checks on erased people. */
@Injectable()
export class DailyService {
  private readonly log = new Logger("daily");
  private readonly job: PeriodicJob;
  private readonly tools: RetentionTools;

  constructor(
    private readonly jobs: JobRunner,
    private readonly db: Database,
    private readonly erasures: ErasureService,
    private readonly attachments: AttachmentCleanupService,
    private readonly quota: AttachmentQuota,
    private readonly consumption: ConsumptionService,
    deletions: DeletionService,
    webchat: WebchatSessionsService,
    webhooks: WebhookEndpointsService,
    metrics: Metrics,
    config: Config,
  ) {
    this.job = jobs.periodic("daily", () =>
      this.runIfDue().catch((error: unknown) => this.log.error(`the daily run failed: ${(error as Error).message}`)),
    );
    const last = metrics.shared(() => this.db.global(LAST_RUN, { job: JOB }));
    metrics.gauge(
      "parley_daily_run_last_success_timestamp_seconds",
      "When the last daily run of the installation ended, on whichever process",
      async () => (await last())[0]?.finished,
    );
    metrics.gauge("parley_daily_run_duration_seconds", "How long it took", async () => (await last())[0]?.seconds);
    this.tools = { db, attachments, deletions, webchat, webhooks, config, stopping: () => this.job.stopping };
  }

  /** Every process asks every ten minutes, so that a run that was interrupted is repeated in the same night. */
  @Cron("0 */10 * * * *", { timeZone: "UTC" })
  tick(): Promise<void> {
    return this.job.tick();
  }

  /** Due from 03:00 UTC, by the database's clock, until a run that began after that has finished. */
  async runIfDue(): Promise<DailyReport | undefined> {
    const [before] = await this.db.global(IS_DUE, { job: JOB });
    if (!before!.due) return undefined;
    return this.db.exclusively("parley daily", async () => {
      const [now] = await this.db.global(IS_DUE, { job: JOB });
      return now!.due ? this.run() : undefined;
    });
  }

  /** Runs now. @returns undefined where another process is running it */
  runNow(): Promise<DailyReport | undefined> {
    return this.db.exclusively("parley daily", () => this.run());
  }

  /** The identity events that a run would delete now. Deletes nothing. */
  async preview(): Promise<DueIdentityEvents[]> {
    const due: DueIdentityEvents[] = [];
    for (const side of await this.sides()) due.push(...(await previewIdentityEvents(this.db, side)));
    return due;
  }

  /** One rule or tenant that fails does not hold up the others, but then the run does not count as done. */
  private async run(): Promise<DailyReport> {
    const [clock] = await this.db.global(CLOCK);
    const report = emptyReport();
    const steps = [
      ...(await this.sides()).flatMap((side) => this.stepsOf(side, report)),
      ...RETENTION.flatMap((rule) =>
        rule.per === "installation" ? [async () => add(report, await rule.remove(this.tools, rule.keptFor))] : [],
      ),
      () => this.attachments.removeFiles(),
    ];
    await this.job.forEach(steps, (step) => step());
    if (this.job.stopping) throw new Error("the process shuts down");
    await this.db.global(RECORD_RUN, { job: JOB, started: clock!.time, result: JSON.stringify(report) });
    this.log.log(`daily run: ${JSON.stringify(report)}`);
    return report;
  }

  private stepsOf(side: Side, report: DailyReport): (() => Promise<void>)[] {
    return [
      ...RETENTION.flatMap((rule) =>
        rule.per === "side" ? [async () => add(report, await rule.remove(this.tools, side, rule.keptFor))] : [],
      ),
      () => this.quota.recount(system("recount", side.id, side.environment)),
      () => this.consumption.fold(system("fold", side.id, side.environment)),
      async () =>
        addErased(report.leftovers, await this.erasures.reconcile(system("reconciliation", side.id, side.environment))),
      () => this.erasures.completeJournal(system("journal of erasures", side.id, side.environment), JOURNAL_PERIOD),
    ];
  }

  private sides(): Promise<Side[]> {
    return this.jobs.acrossTenants(SIDES);
  }
}

function emptyReport(): DailyReport {
  return {
    identityEvents: 0,
    auditEntries: 0,
    securityEvents: 0,
    idempotencyKeys: 0,
    drafts: 0,
    bulkActions: 0,
    assistantRuns: 0,
    suggestions: 0,
    pendingActions: 0,
    learningEvidence: 0,
    learningOrigins: 0,
    magicLinks: 0,
    oneTimeCodes: 0,
    mailDeliveries: 0,
    mailTokens: 0,
    eidRequests: 0,
    loginAttempts: 0,
    rateWindows: 0,
    memberSessions: 0,
    memberLinks: 0,
    removedMembers: 0,
    webchatSessions: 0,
    pendingSignIns: 0,
    attachments: 0,
    strayFiles: 0,
    changes: 0,
    webhookDeliveries: 0,
    deletedContacts: 0,
    deletedContactsEvents: 0,
    leftovers: nothingErased(),
  };
}

function add(report: DailyReport, counts: Counts): void {
  for (const [name, count] of Object.entries(counts) as [keyof Counts, number][]) report[name] += count;
}
