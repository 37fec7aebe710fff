import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { system } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { sql, TENANT } from "../platform/database/sql.js";
import { globalQuery, type NoArgs, query } from "../platform/database/statements.js";
import { JobRunner } from "../platform/jobs/job-runner.js";
import type { PeriodicJob } from "../platform/jobs/periodic-job.js";

/** Conversations, with their messages and events, deleted in one transaction. */
const BATCH = 500;

const QUEUE = globalQuery<NoArgs>()(
  "purge.queue",
  "everywhere",
  () => sql`select tenant_id as "tenantId", workspace_id as "workspaceId" from purge_queue`,
);

const PURGE = query<{ workspaceId: string; batch: number }, { more: boolean }>()(
  "purge.batch",
  { unrestricted: "the workspace is deleted" },
  ({ workspaceId, batch }) => sql`
    select case when purge_policies(${TENANT}, ${workspaceId}, ${batch}) then true
      else purge_workspace(${TENANT}, ${workspaceId}, ${batch}) end as more`,
);

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
    const waiting = await this.jobs.acrossTenants(QUEUE);
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
      const [row] = await tx.query(PURGE, { workspaceId, batch: BATCH });
      return row!.more;
    });
  }
}
