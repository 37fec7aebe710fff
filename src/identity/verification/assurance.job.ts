import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { Database } from "../../platform/database/database.js";
import type { DueQueue, DueRow } from "../../platform/jobs/due-queue.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import { refreshLevel } from "./assurance-level.js";

const BATCH = 100;
const LEASE_SECONDS = 60;

const CLAIM = `update assurance_due d set due_at = clock_timestamp() + make_interval(secs => $1) from tenant t
  where t.id = d.tenant_id and (d.tenant_id, d.conversation_id) in (
    select n.tenant_id, n.conversation_id from assurance_due n where n.due_at <= clock_timestamp() order by n.due_at limit $2 for update skip locked)
  returning d.tenant_id as "tenantId", d.conversation_id as id, t.environment, d.due_at::text as until`;

/** A conversation in which a factor has expired. `until` is the lease. */
interface ExpiredFactor extends DueRow {
  until: string;
}

/** Lowers assurance levels within a minute after a factor expires. Gates do not wait for this: they compute the level. */
@Injectable()
export class AssuranceJob {
  private readonly queue: DueQueue<ExpiredFactor>;

  constructor(jobs: JobRunner, db: Database) {
    this.queue = jobs.queue<ExpiredFactor>({
      name: "assurance",
      claim: (limit) => ({ sql: CLAIM, values: [LEASE_SECONDS, limit] }),
      concurrency: 1,
      batch: BATCH,
      work: (caller, { id: conversationId, until }) =>
        db.transaction(caller, async (tx) => {
          const [conversation] = await tx.query<{ workspaceId: string }>(
            'select workspace_id as "workspaceId" from conversation where tenant_id = :tenant and id = :conversationId for update',
            { conversationId },
          );
          if (conversation) {
            tx.within(conversation.workspaceId);
            await refreshLevel(tx, conversationId);
          }
          // If no other factor can expire, the row is still as it was claimed and goes.
          await tx.query(
            "delete from assurance_due where tenant_id = :tenant and conversation_id = :conversationId and due_at = :until::timestamptz",
            { conversationId, until },
          );
        }),
    });
  }

  @Interval(20_000)
  tick(): Promise<void> {
    return this.queue.tick();
  }
}
