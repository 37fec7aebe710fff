/** What was done for the contact before: `done.refund_order.count.24h`, `done.refund_order.sum.amount.24h`. */
export interface DoneField {
  field: string;
  tool: string;
  /** The argument that is added up. Null: the calls are counted. */
  path: string[] | null;
  seconds: number;
}

const FORM = /^done\.([\w-]+)\.(?:count|sum\.([\w-]+(?:\.[\w-]+)*))\.([1-9]\d{0,3})([mhd])$/;
const UNITS = { m: 60, h: 3_600, d: 86_400 };
/** Calls are kept for longer than that. */
const MAX_SECONDS = 30 * UNITS.d;

export const isAboutDone = (field: string): boolean => field.startsWith("done.");

/** @returns undefined if the field is none of that form */
export function doneFieldOf(field: string): DoneField | undefined {
  const [, tool, path, count, unit] = FORM.exec(field) ?? [];
  if (tool === undefined) return undefined;
  const seconds = Number(count) * UNITS[unit as keyof typeof UNITS];
  return seconds > MAX_SECONDS ? undefined : { field, tool, path: path?.split(".") ?? null, seconds };
}

type Tree = { [name: string]: Tree | number };
/** Without a prototype: a condition may name a tool `__proto__`, which would be that of all objects. */
const emptyTree = (): Tree => Object.create(null) as Tree;

/**
 * As a context has them: objects in objects. What is undefined is missing, so that conditions about it are undecided. So is what
 * would have to stand below a number.
 */
export function nested(fields: readonly DoneField[], values: readonly (number | undefined)[]): Tree {
  const root = emptyTree();
  for (const [n, { field }] of fields.entries()) {
    const value = values[n];
    if (value === undefined) continue;
    const names = field.split(".").slice(1);
    let at: Tree | number = root;
    for (const name of names.slice(0, -1)) if (typeof at === "object") at = at[name] ??= emptyTree();
    if (typeof at === "object") at[names.at(-1)!] ??= value;
  }
  return root;
}
