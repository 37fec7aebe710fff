import { Injectable } from "@nestjs/common";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Step } from "../plan.js";
import { LOCK_RUN, stepsAsJson } from "../tools/steps.queries.js";
import { ADD_STEPS, type StillOn } from "./model-runs.queries.js";

const NO_TOKENS = { inputTokens: 0, outputTokens: 0 };

/** What a run records of its work with the language model, and what that costs the workspace. */
@Injectable()
export class ModelSteps {
  constructor(private readonly db: Database) {}

  /** @returns whether the run goes on, and what the workspace has spent. `off` alone: an erasure has removed the run */
  write(
    { caller, run }: { caller: SystemCaller; run: { id: string; attempts: number } },
    steps: readonly Step[],
    tokens = NO_TOKENS,
  ): Promise<StillOn | { off: string; tokensToday?: undefined }> {
    return this.db.transaction(caller, async (tx) => {
      await tx.query(LOCK_RUN, { id: run.id });
      const [still] = await tx.query(ADD_STEPS, {
        id: run.id,
        attempts: run.attempts,
        steps: stepsAsJson(steps),
        ...tokens,
      });
      if (still) tx.changesWorkspace(still.workspaceId);
      else tx.changesNothingVisible();
      return still ?? { off: "The conversation was erased" };
    });
  }
}

export const stepOf = (type: Step["type"], began: number, detail: object): Step => ({
  type,
  at: new Date(began).toISOString(),
  durationMs: Date.now() - began,
  detail,
});
