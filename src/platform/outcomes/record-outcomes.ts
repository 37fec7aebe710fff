import type { Tx } from "../database/transaction.js";
import type { Metric, OutcomeEntityType } from "./outcome.entity.js";
import { RECORD_OUTCOMES } from "./outcomes.queries.js";

export interface Outcome {
  workspaceId: string;
  /** The entity that it is counted for. What concerns several entities is one outcome for each. */
  entityType: OutcomeEntityType;
  entityId: string;
  metric: Metric;
  /** The highest possible value; 1 for metrics that are only good (0) or bad (1). */
  scale: number;
  value: number;
  bad: boolean;
}

/** Records how something ended, in the transaction in which it did. A job counts it later. */
export async function recordOutcomes(tx: Tx, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length) await tx.query(RECORD_OUTCOMES, { outcomes: JSON.stringify(outcomes) });
}
