import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { Database } from "../database/database.js";
import { sql, TENANT } from "../database/sql.js";
import { globalQuery, query } from "../database/statements.js";
import type { DueQueue, DueRow } from "../jobs/due-queue.js";
import { JobRunner } from "../jobs/job-runner.js";

const BATCH = 50;

interface Missing extends DueRow {
  kind: string;
}

const CLAIM = globalQuery<{ limit: number }, Missing>(
  "derived.claim",
  ({ limit }) => sql`select c.tenant_id as "tenantId", c.id, c.kind from claim_derived(${limit}::int) c`,
);
const REPAIR = query<{ id: string }, { kind: string | null }>(
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
      claim: (limit) => jobs.acrossTenants(CLAIM, { limit }),
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
