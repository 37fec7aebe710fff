import { plainWordsOf } from "../context/acts.js";
import { headOf, type Step } from "./definition.js";
import type { Effort } from "./effort.js";
import type { Filled, State } from "./state.js";
import type { Scope } from "./values.js";

export interface Surroundings {
  byId: ReadonlyMap<string, Step>;
  state: State;
  tools: Readonly<Record<string, { publicFields: readonly string[] }>>;
  effort: Effort;
}

/** The words of a step's name, or of a text that may name it. */
export const namesIn = (text: string): string[] => plainWordsOf(text.replace(/[_-]+/g, " "));

/**
 * The values as one step sees them.
 * @param step where it is taken for each of several: the others of the same kind have the value of this time
 * @param given one that is not kept yet, or what may be chosen (`item`)
 */
export function scopeOf(
  { byId, state, tools, effort }: Surroundings,
  step?: { id: string; each?: string },
  given?: { id: string; filled: Filled },
): Scope {
  const each = step?.each;
  const all = step && (state.slots[step.id] ?? state.results[step.id]);
  const now = Array.isArray(all) ? all.length : 0;
  // A value that was just kept is that of this time, too.
  const time = given && given.id === step?.id ? now - 1 : now;
  const repeatsWith = (id: string): boolean => {
    const other = byId.get(id);
    return each !== undefined && (other?.type === "ask" || other?.type === "call") && other.each === each;
  };
  const slot = (id: string): Filled | undefined => {
    if (given?.id === id) return given.filled;
    if (id === "each" && each !== undefined) return oneOf(state.slots[each] as Filled | undefined, time);
    const filled = state.slots[id];
    if (!Array.isArray(filled)) return filled;
    return repeatsWith(id) ? filled[time] : together(filled);
  };
  const result = (id: string): unknown => {
    const answer = state.results[id];
    return repeatsWith(id) && Array.isArray(answer) ? (answer[time] as unknown) : answer;
  };
  /** Where a tool's answer has it: what was chosen is a part of one. */
  const originOf = (id: string, names: readonly string[]): [string, readonly string[]] => {
    const asked = id === "each" && each !== undefined ? byId.get(each) : byId.get(id === "item" && step ? step.id : id);
    if (asked?.type !== "ask" || asked.slot.from === undefined) return [id, names];
    const [head, ...rest] = asked.slot.from.split(".") as [string, ...string[]];
    return originOf(head, [...rest, ...names]);
  };
  const isPublic = (id: string, names: readonly string[]): boolean => {
    const [head, path] = originOf(id, names);
    const called = byId.get(headOf(head));
    if (called?.type !== "call") return false;
    const whole = path.filter((name) => !/^\d+$/.test(name)).join(".");
    const fields = tools[called.tool]?.publicFields ?? [];
    return fields.some((field) => whole === field || whole.startsWith(`${field}.`));
  };
  return { slot, result, isPublic, spend: (units) => effort.spend(units) };
}

const together = (filled: readonly Filled[]): Filled => ({
  value: filled.map(({ value }) => value),
  label: filled.map(({ label }) => label).join("; "),
  item: filled.map(({ item }) => item ?? null),
});

function oneOf(several: Filled | undefined, n: number): Filled | undefined {
  if (!several || !Array.isArray(several.value) || n >= several.value.length) return undefined;
  const items = several.item as unknown[] | undefined;
  return { value: several.value[n] as unknown, label: several.labels?.[n] ?? "", ...(items && { item: items[n] }) };
}
