import type { Outcome } from "./outcomes.service.js";

/** An entity whose sums have changed. */
export type Touched = Pick<Outcome, "workspaceId" | "metric" | "entityType" | "entityId">;

/** Waiting outcomes were added to the daily counts. One process at a time counts in a tenant. */
export class OutcomesCounted {
  /** A handler that changes what readers see sets this; otherwise they keep the answers that they have. */
  visible = false;

  constructor(readonly touched: readonly Touched[]) {}
}
