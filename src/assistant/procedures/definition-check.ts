import { DEMANDED_LEVELS } from "../../conversations/assurance-level.js";
import { isObject } from "../tools/argument-schema.js";
import {
  after,
  type Condition,
  headOf,
  OPERATORS,
  PROCEDURE_STEPS,
  referencesIn,
  restsOn,
  type Slot,
  SLOT_KINDS,
  type Step,
} from "./definition.js";

const MAX_STEPS = 50;
const MAX_TEXT = 2_000;
const MAX_OPTIONS = 50;
const MAX_CONDITIONS = 10;
const MAX_ARGUMENTS = 30;
const MAX_PATTERN = 40;
const MAX_BYTES = 65_536;
const ID = /^[a-z][a-z0-9_-]{0,39}$/i;
const PATH = /^[a-z][\w-]{0,39}(\.[\w-]{1,50}){0,9}$/i;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The names that stand for no step: what a step is taken for, and what may be chosen. */
const RESERVED = ["each", "item", "prototype"];
/** Names that any object has, such as `toString`: a value would seem to be there. */
const isReserved = (id: string): boolean => RESERVED.includes(id) || id in {};

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === "string" && value.trim() !== "" && value.length <= MAX_TEXT;
const isId: Check = (value) => typeof value === "string" && ID.test(value);
const isPath: Check = (value) => typeof value === "string" && PATH.test(value);
const isScalar: Check = (value) =>
  typeof value === "boolean" || Number.isFinite(value) || (typeof value === "string" && value.length <= MAX_TEXT);
const isWord: Check = (value) => typeof value === "string" && value.trim() !== "" && value.length <= 200;
const isListOf =
  (one: Check, max: number, min = 0): Check =>
  (value) =>
    Array.isArray(value) && value.length >= min && value.length <= max && value.every(one);
const hasOnly = (value: object, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name));

const isCondition: Check = (value) =>
  isObject(value) &&
  hasOnly(value, ["value", "op", "to"]) &&
  isPath(value.value) &&
  OPERATORS.includes(value.op as Condition["op"]) &&
  (value.op === "exists"
    ? value.to === undefined
    : value.op === "one_of"
      ? isListOf(isScalar, MAX_OPTIONS, 1)(value.to) || isReference(value.to)
      : isScalar(value.to));
const isReference: Check = (value) => typeof value === "string" && referencesIn(value).length === 1;
const areConditions = isListOf(isCondition, MAX_CONDITIONS, 1);
const isOption: Check = (value) =>
  isObject(value) &&
  hasOnly(value, ["value", "label", "synonyms"]) &&
  isScalar(value.value) &&
  isWord(value.label) &&
  (value.synonyms === undefined || isListOf(isWord, 20)(value.synonyms));
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= MAX_TEXT;
/** At least one digit or letter, so that it cannot stand for nothing. */
const isPattern: Check = (value) =>
  typeof value === "string" && value.length <= MAX_PATTERN && /[0A]/.test(value) && /^[\x21-\x7e]+$/.test(value);
/** The value of an argument: JSON, not deep. */
function isArgument(value: unknown, depth = 0): boolean {
  if (Array.isArray(value))
    return depth < 3 && value.length <= MAX_OPTIONS && value.every((one) => isArgument(one, depth + 1));
  return value === null || isScalar(value);
}
const areArguments: Check = (value) =>
  isObject(value) &&
  Object.keys(value).length <= MAX_ARGUMENTS &&
  !Object.hasOwn(value, "__proto__") &&
  Object.entries(value).every(([name, one]) => name.length <= 100 && isArgument(one));

const SLOT: Record<Slot["kind"], Record<string, Check>> = {
  text: { maxLength: isCount },
  number: { min: Number.isSafeInteger, max: Number.isSafeInteger },
  email: {},
  date: {},
  yes_no: {},
  pattern: { pattern: isPattern, many: (value) => typeof value === "boolean" },
  choice: {
    options: isListOf(isOption, MAX_OPTIONS, 1),
    from: isPath,
    value: (value) => isPath(value),
    label: isText,
    where: areConditions,
    many: (value) => typeof value === "boolean",
  },
};
function isSlot(value: unknown): boolean {
  if (!isObject(value) || !SLOT_KINDS.includes(value.kind as Slot["kind"])) return false;
  const takes = SLOT[value.kind as Slot["kind"]];
  const { kind, ...rest } = value;
  if (!hasOnly(rest, Object.keys(takes))) return false;
  if (!Object.entries(rest).every(([name, one]) => one === undefined || takes[name]!(one))) return false;
  if (kind === "pattern") return rest.pattern !== undefined;
  if (kind !== "choice") return true;
  return rest.from === undefined
    ? rest.options !== undefined && rest.where === undefined && rest.value === undefined
    : rest.options === undefined && rest.label !== undefined;
}

