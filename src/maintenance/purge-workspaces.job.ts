import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { system } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";

/** Conversations, with their messages and events, freed in one transaction. */
const BATCH = 500;

/** Frees the rows of deleted workspaces, which nobody can read any more. One process at a time. */
@Injectable()
export class PurgeWorkspacesJob {
  private readonly log = new Logger("purge");
  private busy = false;

  constructor(private readonly db: Database) {}

  @Interval(2_000)
  async tick(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await this.run();
    } catch (error) {
      this.log.warn(`the purge goes on later: ${(error as Error).message}`);
    } finally {
      this.busy = false;
    }
  }

  async run(): Promise<void> {
    const waiting = await this.db.global<{ tenantId: string; workspaceId: string }>(
      'select tenant_id as "tenantId", workspace_id as "workspaceId" from purge_queue',
    );
    if (!waiting.length) return;
    await this.db.exclusively("parley purge", async () => {
      for (const { tenantId, workspaceId } of waiting) {
        while (await this.purgeBatch(tenantId, workspaceId));
        this.log.log(`workspace ${workspaceId} purged`);
      }
    });
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
