import type { Step } from "./queries.js";

/** A step as it is edited: its arguments are JSON, which need not be right yet. */
export interface DraftStep {
  /** Stays when the step's id changes. */
  key: number;
  step: Step;
  arguments: string;
}

let keys = 0;

export const draftOf = (step: Step): DraftStep => ({
  key: ++keys,
  step,
  arguments: step.arguments === undefined ? "" : JSON.stringify(step.arguments, null, 2),
});

/** What a new step begins with. */
export function newStep(type: Step["type"], taken: readonly string[]): DraftStep {
  let n = taken.length + 1;
  while (taken.includes(`step_${n}`)) n++;
  const id = `step_${n}`;
  switch (type) {
    case "ask":
      return draftOf({ id, type, text: "", slot: { kind: "text" } });
    case "call":
      return draftOf({ id, type, tool: "", arguments: {} });
    case "branch":
      return draftOf({ id, type, cases: [] });
    case "require_level":
      return draftOf({ id, type, level: "identified" });
    case "end":
    case "hand_over":
      return draftOf({ id, type });
    default:
      return draftOf({ id, type, text: "" });
  }
}

/** The step as it is sent. Undefined: its arguments are no JSON. */
export function stepOf({ step, arguments: json }: DraftStep): Step | undefined {
  const args = step.type === "call" ? read(json.trim() || "{}") : undefined;
  if (step.type === "call" && args === undefined) return undefined;
  const sent = { ...step, check: listed(step.check), slot: slotOf(step.slot), arguments: args };
  // An empty field is none.
  const given = Object.entries(sent).filter(([, value]) => value !== "" && value !== undefined);
  return Object.fromEntries(given) as unknown as Step;
}

/** A slot has what its kind has, and options or what a tool answered. */
function slotOf(slot: Step["slot"]): object | undefined {
  if (!slot) return undefined;
  const { options, where, ...rest } = slot;
  if (slot.kind !== "choice") return rest;
  return slot.from === undefined ? { ...rest, options: options ?? [] } : { ...rest, where: listed(where) };
}

const listed = <Item>(items: readonly Item[] | undefined): readonly Item[] | undefined =>
  items?.length ? items : undefined;

export function read(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
