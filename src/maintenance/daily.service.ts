import { setTimeout as sleep } from "node:timers/promises";
import { Injectable, Logger } from "@nestjs/common";
import { Cron } from "@nestjs/schedule";
import { AttachmentCleanup } from "../conversations/attachments/attachment-cleanup.service.js";
import { type Environment, system } from "../platform/caller/caller.js";
import { ConsumptionService } from "../conversations/consumption/consumption.service.js";
import { Database } from "../platform/database/database.js";
import { time } from "../platform/database/statement.js";
import { DeletionService } from "../contacts/deletion.service.js";
import { addErased, type Erased, nothingErased } from "../contacts/erased.js";
import { ErasureService } from "../privacy/erasure/erasure.service.js";
import { WebchatSessions } from "../channels/webchat/webchat-sessions.service.js";

/** About a millisecond's work: a core is never taken from readers for longer (`npm run bench -- sweep`). */
const BATCH = 500;
/** Of identity events, which nothing refers to. */
const EVENTS_BATCH = 5_000;
const JOB = "daily";

/** What one run removed. */
export interface SweepReport {
  identityEvents: number;
  auditEntries: number;
  idempotencyKeys: number;
  magicLinks: number;
  eidRequests: number;
  loginAttempts: number;
  /** Uploads that no message took within a day, and files that never got a row. */
  attachments: number;
  strayFiles: number;
  /** Contacts that were deleted 30 days ago, and the identity events that were bound to them. */
  deletedContacts: number;
  deletedContactsEvents: number;
  /** What was found, and erased again, of people who had been erased: other than after a restored backup it should be nothing. */
  leftovers: Erased;
}
/** What is due in one workspace. */
export interface DuePreview {
  tenantId: string;
  environment: Environment;
  workspaceId: string;
  workspace: string;
  identityEvents: number;
  oldest: string;
}

interface Side {
  id: string;
  environment: Environment;
}

/** Once a day, over all nodes together: deletes what has been kept for as long as was promised. */
@Injectable()
export class DailyService {
  private readonly log = new Logger("daily");

  constructor(
    private readonly db: Database,
    private readonly erasures: ErasureService,
    private readonly attachments: AttachmentCleanup,
    private readonly consumption: ConsumptionService,
    private readonly deletions: DeletionService,
    private readonly webchat: WebchatSessions,
  ) {}

  /** Asked every ten minutes, on every node, so that a run that a crash cut off is made up for the same night. */
  @Cron("0 */10 * * * *", { timeZone: "UTC" })
  async tick(): Promise<void> {
    try {
      await this.runIfDue();
    } catch (error) {
      this.log.error(`the daily run failed: ${(error as Error).message}`);
    }
  }

  /** Due from 03:00 UTC on, by the database's clock, until a run that began after then has come to its end. */
  async runIfDue(): Promise<SweepReport | undefined> {
    const due = `select not exists (select from job_run where name = $1
      and started_at >= date_trunc('day', now() at time zone 'UTC' - interval '3 hours') at time zone 'UTC' + interval '3 hours') as due`;
    const [before] = await this.db.global<{ due: boolean }>(due, [JOB]);
    if (!before!.due) return undefined;
    return this.db.exclusively("parley daily", async () => {
      const [now] = await this.db.global<{ due: boolean }>(due, [JOB]);
      return now!.due ? this.run() : undefined;
    });
  }

  /** Runs now, unless another process is at it. */
  runNow(): Promise<SweepReport | undefined> {
    return this.db.exclusively("parley daily", () => this.run());
  }

  private async run(): Promise<SweepReport> {
    const [{ started }] = (await this.db.global<{ started: string }>("select clock_timestamp()::text as started")) as [
      { started: string },
    ];
    const report: SweepReport = {
      identityEvents: 0,
      auditEntries: 0,
      idempotencyKeys: 0,
      magicLinks: 0,
      eidRequests: 0,
      loginAttempts: 0,
      attachments: 0,
      strayFiles: 0,
      deletedContacts: 0,
      deletedContactsEvents: 0,
      leftovers: nothingErased(),
    };
    for (const side of await this.db.global<Side>("select id, environment from tenant order by id")) {
      report.identityEvents += await this.sweepIdentityEvents(side);
      report.auditEntries += await this.sweepAuditLog(side);
      await this.consumption.fold(system("fold", side.id, side.environment));
      report.idempotencyKeys += await this.forgetIdempotencyKeys(side);
      report.magicLinks += await this.forgetMagicLinks(side);
      report.eidRequests += await this.forgetEidRequests(side);
      await this.inBatches(() =>
        this.db.transaction(system("sweep", side.id, side.environment), (tx) => this.webchat.forget(tx, BATCH)),
      );
      const purged = await this.deletions.purge(system("purge", side.id, side.environment));
      report.deletedContacts += purged.contacts;
      report.deletedContactsEvents += purged.identityEvents;
      addErased(report.leftovers, await this.erasures.reconcile(system("reconciliation", side.id, side.environment)));
      const upkeep = system("attachments", side.id, side.environment);
      report.attachments += await this.attachments.forgetUnattached(upkeep);
      report.strayFiles += await this.attachments.removeStrays(upkeep);
    }
    await this.attachments.removeFiles();
    report.loginAttempts = (
      await this.db.global(`delete from login_attempt where started_at < now() - interval '1 day' returning 1`)
    ).length;
    await this.db.global(`delete from rate_window where started_at < now() - interval '1 day'`);
    await this.db.global(
      `insert into job_run (name, started_at, finished_at, result) values ($1, $2, clock_timestamp(), $3)
      on conflict (name) do update set started_at = excluded.started_at, finished_at = excluded.finished_at, result = excluded.result`,
      [JOB, started, JSON.stringify(report)],
    );
    this.log.log(`daily run: ${JSON.stringify(report)}`);
    return report;
  }

