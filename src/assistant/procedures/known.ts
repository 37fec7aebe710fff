import type { AssuranceLevel } from "../../conversations/assurance-level.js";
import { isObject } from "../tools/argument-schema.js";
import type { Effort } from "./effort.js";
import { headOf, restsOn, type Slot, type Step, type StepOf } from "./definition.js";
import { scopeOf, type Surroundings } from "./scope.js";
import { type Choice, codesOf, read } from "./slots.js";
import type { Filled, State } from "./state.js";
import { holds, rendered, valueAt } from "./values.js";

const MAX_CHOICES = 50;

/** What is known besides the procedure, and never changes within a turn. */
export interface Facts {
  level: AssuranceLevel;
  /** What the contact and the workspace speak. */
  languages: readonly [string, string];
  /** YYYY-MM-DD */
  today: string;
  /** The answers of the approved entries that the steps name. */
  entries: Readonly<Record<string, string>>;
  /** What the agent may call. */
  tools: Readonly<Record<string, { changes: boolean; publicFields: readonly string[] }>>;
}
/** What is known in a procedure: what the contact said, what tools answered, and what rests on what. */
export class Known {
  readonly byId: ReadonlyMap<string, Step>;

  constructor(
    private readonly steps: readonly Step[],
    private readonly state: State,
    private readonly facts: Facts,
    private readonly effort: Effort,
  ) {
    this.byId = new Map(steps.map((step) => [step.id, step]));
  }

  scope(step?: { id: string; each?: string }, given?: { id: string; filled: Filled }) {
    return scopeOf(this.surroundings(), step, given);
  }

  /** For how many values the step is taken. Undefined: for none, once. */
  timesOf({ each }: { each?: string }): number | undefined {
    if (each === undefined) return undefined;
    const value = (this.state.slots[each] as Filled | undefined)?.value;
    return Array.isArray(value) ? value.length : 0;
  }

  isFilled(step: StepOf<"ask">): boolean {
    const slot = this.state.slots[step.id];
    const times = this.timesOf(step);
    return times === undefined ? slot !== undefined : ((slot as Filled[] | undefined) ?? []).length >= times;
  }

  isKnown({ value }: Filled): boolean {
    return Object.values(this.state.slots)
      .flat()
      .some((one) => JSON.stringify(one.value) === JSON.stringify(value));
  }

  choicesOf(step: StepOf<"ask">): Choice[] {
    const { slot } = step;
    if (slot.kind !== "choice") return [];
    if (slot.options) return slot.options;
    const scope = this.scope(step);
    const found = valueAt(slot.from!, scope);
    const items = Array.isArray(found) ? found : isObject(found) ? Object.values(found) : [];
    this.effort.spend(items.length);
    return items
      .slice(0, MAX_CHOICES * 4)
      .flatMap((item) => this.choiceOf(step, slot, item) ?? [])
      .slice(0, MAX_CHOICES);
  }

  private choiceOf(step: StepOf<"ask">, slot: Slot, item: unknown): Choice | undefined {
    const scope = scopeOf(this.surroundings(), step, { id: "item", filled: { value: item, label: "", item } });
    if (slot.where && !holds(slot.where, scope)) return undefined;
    const value = slot.value === undefined ? item : valueAt(`item.${slot.value}`, scope);
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return undefined;
    return { value, label: rendered(slot.label!, scope).replace(/\s+/g, " ").trim(), item };
  }

  readOf(step: StepOf<"ask">, text: string, strict: boolean): Filled | undefined {
    const { languages, today } = this.facts;
    return read({ slot: step.slot, choices: this.choicesOf(step), language: languages[0], today }, text, strict);
  }

  /** The steps whose value the contact has given, the last one first. */
  filledSteps(): StepOf<"ask">[] {
    return [...this.state.path]
      .reverse()
      .map((id) => this.byId.get(id)!)
      .filter(
        (step): step is StepOf<"ask"> => step.type === "ask" && step.each === undefined && step.id in this.state.slots,
      );
  }

  /** @param meant whether the contact says that something was wrong: a choice counts then, too */
  correctionIn(text: string, meant: boolean): [StepOf<"ask">, Filled] | undefined {
    for (const step of this.filledSteps()) {
      const before = this.state.slots[step.id] as Filled;
      const known = [before.value].flat();
      const codes = codesOf(step.slot, text).filter((code) => !known.includes(code));
      if (codes.length === 1 && !step.slot.many) return [step, { value: codes[0], label: codes[0]! }];
      if (codes.length && step.slot.many) return [step, { value: codes, label: codes.join(", "), labels: codes }];
      if (!meant || step.slot.kind === "text" || step.slot.kind === "yes_no") continue;
      const read = this.readOf(step, text, step.slot.kind === "choice");
      if (read && JSON.stringify(read.value) !== JSON.stringify(before.value)) return [step, read];
    }
    return undefined;
  }

  /** The step, and all that rests on what was said there. */
  private dependents(id: string): Set<string> {
    const found = new Set([id]);
    for (let size = 0; size < found.size;) {
      size = found.size;
      for (const step of this.steps) if (restsOn(step).some((path) => found.has(headOf(path)))) found.add(step.id);
    }
    return found;
  }

  /** Whether something was changed with it. */
  isDoneBy(id: string): boolean {
    return [...this.dependents(id)].some((one) => {
      const step = this.byId.get(one)!;
      return (
        step.type === "call" &&
        one in this.state.results &&
        this.facts.tools[step.tool]?.changes === true &&
        !isFailure(this.state.results[one])
      );
    });
  }

  forget(id: string): void {
    for (const one of this.dependents(id)) {
      delete this.state.slots[one];
      delete this.state.results[one];
    }
  }

  private surroundings(): Surroundings {
    return { byId: this.byId, state: this.state, tools: this.facts.tools, effort: this.effort };
  }
}

/** The tool was not used, or failed. */
export const isFailure = (result: unknown): boolean =>
  isObject(result) && Object.keys(result).length === 1 && typeof result.error === "string";