interface Fields {
  needs: Record<string, Check>;
  takes?: Record<string, Check>;
}
const FIELDS: Record<Step["type"], Fields> = {
  ask: {
    needs: { text: isText, slot: isSlot },
    takes: { why: isText, check: areConditions, wrong: isText, each: isId },
  },
  say: { needs: {}, takes: { text: isText, entryId: (value) => typeof value === "string" && UUID.test(value) } },
  require_level: { needs: { level: (value) => DEMANDED_LEVELS.includes(value as never) } },
  call: {
    needs: { tool: (value) => typeof value === "string" && ID_OF_TOOL.test(value), arguments: areArguments },
    takes: { otherwise: isId, each: isId },
  },
  confirm: { needs: { text: isText }, takes: { why: isText, otherwise: isId } },
  branch: {
    needs: {
      cases: isListOf(
        (one) => isObject(one) && hasOnly(one, ["when", "next"]) && areConditions(one.when) && isId(one.next),
        20,
        1,
      ),
    },
  },
  hand_over: { needs: {}, takes: { text: isText } },
  end: { needs: {} },
};
const ID_OF_TOOL = /^[a-z][a-z0-9_-]{0,63}$/i;

function faultOfStep(step: unknown): string | undefined {
  if (!isObject(step) || !isId(step.id) || isReserved(step.id as string))
    return "must have an id of letters, digits, _ and -, at most 40 characters, a letter first, in each step";
  const named = `step ${step.id as string}`;
  if (!PROCEDURE_STEPS.includes(step.type as Step["type"])) return `${named} must have one of the types of steps`;
  const { needs, takes = {} } = FIELDS[step.type as Step["type"]];
  const all: Record<string, Check> = { id: isId, type: isId, next: isId, ...needs, ...takes };
  for (const [name, value] of Object.entries(step)) {
    if (!Object.hasOwn(all, name)) return `${named} must not have ${name.slice(0, 40)}`;
    if (value !== undefined && !all[name]!(value)) return `${named} must have a valid ${name}`;
  }
  for (const name of Object.keys(needs)) if (step[name] === undefined) return `${named} must have ${name}`;
  if (step.type === "say" && (step.text === undefined) === (step.entryId === undefined))
    return `${named} must have either text or entryId`;
  if ((step.type === "end" || step.type === "hand_over") && step.next !== undefined)
    return `${named} must not have next: nothing comes after it`;
  return undefined;
}

/**
 * @param given what somebody calls the steps of a procedure
 * @returns what is wrong, as the end of a sentence; undefined if they can be taken
 */
export function faultOfSteps(given: unknown): string | undefined {
  if (!Array.isArray(given) || !given.length || given.length > MAX_STEPS)
    return `must be a list of 1 to ${MAX_STEPS} steps`;
  for (const step of given) {
    const fault = faultOfStep(step);
    if (fault !== undefined) return fault;
  }
  if (Buffer.byteLength(JSON.stringify(given)) > MAX_BYTES) return `must be at most ${MAX_BYTES / 1_024} KiB of JSON`;
  const steps = given as Step[];
  const ids = new Set(steps.map(({ id }) => id));
  if (ids.size < steps.length) return "must have an id of its own in each step";
  return faultOfTargets(steps, ids) ?? faultOfReferences(steps) ?? faultOfCycle(steps);
}

function faultOfTargets(steps: readonly Step[], ids: ReadonlySet<string>): string | undefined {
  for (const step of steps)
    for (const target of after(steps, step))
      if (target !== undefined && !ids.has(target)) return `step ${step.id} must go on with a step that exists`;
  return undefined;
}

const hasValue = ({ type }: Step): boolean => type === "ask" || type === "call";

function faultOfReferences(steps: readonly Step[]): string | undefined {
  const known = new Map(steps.map((step) => [step.id, step]));
  for (const step of steps) {
    const repeated = (step.type === "ask" || step.type === "call") && step.each !== undefined;
    const chooses = step.type === "ask" && step.slot.from !== undefined;
    for (const path of restsOn(step)) {
      const head = headOf(path);
      if ((head === "each" && repeated) || (head === "item" && chooses)) continue;
      const value = known.get(head);
      if (!value || !hasValue(value)) return `step ${step.id} must name values of steps that ask or call: ${head}`;
    }
    const each = repeated ? known.get((step as { each: string }).each) : undefined;
    if (repeated && !(each?.type === "ask" && each.slot.many))
      return `step ${step.id} must have a step with many in each`;
  }
  return undefined;
}

/** A way back leads past a question. Otherwise it would never come to an end. */
function faultOfCycle(steps: readonly Step[]): string | undefined {
  const known = new Map(steps.map((step) => [step.id, step]));
  const done = new Set<string>();
  const onTheWay = new Set<string>();
  const comesBack = (id: string): boolean => {
    const step = known.get(id)!;
    if (step.type === "ask" || done.has(id)) return false;
    if (onTheWay.has(id)) return true;
    onTheWay.add(id);
    const found = after(steps, step).some((next) => next !== undefined && comesBack(next));
    onTheWay.delete(id);
    done.add(id);
    return found;
  };
  const back = steps.find(({ id }) => comesBack(id));
  return back && `step ${back.id} must not come back to itself without a step that asks`;
}
