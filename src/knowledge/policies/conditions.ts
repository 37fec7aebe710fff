import { type DoneField, doneFieldOf, isAboutDone } from "./done.js";

/** A value that a field can be compared with. */
type Scalar = string | number | boolean;
interface Comparison {
  field: string;
  op: Operator;
  value?: Scalar | Scalar[];
}
/** Has exactly one of `all`, `any`, `not` and `field`. */
export type Condition = { all: Condition[] } | { any: Condition[] } | { not: Condition } | Comparison;
type Context = Readonly<Record<string, unknown>>;

const OPERATORS = ["eq", "ne", "gt", "gte", "lt", "lte", "in", "contains", "exists"] as const;
type Operator = (typeof OPERATORS)[number];

export const MAX_DEPTH = 8;
export const MAX_PARTS = 100;
const MAX_VALUES = 100;
const MAX_VALUE = 500;
const FIELD = /^[\w-]{1,50}(\.[\w-]{1,50}){0,9}$/;

/** The words for a comparison, by whether it is true or false. */
const WORDS: Record<Operator, readonly [holds: string, fails: string]> = {
  eq: ["is", "is not"],
  ne: ["is not", "is"],
  gt: ["is greater than", "is not greater than"],
  gte: ["is at least", "is less than"],
  lt: ["is less than", "is not less than"],
  lte: ["is at most", "is greater than"],
  in: ["is one of", "is none of"],
  contains: ["contains", "does not contain"],
  exists: ["is there", "is missing"],
};
const NUMERIC: Partial<Record<Operator, (found: number, value: number) => boolean>> = {
  gt: (found, value) => found > value,
  gte: (found, value) => found >= value,
  lt: (found, value) => found < value,
  lte: (found, value) => found <= value,
};
const TYPES: Record<string, string> = { string: "a text", number: "a number", boolean: "true or false" };

