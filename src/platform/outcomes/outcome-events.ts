import type { Metric, OutcomeEntityType } from "./outcome.entity.js";

/** An entity whose counts have changed. */
export interface Touched {
  workspaceId: string;
  metric: Metric;
  entityType: OutcomeEntityType;
  entityId: string;
}

/** Waiting outcomes were added to the daily counts. One process at a time counts in a tenant. */
export class OutcomesCounted {
  /** A handler that changes what readers see sets this; otherwise they keep the answers that they have. */
  visible = false;

  constructor(readonly touched: readonly Touched[]) {}
}
