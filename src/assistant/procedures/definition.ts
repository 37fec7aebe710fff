import type { DemandedLevel } from "../../conversations/assurance-level.js";
import { namedEnum } from "../../platform/enums/named-enum.js";

export const PROCEDURE_STEPS = namedEnum("ProcedureStepType", "What a step of a procedure does.", {
  ask: "it asks the contact for a value",
  say: "it says a text, or an approved entry",
  require_level: "it has the contact prove who they are",
  call: "it calls a tool",
  confirm: "it asks the contact to say yes",
  branch: "it goes on by what is known",
  hand_over: "it hands over to people",
  end: "it ends the procedure",
});
export const SLOT_KINDS = namedEnum("ProcedureSlotKind", "What the contact is asked for.", {
  text: "words",
  number: "a number",
  email: "an email address",
  date: "a day",
  choice: "one of several, or some of them",
  yes_no: "yes or no",
  pattern: "signs such as #W0000000: 0 is a digit, A a letter, all else itself",
});
export const OPERATORS = namedEnum("ProcedureOperator", "How two values are compared.", {
  equals: "they are the same",
  one_of: "the first is among the second",
  greater: "the first number is greater",
  less: "the first number is less",
  exists: "there is a first value",
});

/** A value by its step and the fields below it: `order.status`. */
export type Path = string;
export interface Condition {
  value: Path;
  op: (typeof OPERATORS)[number];
  /** A value, or `{path}`. */
  to?: unknown;
}
export interface Option {
  value: string | number | boolean;
  label: string;
  synonyms?: string[];
}
export interface Slot {
  kind: (typeof SLOT_KINDS)[number];
  /** For `text`: how long it may be. */
  maxLength?: number;
  /** For `number`. */
  min?: number;
  max?: number;
  pattern?: string;
  /** For `choice`: what there is. */
  options?: Option[];
  /** Or where a tool's answer has it: a list, or an object of things. */
  from?: Path;
  /** The field of each that is its value. */
  value?: string;
  /** How each is called: `{item.name}`. */
  label?: string;
  /** Only those of which all of this holds: `item.available`. */
  where?: Condition[];
  /** The contact may choose or name several. */
  many?: boolean;
}
interface Base {
  id: string;
  /** The step after it. Without it: the next in the list. */
  next?: string;
}
/** Once for each value of the step that it names. `each` is the value then. */
interface Repeated {
  each?: string;
}
export type Step = Base &
  (
    | ({ type: "ask"; text: string; why?: string; slot: Slot; check?: Condition[]; wrong?: string } & Repeated)
    | { type: "say"; text?: string; entryId?: string }
    | { type: "require_level"; level: DemandedLevel }
    | ({ type: "call"; tool: string; arguments: Record<string, unknown>; otherwise?: string } & Repeated)
    | { type: "confirm"; text: string; why?: string; otherwise?: string }
    | { type: "branch"; cases: { when: Condition[]; next: string }[] }
    | { type: "hand_over"; text?: string }
    | { type: "end" }
  );
export type StepOf<Type extends Step["type"]> = Extract<Step, { type: Type }>;

/** Values that a text or an argument names: `{order.status}`. */
const REFERENCE = /\{([a-z][\w-]*(?:\.[\w-]+)*)\}/gi;
export const referencesIn = (text: string): Path[] => [...text.matchAll(REFERENCE)].map(([, path]) => path!);
export const withReferences = (text: string, value: (path: Path) => string): string =>
  text.replace(REFERENCE, (_, path: string) => value(path));
/** The one value that a text is. */
export const onlyReference = (text: string): Path | undefined => /^\{([a-z][\w-]*(?:\.[\w-]+)*)\}$/i.exec(text)?.[1];
export const headOf = (path: Path): string => path.split(".", 1)[0]!;

/** The steps that may come after one, in the order of the list. */
export function after(steps: readonly Step[], step: Step): (string | undefined)[] {
  if (step.type === "end" || step.type === "hand_over") return [];
  const next = step.next ?? steps[steps.indexOf(step) + 1]?.id;
  if (step.type === "branch") return [...step.cases.map((one) => one.next), next];
  if (step.type === "call" || step.type === "confirm") return [next, ...(step.otherwise ? [step.otherwise] : [])];
  return [next];
}

/** What a step says to the contact. */
function textsOf(step: Step): string[] {
  switch (step.type) {
    case "ask":
      return [
        step.text,
        step.why,
        step.wrong,
        step.slot.label,
        ...(step.slot.options ?? []).map(({ label }) => label),
      ].filter((text) => text !== undefined);
    case "confirm":
      return [step.text, ...(step.why === undefined ? [] : [step.why])];
    case "say":
    case "hand_over":
      return step.text === undefined ? [] : [step.text];
    default:
      return [];
  }
}

const ofCondition = ({ value, to }: Condition): Path[] => [value, ...ofArgument(to)];
const ofArgument = (value: unknown): Path[] =>
  typeof value === "string" ? referencesIn(value) : Array.isArray(value) ? value.flatMap(ofArgument) : [];

/** The values that a step rests on. */
export function restsOn(step: Step): Path[] {
  const own = [...textsOf(step).flatMap(referencesIn)];
  switch (step.type) {
    case "ask": {
      const { from, where = [] } = step.slot;
      const conditions = [...where, ...(step.check ?? [])].flatMap(ofCondition);
      return [...own, ...conditions, ...(from === undefined ? [] : [from]), ...(step.each ? [step.each] : [])];
    }
    case "call":
      return [...Object.values(step.arguments).flatMap(ofArgument), ...(step.each ? [step.each] : [])];
    case "branch":
      return step.cases.flatMap(({ when }) => when.flatMap(ofCondition));
    default:
      return own;
  }
}
