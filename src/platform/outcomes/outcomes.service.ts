import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { type Environment, system } from "../caller/caller.js";
import { Database } from "../database/database.js";
import type { Tx } from "../database/transaction.js";
import { DomainEvents } from "../events/domain-events.js";
import { JobRunner } from "../jobs/job-runner.js";
import type { PeriodicJob } from "../jobs/periodic-job.js";
import { OutcomesCounted, type Touched } from "./outcome-events.js";
import type { Metric, OutcomeEntityType } from "./outcome.entity.js";
import { FOLD, FOLD_ENTITY, RECORD, SETTLE, TRY_TURN, TURN, WAITING } from "./outcomes.queries.js";

/** Counted in one transaction. */
const BATCH = 5_000;

export interface Outcome {
  workspaceId: string;
  /** Whom it is put down to. Something that concerns several is an outcome for each. */
  entityType: OutcomeEntityType;
  entityId: string;
  metric: Metric;
  /** The highest value that there is; 1 where it is good (0) or bad (1), and nothing between. */
  scale: number;
  value: number;
  bad: boolean;
}

/** Writes down, in the transaction in which it happened, how something ended. */
export async function recordOutcomes(tx: Tx, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length) await tx.query(RECORD, { outcomes: JSON.stringify(outcomes) });
}

/** Keeps the daily counts. Each outcome is counted once, in one transaction, by one process. */
@Injectable()
export class OutcomesService {
  private readonly job: PeriodicJob;

  constructor(
    private readonly jobs: JobRunner,
    private readonly db: Database,
    private readonly events: DomainEvents,
  ) {
    this.job = jobs.periodic("outcomes", () => this.foldAll());
  }

  @Interval(3_000)
  tick(): Promise<void> {
    return this.job.tick();
  }

  /** Counts what is waiting in all tenants, except where another process is counting. */
  async foldAll(): Promise<void> {
    const waiting = await this.jobs.acrossTenants(WAITING);
    await this.job.forEach(waiting, async ({ id, environment }) => {
      while (!this.job.stopping && (await this.foldBatch(id, environment)));
    });
  }

  /** Waits until no other process counts in the tenant, and keeps the others waiting until the transaction ends. */
  async takeTurn(tx: Tx): Promise<void> {
    await tx.query(`select ${TURN}`);
  }

  /** In a turn of its own: whatever is known of the entity by now is dealt with. */
  async settle(tx: Tx, { workspaceId, metric, entityType, entityId }: Touched): Promise<void> {
    await tx.query(FOLD_ENTITY, { workspaceId, metric, entityType, entityId });
    await tx.query(SETTLE, { workspaceId, metric, entityType, entityId });
  }

  /** @returns whether there may be more */
  private foldBatch(tenantId: string, environment: Environment): Promise<boolean> {
    return this.db.transaction(system("outcomes", tenantId, environment), async (tx) => {
      const [turn] = await tx.query<{ got: boolean }>(`select ${TRY_TURN} as got`);
      const { more, changed } = turn!.got ? await this.fold(tx) : { more: false, changed: false };
      // Counted or not, a read sees the same.
      if (!changed) tx.unseen();
      return more;
    });
  }

  private async fold(tx: Tx): Promise<{ more: boolean; changed: boolean }> {
    const touched = await tx.query<Touched & { taken: number }>(FOLD, { batch: BATCH });
    const counted = new OutcomesCounted(touched);
    if (touched.length) await this.events.publish(tx, counted);
    return { more: touched[0]?.taken === BATCH, changed: counted.visible };
  }
}
