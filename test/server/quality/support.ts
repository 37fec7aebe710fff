import { OutcomesService } from "../../../src/platform/outcomes/outcomes.service.js";
import { type Outcome, recordOutcomes } from "../../../src/platform/outcomes/record-outcomes.js";
import type { TestApp, TestTenant } from "../../support/app.js";

export type Of = Pick<Outcome, "workspaceId" | "metric" | "entityType" | "entityId">;

export const fold = (node: TestApp): Promise<void> => node.app.get(OutcomesService).countAll();
export const record = (tenant: TestTenant, outcomes: readonly Outcome[]): Promise<void> =>
  tenant.transaction(tenant.tenantId, (tx) => recordOutcomes(tx, outcomes));

/** The given numbers of good and bad outcomes. A rating is 5 or 1 of 5. */
export const ended = (of: Of, good: number, bad: number): Outcome[] =>
  Array.from({ length: good + bad }, (_, n) =>
    of.metric === "csat"
      ? { ...of, scale: 5, value: n < good ? 5 : 1, bad: n >= good }
      : { ...of, scale: 1, value: Number(n >= good), bad: n >= good },
  );

/** A number of days longer than any window. */
const FAR = 10_000;
/** Moves the current counts this many days into the past. */
export async function age(node: TestApp, workspaceId: string, days: number): Promise<void> {
  // In two steps, because a row may move to a place that another row still has.
  for (const by of [days + FAR, -FAR])
    await node.db.query("update outcome_count set day = day - ($2)::int where workspace_id = $1", [workspaceId, by]);
}
