import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { sql, STRANGERS, TENANT } from "../../platform/database/sql.js";
import { globalQuery, query } from "../../platform/database/statements.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import type { PeriodicJob } from "../../platform/jobs/periodic-job.js";
import { AttachmentStore, type FileKey } from "./attachment-store.js";

const BATCH = 500;
const WHOLE_TENANT = { unrestricted: "the cleanup works for the whole tenant" } as const;

/** So many files that could not be removed are remembered. */
const MAX_FAILED = 20_000;

interface Waiting {
  tenantId: string | null;
  failed: readonly string[];
  batch: number;
}
/** Files to remove, of one tenant, or of all tenants if it is null, without those that have just failed. */
const WAITING = globalQuery<Waiting, FileKey>()(
  "attachments.waiting-for-removal",
  "everywhere",
  ({ tenantId, failed, batch }) => sql`
    select tenant_id as "tenantId", id from attachment_removal
    where (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid) and not id = any(${failed}::uuid[])
    limit ${batch}`,
);

const REMOVED = globalQuery<{ tenantIds: readonly string[]; ids: readonly string[] }>()(
  "attachments.removed",
  "everywhere",
  ({ tenantIds, ids }) => sql`
    delete from attachment_removal
    where (tenant_id, id) in (select * from unnest(${tenantIds}::uuid[], ${ids}::uuid[]))
      and not tenant_id = any(${STRANGERS}::uuid[])`,
);

const REMOVE_UNATTACHED = query<{ keptFor: string; batch: number }>()(
  "attachments.remove-unattached",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from attachment where tenant_id = ${TENANT} and message_id is null and id in (
      select a.id from attachment a
      where a.tenant_id = ${TENANT} and a.message_id is null and a.created_at < now() - ${keptFor}::interval
        and not a.id = any(array(select unnest(d.attachment_ids) from draft d where d.tenant_id = ${TENANT}))
      limit ${batch})
    returning 1`,
);

const FIND_KNOWN = query<{ ids: readonly string[] }>()(
  "attachments.find-known",
  WHOLE_TENANT,
  ({ ids }) => sql`select id from attachment where tenant_id = ${TENANT} and id = any(${ids}::uuid[])`,
);

/** Removes files without a row and rows without a message. Every step may be interrupted and repeated. */
@Injectable()
export class AttachmentCleanupService {
  private readonly job: PeriodicJob;
  /** Files that could not be removed. The others come first, or these would be all that a run ever looks at. */
  private readonly failed = new Set<string>();

  constructor(
    private readonly jobs: JobRunner,
    private readonly db: Database,
    private readonly store: AttachmentStore,
  ) {
    this.job = jobs.periodic("attachments", () => this.removeFiles());
  }

  @Interval(2_000)
  tick(): Promise<void> {
    return this.job.tick();
  }

  /**
   * Removes the files whose rows are deleted, of one tenant or of all. When it returns, all of them are removed.
   * @throws Error if a file cannot be removed; the next run tries again
   */
  async removeFiles(tenantId: string | null = null): Promise<void> {
    for (;;) {
      const batch = await this.jobs.acrossTenants(WAITING, { tenantId, failed: [...this.failed], batch: BATCH });
      if (!batch.length) {
        if (!this.failed.size) return;
        // All others are removed: it is their turn again.
        this.failed.clear();
        continue;
      }
      const results = await Promise.allSettled(batch.map((key) => this.store.remove(key)));
      const done = batch.filter((_, index) => results[index]!.status === "fulfilled");
      if (done.length) {
        await this.jobs.acrossTenants(REMOVED, {
          tenantIds: done.map((key) => key.tenantId),
          ids: done.map(({ id }) => id),
        });
      }
      const failed = results.find((result) => result.status === "rejected");
      if (!failed) continue;
      if (this.failed.size >= MAX_FAILED) this.failed.clear();
      batch.forEach(({ id }, index) => results[index]!.status === "rejected" && this.failed.add(id));
      throw failed.reason;
    }
  }

  /** Deletes uploads that were not attached to a message and are in no draft. @param keptFor a PostgreSQL interval @returns how many */
  async removeUnattached(caller: SystemCaller, keptFor: string): Promise<number> {
    let total = 0;
    for (let gone = BATCH; gone === BATCH; total += gone) {
      gone = await this.db.transaction(
        caller,
        async (tx) => (await tx.query(REMOVE_UNATTACHED, { keptFor, batch: BATCH })).length,
      );
    }
    return total;
  }

  /** Which of these files have a row. */
  async known(caller: SystemCaller, ids: readonly string[]): Promise<Set<string>> {
    const rows = await this.db.transaction(caller, (tx) => tx.query(FIND_KNOWN, { ids }));
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Removes files without a row that were written before `writtenBefore`, for example by a process that was killed
   * during an upload. @returns how many
   */
  async removeStrays(caller: SystemCaller, writtenBefore: Date): Promise<number> {
    let [total, batch] = [0, [] as string[]];
    const check = async (): Promise<void> => {
      const known = await this.known(caller, batch);
      const strays = batch.filter((id) => !known.has(id));
      for (const id of strays) await this.store.remove({ tenantId: caller.tenantId, id });
      total += strays.length;
      batch = [];
    };
    for await (const id of this.store.list(caller.tenantId, writtenBefore)) if (batch.push(id) === BATCH) await check();
    if (batch.length) await check();
    return total;
  }
}