  /** What a run would delete of identity events now, workspace by workspace; nothing is touched. */
  async preview(): Promise<DuePreview[]> {
    const sides = await this.db.global<Side>("select id, environment from tenant order by id");
    const due: DuePreview[] = [];
    for (const { id, environment } of sides) {
      // The sweep's own condition; the first comparison is there for the index.
      due.push(
        ...(await this.db.transaction(system("preview", id, environment), (tx) =>
          tx.query<DuePreview>(`select w.tenant_id as "tenantId", '${environment}' as environment,
          w.id as "workspaceId", w.name as workspace, e.due as "identityEvents", ${time("e.oldest")} as oldest
        from workspace w, make_interval(months => w.identity_retention_months) as kept, lateral (
          select count(*)::int as due, min(e.occurred_at) as oldest from identity_event e
          where e.tenant_id = w.tenant_id and e.workspace_id = w.id and e.occurred_at < now() - kept + interval '4 days'
            and e.occurred_at at time zone 'UTC' + kept <= now() at time zone 'UTC') e
        where w.tenant_id = :tenant and e.due > 0 order by w.id`),
        )),
      );
    }
    return due;
  }

  /**
   * In batches of their own transactions and with rests in between, so that readers are left undisturbed. None waits for the disk: what a crash
   * undoes is due again, and the run counts as done only with a commit that does wait, for all before it.
   */
  private async sweepIdentityEvents({ id, environment }: Side): Promise<number> {
    const caller = system("sweep", id, environment);
    const workspaces = await this.db.transaction(caller, (tx) =>
      tx.query<{ id: string }>("select id from workspace where tenant_id = :tenant order by id"),
    );
    let total = 0;
    for (const { id: workspace } of workspaces) {
      for (let after: string | null = "-infinity"; after !== null;) {
        const began = performance.now();
        const [row]: { removed: number; reached: string | null }[] = await this.db.transaction(caller, (tx) =>
          tx.query(
            `select s.removed, s.reached::text as reached
          from set_config('synchronous_commit', 'off', true), sweep_identity_events(:tenant, :workspace, :after::timestamptz, :batch) s`,
            { workspace, after, batch: EVENTS_BATCH },
          ),
        );
        total += row!.removed;
        after = row!.reached;
        // As long again: it is never more than half of what the database has to do for one connection.
        await sleep(performance.now() - began);
      }
    }
    return total;
  }

  private sweepAuditLog({ id, environment }: Side): Promise<number> {
    return this.inBatches(() =>
      this.db.transaction(system("sweep", id, environment), async (tx) => {
        const [row] = await tx.query<{ removed: number }>("select sweep_audit_log(:tenant, :batch) as removed", {
          batch: BATCH,
        });
        return row!.removed;
      }),
    );
  }

  private forgetIdempotencyKeys({ id, environment }: Side): Promise<number> {
    return this.inBatches(() =>
      this.db.transaction(
        system("sweep", id, environment),
        async (tx) =>
          (
            await tx.query(
              `delete from idempotency_key where tenant_id = :tenant
      and fingerprint in (select fingerprint from idempotency_key where tenant_id = :tenant and created_at < now() - interval '25 hours' limit :batch) returning 1`,
              { batch: BATCH },
            )
          ).length,
      ),
    );
  }

  /** A day after they expired: until then they tell a late click from an unknown link. */
  private forgetMagicLinks({ id, environment }: Side): Promise<number> {
    return this.inBatches(() =>
      this.db.transaction(
        system("sweep", id, environment),
        async (tx) =>
          (
            await tx.query(
              `delete from magic_link where tenant_id = :tenant
      and id in (select id from magic_link where tenant_id = :tenant and expires_at < now() - interval '1 day' limit :batch) returning 1`,
              { batch: BATCH },
            )
          ).length,
      ),
    );
  }

  /** A day after they ended: what came of them is an identity event. */
  private forgetEidRequests({ id, environment }: Side): Promise<number> {
    return this.inBatches(() =>
      this.db.transaction(
        system("sweep", id, environment),
        async (tx) =>
          (
            await tx.query(
              `delete from eid_request where tenant_id = :tenant
      and id in (select id from eid_request where tenant_id = :tenant and finished_at < now() - interval '1 day' limit :batch) returning 1`,
              { batch: BATCH },
            )
          ).length,
      ),
    );
  }

  private async inBatches(batch: () => Promise<number>): Promise<number> {
    let total = 0;
    for (let removed = BATCH; removed === BATCH; total += removed) removed = await batch();
    return total;
  }
}
