import type { Step } from "./queries.js";

/** A step as it is edited: what is JSON is a text, which need not be right yet. */
export interface DraftStep {
  /** Stays when the step's id changes. */
  key: number;
  step: Step;
  json: Partial<Record<JsonField, string>>;
}
const JSON_FIELDS = ["arguments", "cases", "check", "where", "options"] as const;
export type JsonField = (typeof JSON_FIELDS)[number];

let keys = 0;
const written = (value: unknown): string => JSON.stringify(value, null, 2);

/** Which of them a type of step has. */
export function jsonOf({ type, slot }: Step): JsonField[] {
  if (type === "call") return ["arguments"];
  if (type === "branch") return ["cases"];
  if (type !== "ask") return [];
  return slot?.kind === "choice" ? (slot.from === undefined ? ["options", "check"] : ["where", "check"]) : ["check"];
}

export function draftOf(step: Step): DraftStep {
  const json: DraftStep["json"] = {};
  for (const field of JSON_FIELDS) {
    const value = field === "where" || field === "options" ? step.slot?.[field] : step[field];
    if (value !== undefined) json[field] = written(value);
  }
  return { key: ++keys, step, json };
}

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

/** The step as it is sent. Undefined: a text is no JSON. */
export function stepOf({ step, json }: DraftStep): Step | undefined {
  const sent: Record<string, unknown> = { ...step };
  const slot: Record<string, unknown> = { ...step.slot };
  for (const field of JSON_FIELDS) {
    const target = field === "where" || field === "options" ? slot : sent;
    delete target[field];
    const text = jsonOf(step).includes(field) ? json[field]?.trim() : undefined;
    if (!text) continue;
    const value = read(text);
    if (value === undefined) return undefined;
    target[field] = value;
  }
  if (step.slot) sent.slot = slot;
  // An empty field is none.
  const given = Object.entries(sent).filter(([, value]) => value !== "" && value !== undefined);
  return Object.fromEntries(given) as unknown as Step;
}

export function read(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
