import type { Schemas } from "../../../api/parley.js";

export type Condition = Schemas["ProcedureCondition"];

const SCALAR = /^(?:true|false|-?(?:0|[1-9]\d*)(?:\.\d+)?)$/;

/** A value as it is typed. Those of a list stand beside each other. */
export const typed = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(typed).join(", ")
    : typeof value === "string"
      ? value
      : value === undefined
        ? ""
        : JSON.stringify(value);

/** What was typed: a number, yes or no, a text, or, for `one_of`, a list of these. A reference stays a text. */
export function valueTyped(text: string, op: Condition["op"]): unknown {
  const isReference = /^\{[^}]*\}$/.test(text.trim());
  if (op !== "one_of" || isReference) return scalar(text);
  return text
    .split(",")
    .map((part) => scalar(part.trim()))
    .filter((part) => part !== "");
}

export const scalar = (text: string): string | number | boolean =>
  SCALAR.test(text.trim()) ? (JSON.parse(text.trim()) as number | boolean) : text;