/** @returns what is wrong, as the end of a sentence; undefined for a valid condition */
export function faultOf(condition: unknown): string | undefined {
  let parts = 0;
  const look = (part: unknown, depth: number): string | undefined => {
    if (++parts > MAX_PARTS) return `must have at most ${MAX_PARTS} parts`;
    if (depth > MAX_DEPTH) return `must be nested at most ${MAX_DEPTH} deep`;
    if (typeof part !== "object" || part === null || Array.isArray(part)) return "must be an object";
    const { all, any, not, ...comparison } = part as Record<string, unknown>;
    const kinds = Object.keys(part).filter((name) => ["all", "any", "not", "field"].includes(name));
    if (kinds.length !== 1) return "must have exactly one of all, any, not and field in each part";
    if (kinds[0] === "field") return faultOfComparison(comparison);
    const [stranger] = Object.keys(comparison);
    if (stranger !== undefined) return `must not have ${stranger} beside ${kinds[0]}`;
    if (kinds[0] === "not") return look(not, depth + 1);
    const inner = all ?? any;
    if (!Array.isArray(inner) || !inner.length) return `must have a list of at least one part in ${kinds[0]}`;
    for (const one of inner) {
      const fault = look(one, depth + 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
  return look(condition, 1);
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === "boolean" || Number.isFinite(value) || (typeof value === "string" && value.length <= MAX_VALUE);

function faultOfComparison({ field, op, value, ...strangers }: Record<string, unknown>): string | undefined {
  const [stranger] = Object.keys(strangers);
  if (stranger !== undefined) return `must not have ${stranger} in a comparison`;
  if (typeof field !== "string" || !FIELD.test(field))
    return "must name each field by letters, digits, _ and -, at most ten names with dots between";
  if (isAboutDone(field) && !doneFieldOf(field))
    return "must name what was done as done.<tool>.count.24h or done.<tool>.sum.<argument>.24h, with a period from 1m to 30d";
  if (!(OPERATORS as readonly unknown[]).includes(op)) return `must have an op that is one of ${OPERATORS.join(", ")}`;
  switch (op as Operator) {
    case "exists":
      return value === undefined || typeof value === "boolean"
        ? undefined
        : `must compare ${field} exists with true or false, or nothing`;
    case "in":
      return Array.isArray(value) && value.length >= 1 && value.length <= MAX_VALUES && value.every(isScalar)
        ? undefined
        : `must compare ${field} in with a list of 1 to ${MAX_VALUES} texts, numbers, true and false`;
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return Number.isFinite(value) ? undefined : `must compare ${field} ${op as string} with a number`;
    default:
      return isScalar(value)
        ? undefined
        : `must compare ${field} ${op as string} with a text of at most ${MAX_VALUE} characters, a number, true or false`;
  }
}

/** Whether the condition is met (null: unknown from this context), and the comparisons that decided it. */
export interface Finding {
  holds: boolean | null;
  why: string[];
}

/**
 * If a field is missing or has another type, a comparison with it is unknown. `not` of an unknown result is unknown
 * too.
 */
export function explain(condition: Condition, context: Context): Finding {
  if ("not" in condition) {
    const { holds, why } = explain(condition.not, context);
    return { holds: holds === null ? null : !holds, why };
  }
  if ("field" in condition) return compare(condition, context);
  const findings = ("all" in condition ? condition.all : condition.any).map((part) => explain(part, context));
  // One false part decides `all`, and one true part decides `any`. The other parts make no difference then.
  const settling = !("all" in condition);
  const found = (holds: boolean | null): boolean => findings.some((finding) => finding.holds === holds);
  const holds = found(settling) ? settling : found(null) ? null : !settling;
  return { holds, why: [...new Set(findings.filter((finding) => finding.holds === holds).flatMap(({ why }) => why))] };
}

/** @returns undefined if a name on the path is missing, or if the path leads to null */
function valueAt(context: Context, field: string): unknown {
  let value: unknown = context;
  for (const name of field.split(".")) {
    if (typeof value !== "object" || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined;
    value = (value as Context)[name];
  }
  return value ?? undefined;
}

function compare({ field, op, value = true }: Comparison, context: Context): Finding {
  const found = valueAt(context, field);
  const finding = (holds: boolean): Finding => ({
    holds,
    why: [`${field} ${WORDS[op][holds ? 0 : 1]} ${JSON.stringify(value)}`],
  });
  const mistyped = (wanted: string): Finding => ({ holds: null, why: [`${field} is not ${wanted}`] });
  if (op === "exists")
    return { holds: (found !== undefined) === value, why: [`${field} ${WORDS.exists[found === undefined ? 1 : 0]}`] };
  if (found === undefined) return { holds: null, why: [`${field} is missing`] };
  const numeric = NUMERIC[op];
  if (numeric) return typeof found === "number" ? finding(numeric(found, value as number)) : mistyped("a number");
  if (op === "contains") {
    if (Array.isArray(found)) return finding(found.includes(value));
    return typeof found === "string" && typeof value === "string"
      ? finding(found.includes(value))
      : mistyped(typeof value === "string" ? "a list or a text" : "a list");
  }
  const values = (op === "in" ? value : [value]) as Scalar[];
  const types = [...new Set(values.map((one) => typeof one))];
  if (!types.includes(typeof found)) return mistyped(types.map((type) => TYPES[type]).join(" or "));
  return finding(values.includes(found as Scalar) === (op !== "ne"));
}

/** All that the condition asks about, once each. */
export function doneFieldsIn(conditions: readonly (Condition | null)[]): DoneField[] {
  const fields = new Map<string, DoneField>();
  const look = (condition: Condition): void => {
    if ("field" in condition) {
      const found = doneFieldOf(condition.field);
      if (found) fields.set(found.field, found);
    } else if ("not" in condition) look(condition.not);
    else for (const part of "all" in condition ? condition.all : condition.any) look(part);
  };
  for (const condition of conditions) if (condition) look(condition);
  return [...fields.values()];
}
