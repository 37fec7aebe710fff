import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { system } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { JobRunner } from "../platform/jobs/job-runner.js";
import type { PeriodicJob } from "../platform/jobs/periodic-job.js";

/** Conversations, with their messages and events, deleted in one transaction. */
const BATCH = 500;

/** Deletes the rows of deleted workspaces, which no request can read. One process at a time. */
@Injectable()
export class PurgeWorkspacesJob {
  private readonly log = new Logger("purge");
  private readonly job: PeriodicJob;

  constructor(
    private readonly jobs: JobRunner,
    private readonly db: Database,
  ) {
    this.job = jobs.periodic("purge", () => this.run());
  }

  @Interval(2_000)
  tick(): Promise<void> {
    return this.job.tick();
  }

  async run(): Promise<void> {
    const waiting = await this.jobs.acrossTenants<{ tenantId: string; workspaceId: string }>({
      sql: 'select tenant_id as "tenantId", workspace_id as "workspaceId" from purge_queue',
    });
    if (!waiting.length) return;
    await this.db.exclusively("parley purge", () =>
      this.job.forEach(waiting, async ({ tenantId, workspaceId }) => {
        while (await this.purgeBatch(tenantId, workspaceId)) if (this.job.stopping) return;
        this.log.log(`workspace ${workspaceId} purged`);
      }),
    );
  }

  /** @returns whether there may be more */
  private purgeBatch(tenantId: string, workspaceId: string): Promise<boolean> {
    return this.db.transaction(system("purge", tenantId, "live"), async (tx) => {
      const [row] = await tx.query<{ more: boolean }>(
        "select case when purge_policies(:tenant, :workspaceId, :batch) then true else purge_workspace(:tenant, :workspaceId, :batch) end as more",
        { workspaceId, batch: BATCH },
      );
      return row!.more;
    });
  }
}
