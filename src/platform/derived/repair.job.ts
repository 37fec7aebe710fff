import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { Database } from "../database/database.js";
import { sql, TENANT } from "../database/sql.js";
import { globalQuery, query } from "../database/statements.js";
import type { DueQueue, DueRow } from "../jobs/due-queue.js";
import { dueInTurn, lagOf, type Room } from "../jobs/due-rows.js";
import { JobRunner } from "../jobs/job-runner.js";

const BATCH = 50;

interface Missing extends DueRow {
  kind: string;
}

/** Each attempt waits twice as long as the one before, from one minute to about an hour. */
const CLAIM = globalQuery<Room, Missing>()(
  "derived.claim",
  "everywhere",
  (room) => sql`
    update derived_repair d set attempts = d.attempts + 1,
      due_at = clock_timestamp() + interval '1 minute' * 2 ^ least(d.attempts, 6)
    where (d.tenant_id, d.id) in (${dueInTurn({ table: sql`derived_repair`, id: sql`id` }, room)})
    returning d.tenant_id as "tenantId", d.id, d.kind`,
);
const LAG = lagOf("derived", sql`derived_repair`);
const REPAIR = query<{ id: string }>()(
  "derived.repair",
  { unrestricted: "a job of the system" },
  ({ id }) => sql`select repair_derived(${TENANT}, ${id}::uuid) as kind`,
);

/** Derives what a trigger could not derive from a change (see `derived.sql`). */
@Injectable()
export class RepairJob {
  private readonly log = new Logger("derived");
  private readonly queue: DueQueue<Missing>;

  constructor(jobs: JobRunner, db: Database) {
    this.queue = jobs.queue<Missing>({
      name: "derived",
      claim: (room) => jobs.acrossTenants(CLAIM, room),
      lag: LAG,
      concurrency: 1,
      batch: BATCH,
      work: async (caller, { id }) => {
        const [repaired] = await db.transaction(caller, (tx) => tx.query(REPAIR, { id }));
        if (repaired?.kind) this.log.log(`${repaired.kind} ${id} is repaired`);
      },
    });
  }

  @Interval(10_000)
  tick(): Promise<void> {
    return this.queue.tick();
  }
}
