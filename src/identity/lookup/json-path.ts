const STEPS = /\.([\p{L}\p{N}_-]+)|\[(\d{1,6})\]/gu;

/** The JSON paths that are supported: members and array indexes, such as `$.a.b[0].c`. Each that a source may have is one. */
export const JSON_PATH = /^\$(?:\.[\p{L}\p{N}_-]+|\[\d{1,6}\])*$/u;

/** @returns the string, number or boolean at the path, as a string; otherwise null */
export function readPath(json: unknown, path: string): string | null {
  if (!JSON_PATH.test(path)) return null;
  let value = json;
  for (const [, member, index] of path.matchAll(STEPS)) {
    const step = member ?? index!;
    // Arrays have indexes only, objects have their own members only.
    if (
      typeof value !== "object" ||
      value === null ||
      Array.isArray(value) !== (member === undefined) ||
      !Object.hasOwn(value, step)
    )
      return null;
    value = (value as Record<string, unknown>)[step];
  }
  // JSON.parse has lost digits of a number beyond the safe range, so it cannot be compared.
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value) ? null : String(value);
  return typeof value === "string" ? value : typeof value === "boolean" ? String(value) : null;
}
