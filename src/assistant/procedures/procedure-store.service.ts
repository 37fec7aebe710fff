import { Injectable } from "@nestjs/common";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { LOCK_RUN, stepsAsJson } from "../tools/steps.queries.js";
import type { ToolRun } from "../tools/tool-calls.js";
import { GET_PROCEDURES, GET_STEPS, NOTE_STEPS, save, type SaveArgs, type Taken } from "./procedure-runs.queries.js";
import { type Known, ProcedureStore } from "./procedure-store.js";

@Injectable()
export class ProcedureStoreService extends ProcedureStore {
  constructor(private readonly db: Database) {
    super();
  }

  async known(caller: SystemCaller, run: ToolRun): Promise<Known> {
    const [known] = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.query(GET_PROCEDURES, run);
    });
    return known!;
  }

  async steps(caller: SystemCaller, { conversationId }: ToolRun, procedureId: string): Promise<Taken | undefined> {
    const [found] = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.query(GET_STEPS, { conversationId, procedureId });
    });
    return found?.taken;
  }

  note(
    caller: SystemCaller,
    run: ToolRun & { attempts: number },
    steps: readonly object[],
    saved: SaveArgs | null,
  ): Promise<string | null> {
    return this.db.transaction(caller, async (tx) => {
      await tx.query(LOCK_RUN, { id: run.id });
      const written = { runId: run.id, attempts: run.attempts, steps: stepsAsJson(steps) };
      const [still] = await tx.query(NOTE_STEPS, written);
      if (still) tx.changesWorkspace(still.workspaceId);
      else tx.changesNothingVisible();
      if (still?.off === null && saved) await save(tx, saved);
      return still ? still.off : "The conversation was erased";
    });
  }
}
