import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { type Environment, system } from "../caller/caller.js";
import { Database } from "../database/database.js";
import type { Tx } from "../database/transaction.js";
import type { Metric, OutcomeEntityType } from "./outcome.entity.js";
import { FOLD, FOLD_ENTITY, RECORD, SETTLE, TRY_TURN, TURN, WAITING } from "./outcomes.queries.js";

const EVERY_MS = 3_000;
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

/** An entity whose sums have changed. */
export type Touched = Pick<Outcome, "workspaceId" | "metric" | "entityType" | "entityId">;

/** Writes down, in the transaction in which it happened, how something ended. */
export async function recordOutcomes(tx: Tx, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length) await tx.query(RECORD, { outcomes: JSON.stringify(outcomes) });
}

/** Keeps the daily counts: each outcome is counted once, by whichever process, whole or not at all. */
@Injectable()
export class OutcomesService {
  private readonly log = new Logger("outcomes");
  private readonly whenCounted: ((tx: Tx, touched: readonly Touched[]) => Promise<boolean>)[] = [];
  private busy = false;

  constructor(private readonly db: Database) {}

  /** For features above this one: `work` is done in the transaction that counts, by one process at a time in a tenant. @returns whether anything has changed that is shown */
  onCounted(work: (tx: Tx, touched: readonly Touched[]) => Promise<boolean>): void {
    this.whenCounted.push(work);
  }

  @Interval(EVERY_MS)
  async tick(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await this.foldAll();
    } catch (error) {
      this.log.warn(`outcomes are counted in the next round: ${(error as Error).message}`);
    } finally {
      this.busy = false;
    }
  }

  /** Counts whatever waits, in all tenants, but for those that another process is at. One that cannot be counted does not hold up the others. */
  async foldAll(): Promise<void> {
    let failure: unknown;
    for (const { id, environment } of await this.db.global<{ id: string; environment: Environment }>(WAITING)) {
      try {
        while (await this.foldBatch(id, environment));
      } catch (error) {
        failure ??= error;
      }
    }
    if (failure) throw failure as Error;
  }

  /** Waits for whoever is counting in the tenant; until the end of the transaction nobody else does. */
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
    let changed = false;
    if (touched.length) for (const work of this.whenCounted) changed = (await work(tx, touched)) || changed;
    return { more: touched[0]?.taken === BATCH, changed };
  }
}
