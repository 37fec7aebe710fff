import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { ConversationEntity } from "../../conversations/conversation.entity.js";
import { Database } from "../../platform/database/database.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { globalQuery, query } from "../../platform/database/statements.js";
import type { DueQueue, DueRow } from "../../platform/jobs/due-queue.js";
import { dueInTurn, lagOf, type Room } from "../../platform/jobs/due-rows.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import { refreshLevel } from "./assurance-level.js";

const BATCH = 100;
const LEASE_SECONDS = 60;

/** A conversation in which a factor has expired. `until` is the lease. */
interface ExpiredFactor extends DueRow {
  until: string;
}

const CLAIM = globalQuery<Room & { leaseSeconds: number }, ExpiredFactor>()(
  "assuranceJob.claim",
  "everywhere",
  (room) => sql`
    update assurance_due d set due_at = clock_timestamp() + make_interval(secs => ${room.leaseSeconds})
    from tenant t
    where t.id = d.tenant_id and (d.tenant_id, d.conversation_id) in (
      ${dueInTurn({ table: sql`assurance_due`, id: sql`conversation_id` }, room)}
    )
    returning d.tenant_id as "tenantId", d.conversation_id as id, t.environment, d.due_at::text as until`,
);
const LAG = lagOf("assuranceJob", sql`assurance_due`);
const FORGET = query<{ conversationId: string; until: string }>()(
  "assuranceJob.forget",
  { unrestricted: "only the job runs it" },
  ({ conversationId, until }) => sql`
    delete from assurance_due
    where tenant_id = ${TENANT} and conversation_id = ${conversationId} and due_at = ${until}::timestamptz`,
);

/** Lowers assurance levels within a minute after a factor expires. Gates do not wait for this: they compute the level. */
@Injectable()
export class AssuranceJob {
  private readonly queue: DueQueue<ExpiredFactor>;

  constructor(jobs: JobRunner, db: Database) {
    this.queue = jobs.queue<ExpiredFactor>({
      name: "assurance",
      claim: (room) => jobs.acrossTenants(CLAIM, { leaseSeconds: LEASE_SECONDS, ...room }),
      lag: LAG,
      concurrency: 1,
      batch: BATCH,
      work: (caller, { id: conversationId, until }) =>
        db.transaction(caller, async (tx) => {
          const conversation = await tx.findOne(ConversationEntity, { id: conversationId }, { lock: "update" });
          if (conversation) {
            tx.changesWorkspace(conversation.workspaceId);
            await refreshLevel(tx, conversationId);
          }
          // If no other factor can expire, the row is unchanged since the claim and is deleted.
          await tx.query(FORGET, { conversationId, until });
        }),
    });
  }

  @Interval(20_000)
  tick(): Promise<void> {
    return this.queue.tick();
  }
}
