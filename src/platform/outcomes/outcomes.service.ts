import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { type Environment, system } from "../caller/caller.js";
import { Database } from "../database/database.js";
import type { Tx } from "../database/transaction.js";
import { DomainEvents } from "../events/domain-events.js";
import { JobRunner } from "../jobs/job-runner.js";
import type { PeriodicJob } from "../jobs/periodic-job.js";
import { OutcomesCounted, type Touched } from "./outcome-events.js";
import { COUNT_BATCH, COUNT_ENTITY, SETTLE, TRY_TURN, WAIT_FOR_TURN, WAITING_TENANTS } from "./outcomes.queries.js";

/** Outcomes counted in one transaction. */
const BATCH = 5_000;

/** Keeps the daily counts. Each outcome is counted once, in one transaction, by one process. */
@Injectable()
export class OutcomesService {
  private readonly job: PeriodicJob;

  constructor(
    private readonly jobs: JobRunner,
    private readonly db: Database,
    private readonly events: DomainEvents,
  ) {
    this.job = jobs.periodic("outcomes", () => this.countAll());
  }

  @Interval(3_000)
  tick(): Promise<void> {
    return this.job.tick();
  }

  /** Counts what is waiting in all tenants, except where another process is counting. */
  async countAll(): Promise<void> {
    const waiting = await this.jobs.acrossTenants(WAITING_TENANTS);
    await this.job.forEach(waiting, async ({ id, environment }) => {
      while (!this.job.stopping && (await this.countBatch(id, environment)));
    });
  }

  /** Waits until no other process counts in the tenant, and keeps the others waiting until the transaction ends. */
  async takeTurn(tx: Tx): Promise<void> {
    await tx.query(WAIT_FOR_TURN);
  }

  /** Marks all outcomes of the entity as dealt with. Call `takeTurn` first. */
  async settle(tx: Tx, { workspaceId, metric, entityType, entityId }: Touched): Promise<void> {
    await tx.query(COUNT_ENTITY, { workspaceId, metric, entityType, entityId });
    await tx.query(SETTLE, { workspaceId, metric, entityType, entityId });
  }

  /** @returns whether there may be more */
  private countBatch(tenantId: string, environment: Environment): Promise<boolean> {
    return this.db.transaction(system("outcomes", tenantId, environment), async (tx) => {
      const [turn] = await tx.query(TRY_TURN);
      const { more, changed } = turn!.mine ? await this.count(tx) : { more: false, changed: false };
      // Reads show the same before and after counting.
      if (!changed) tx.changesNothingVisible();
      return more;
    });
  }

  private async count(tx: Tx): Promise<{ more: boolean; changed: boolean }> {
    const touched = await tx.query(COUNT_BATCH, { limit: BATCH });
    const counted = new OutcomesCounted(touched);
    if (touched.length) await this.events.publish(tx, counted);
    return { more: touched[0]?.taken === BATCH, changed: counted.visible };
  }
}
