import { visible } from "../context/links.js";
import { isObject } from "../tools/argument-schema.js";
import { type Condition, onlyReference, type Path, withReferences } from "./definition.js";
import type { Filled } from "./state.js";

/** Where values are looked up. */
export interface Scope {
  /** @returns undefined if there is none */
  slot: (id: string) => Filled | undefined;
  result: (id: string) => unknown;
  /** What of the answer of this step the contact may read: paths, through lists. */
  isPublic: (id: string, names: readonly string[]) => boolean;
  /** Pays for characters and values that are looked at. @throws TooMuch */
  spend: (units: number) => void;
}

const MAX_SAID = 500;
/** Of a text, a number or a boolean. */
const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
function at(value: unknown, names: readonly string[]): unknown {
  for (const name of names) {
    if (Array.isArray(value) && /^\d{1,4}$/.test(name)) value = value[Number(name)] as unknown;
    else if (isObject(value) && Object.hasOwn(value, name)) value = value[name];
    else return undefined;
  }
  return value;
}

/** @returns undefined if there is none */
export function valueAt(path: Path, scope: Scope): unknown {
  const [head, ...names] = path.split(".") as [string, ...string[]];
  const slot = scope.slot(head);
  if (slot) return names.length ? at(slot.item, names) : slot.value;
  return at(scope.result(head), names);
}

/** As a contact reads it: what others may have written only where the tool makes it public. */
function saidAt(path: Path, scope: Scope): string {
  const [head, ...names] = path.split(".") as [string, ...string[]];
  const slot = scope.slot(head);
  if (slot && !names.length) return said(slot.label, scope);
  if (!scope.isPublic(head, names)) return "";
  return said(valueAt(path, scope), scope);
}

function said(value: unknown, scope: Scope): string {
  scope.spend(1);
  if (Array.isArray(value))
    return value
      .map((one) => said(one, scope))
      .filter(Boolean)
      .join(", ")
      .slice(0, MAX_SAID)
      .toWellFormed();
  if (isObject(value)) return said(Object.values(value), scope);
  if (value === null || value === undefined || typeof value === "object") return "";
  const text = textOf(value);
  scope.spend(text.length);
  return visible(text).replace(/\s+/g, " ").trim().slice(0, MAX_SAID).toWellFormed();
}

export function rendered(text: string, scope: Scope): string {
  scope.spend(text.length);
  return withReferences(text, (path) => saidAt(path, scope));
}

/** An argument as the tool gets it: a reference alone keeps its type. */
export function argumentOf(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value)) return value.map((one) => argumentOf(one, scope));
  if (typeof value !== "string") return value;
  const path = onlyReference(value);
  if (path !== undefined) {
    const found = valueAt(path, scope);
    // It is written as JSON wherever it goes.
    scope.spend(JSON.stringify(found)?.length ?? 0);
    return found;
  }
  return withReferences(value, (one) => plainOf(valueAt(one, scope), scope));
}
function plainOf(value: unknown, scope: Scope): string {
  scope.spend(1);
  if (Array.isArray(value)) return value.map((one) => plainOf(one, scope)).join(", ");
  if (isObject(value) || value === undefined || value === null) return "";
  const text = textOf(value);
  scope.spend(text.length);
  return text;
}

export const holds = (conditions: readonly Condition[], scope: Scope): boolean =>
  conditions.every((condition) => isTrue(condition, scope));

function isTrue({ value: path, op, to }: Condition, scope: Scope): boolean {
  const value = valueAt(path, scope);
  if (op === "exists") return value !== undefined && value !== null;
  const other = argumentOf(to, scope);
  switch (op) {
    case "equals":
      return same(value, other, scope);
    case "one_of":
      return Array.isArray(other) && other.some((one) => same(value, one, scope));
    case "greater":
      return isNumber(value) && isNumber(other) && Number(value) > Number(other);
    case "less":
      return isNumber(value) && isNumber(other) && Number(value) < Number(other);
  }
}
const isNumber = (value: unknown): boolean =>
  typeof value === "number" || (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)));
/** Contacts write numbers and words as they like. */
function same(one: unknown, other: unknown, scope: Scope): boolean {
  scope.spend(1);
  if (typeof one === "object" || typeof other === "object" || one === undefined || other === undefined) return false;
  const texts = [textOf(one), textOf(other)] as const;
  scope.spend(texts[0].length + texts[1].length);
  return texts[0].toLowerCase() === texts[1].toLowerCase();
}
