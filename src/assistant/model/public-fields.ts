import { visible } from "../context/links.js";

/** Of one answer. */
const MAX_LINES = 50;
/** What ends as a sentence does is said as it stands, and anything else with its name before it. */
const SENTENCE = /\s\S*[.!?…。！？]["'”»)]?$/u;

/**
 * What of a tool's answer the contact may read: the values at these paths, and nothing else, because others may have written the
 * rest. Lists are passed through.
 * @returns sentences, and values with their names, such as `Order status: shipped`
 */
export function publicIn(value: unknown, paths: readonly string[]): string[] {
  return paths.flatMap((path) => valuesAt(value, path.split(".")).map((one) => lineOf(path, one))).slice(0, MAX_LINES);
}

type Scalar = string | number | boolean;

function valuesAt(value: unknown, names: readonly string[]): Scalar[] {
  if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, names));
  const [name, ...rest] = names;
  if (name === undefined) {
    const isSaid =
      typeof value === "number" || typeof value === "boolean" || (typeof value === "string" && value.trim());
    return isSaid ? [value] : [];
  }
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return [];
  return valuesAt((value as Record<string, unknown>)[name], rest);
}

function lineOf(path: string, value: Scalar): string {
  const said = visible(String(value)).replace(/\s+/g, " ").trim();
  return typeof value === "string" && SENTENCE.test(said) ? said : `${labelOf(path)}: ${said}`;
}

/** `order.trackingNumber` is `Tracking number`. */
function labelOf(path: string): string {
  const words = path
    .slice(path.lastIndexOf(".") + 1)
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
    .replace(/[_-]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
