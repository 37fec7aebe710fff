import type { SystemCaller } from "../../platform/caller/caller.js";
import type { ToolRun } from "../tools/tool-calls.js";
import type { Step, StepOf } from "./definition.js";
import { Effort, TooMuch } from "./effort.js";
import type { Understood } from "./engine.js";
import { type Facts, Known } from "./known.js";
import type { Filled, State } from "./state.js";
import { rendered } from "./values.js";

/** What the contact was asked, as they read it, and what they said before. */
export interface Question {
  step: string;
  text: string;
  /** Undefined: they were asked for a yes. */
  slot: StepOf<"ask">["slot"] | undefined;
  /** What there is to choose from, in the order of its numbers. */
  options: string[];
  given: { step: string; text: string; value: string }[];
  /** YYYY-MM-DD */
  today: string;
}

/** The question where the procedure stands. Undefined: it asks nothing, or what it and those before it say is too long. */
export function questionAt(steps: readonly Step[], state: State, facts: Facts): Question | undefined {
  try {
    return read(steps, state, facts);
  } catch (error) {
    if (error instanceof TooMuch) return undefined;
    throw error;
  }
}

function read(steps: readonly Step[], state: State, facts: Facts): Question | undefined {
  const known = new Known(steps, state, facts, new Effort());
  const step = known.byId.get(state.at);
  if (!state.open || (step?.type !== "ask" && step?.type !== "confirm")) return undefined;
  const asks = step.type === "ask" ? step : undefined;
  return {
    step: step.id,
    text: rendered(step.text, known.scope(asks)),
    slot: asks?.slot,
    options: asks ? known.choicesOf(asks).map(({ label }) => label) : [],
    given: known.filledSteps().map(({ id, text }) => ({
      step: id,
      text: rendered(text, known.scope()),
      value: (state.slots[id] as Filled).label,
    })),
    today: facts.today,
  };
}

export interface ReadingTask {
  caller: SystemCaller;
  run: ToolRun & { attempts: number };
  /** As `Date.now()` */
  deadline: number;
}
interface Read {
  /** Undefined: it is no answer, or nobody knows. */
  understood?: Understood;
  /** Why the run has nothing to do any more. Null: it goes on. */
  off: string | null;
}

/** The language model, where it reads what no pattern does. It decides nothing: the contact is asked whether it is so. */
export abstract class ProcedureReader {
  abstract read(task: ReadingTask, question: Question, text: string): Promise<Read>;
}
