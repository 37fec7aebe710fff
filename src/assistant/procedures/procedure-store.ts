import type { SystemCaller } from "../../platform/caller/caller.js";
import type { ToolRun } from "../tools/tool-calls.js";
import type { OpenRun, SaveArgs, Start, Taken } from "./procedure-runs.queries.js";
import type { Facts } from "./known.js";

/** What is known of procedures where a run begins. */
export interface Known extends Pick<Facts, "level" | "today"> {
  workspaceId: string;
  open: OpenRun | null;
  starts: readonly Start[];
}

/** Where procedures are read, and how far they are is kept. */
export abstract class ProcedureStore {
  abstract known(caller: SystemCaller, run: ToolRun): Promise<Known>;

  /** @returns the steps of a procedure that begins; undefined if it is gone */
  abstract steps(caller: SystemCaller, run: ToolRun, procedureId: string): Promise<Taken | undefined>;

  /**
   * Writes what was done, and how far the procedure is.
   * @param steps of the run's activity
   * @param saved null: nothing is kept but the steps
   * @returns why the run has nothing to do any more; null if it goes on
   */
  abstract note(
    caller: SystemCaller,
    run: ToolRun & { attempts: number },
    steps: readonly object[],
    saved: SaveArgs | null,
  ): Promise<string | null>;
}
