import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { Database } from "../../platform/database/database.js";
import { sql } from "../../platform/database/sql.js";
import { globalQuery } from "../../platform/database/statements.js";
import type { DueQueue, DueRow } from "../../platform/jobs/due-queue.js";
import { dueInTurn, lagOf, type Room } from "../../platform/jobs/due-rows.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import { END_SNOOZE } from "./actions.queries.js";

const BATCH = 100;
/** Short enough that a snooze ends within a minute even if the process that claimed it dies. */
const LEASE_SECONDS = 30;

const CLAIM = globalQuery<Room & { leaseSeconds: number }, EndedSnooze>()(
  "snooze.claim",
  "everywhere",
  (room) => sql`
    update snooze_due d set due_at = clock_timestamp() + make_interval(secs => ${room.leaseSeconds}) from tenant t
    where t.id = d.tenant_id and (d.tenant_id, d.conversation_id) in (
      ${dueInTurn({ table: sql`snooze_due`, id: sql`conversation_id` }, room)})
    returning d.tenant_id as "tenantId", d.conversation_id as id, t.environment, d.due_at::text as until`,
);
const LAG = lagOf("snooze", sql`snooze_due`);

/** A conversation whose snooze has ended. `until` is the lease: if it has changed, the conversation was snoozed again. */
interface EndedSnooze extends DueRow {
  until: string;
}

/** Opens conversations whose snooze has ended, by the database's clock. */
@Injectable()
export class SnoozeJob {
  private readonly queue: DueQueue<EndedSnooze>;

  constructor(jobs: JobRunner, db: Database) {
    this.queue = jobs.queue<EndedSnooze>({
      name: "snooze",
      claim: (room) => jobs.acrossTenants(CLAIM, { leaseSeconds: LEASE_SECONDS, ...room }),
      lag: LAG,
      concurrency: 1,
      batch: BATCH,
      work: (caller, { id: conversationId, until }) =>
        db.transaction(caller, async (tx) => {
          const [opened] = await tx.query(END_SNOOZE, { conversationId, until });
          if (opened) tx.changesWorkspace(opened.workspaceId);
          else tx.changesNothingVisible();
        }),
    });
  }

  @Interval(5_000)
  tick(): Promise<void> {
    return this.queue.tick();
  }
}
