const STEPS = /\.([A-Za-z_][\w-]*)|\[(\d{1,6})\]/g;

/** The JSON paths that can be read: `$` and its members and places, `$.a.b[0].c`; nothing that searches. */
export const JSON_PATH = /^\$(?:\.[A-Za-z_][\w-]*|\[\d{1,6}\])*$/;

/** @returns the text, number or boolean at the path, as text; null for everything else, and where there is nothing */
export function readPath(json: unknown, path: string): string | null {
  if (!JSON_PATH.test(path)) return null;
  let value = json;
  for (const [, member, place] of path.matchAll(STEPS)) {
    const step = member ?? place!;
    // An array has its places and no members; nothing is inherited.
    if (
      typeof value !== "object" ||
      value === null ||
      Array.isArray(value) !== (member === undefined) ||
      !Object.hasOwn(value, step)
    )
      return null;
    value = (value as Record<string, unknown>)[step];
  }
  // Of a number so long JSON.parse has lost the last digits: what is compared with it would be wrong.
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value) ? null : String(value);
  return typeof value === "string" ? value : typeof value === "boolean" ? String(value) : null;
}
