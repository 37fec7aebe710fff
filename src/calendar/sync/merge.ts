import type { Shared } from "../ics/booking-event.js";
import type { BookingStatus } from "../booking.entity.js";

/** What changes together. */
const FIELDS = {
  title: ["title"],
  description: ["description"],
  location: ["location"],
  time: ["startsAt", "endsAt"],
  status: ["status"],
} as const satisfies Record<string, readonly (keyof Shared)[]>;
type Field = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as Field[];

/** Fields that were changed on both sides, with what the calendar had: ours stands. */
export interface Conflict {
  fields: Field[];
  theirs: Partial<Shared>;
}

const differs = (field: Field, a: Shared, b: Shared): boolean => FIELDS[field].some((name) => a[name] !== b[name]);

/** Whether anything of `a` has still to be written where `b` is. */
export const isOther = (a: Shared, b: Shared): boolean => NAMES.some((field) => differs(field, a, b));

/** What a status is in a calendar, which knows nothing of what came of an appointment: there it stays as it was. */
export const inCalendar = (status: BookingStatus, before: Shared["status"] | undefined): Shared["status"] =>
  status === "completed" || status === "no_show" ? (before ?? "confirmed") : status;

/**
 * Field by field: what one side alone changed since both agreed stands; what both changed is ours, which an operator wrote
 * knowing what a customer said, and is told of.
 * @param base what both had; null where that is not known, and ours stands
 */
export function merge(
  ours: Shared,
  base: Shared | null,
  theirs: Shared,
): { merged: Shared; conflict: Conflict | null } {
  if (!base) return { merged: ours, conflict: null };
  const merged = { ...ours };
  const conflict: Conflict = { fields: [], theirs: {} };
  for (const field of NAMES) {
    if (!differs(field, theirs, base) || !differs(field, ours, theirs)) continue;
    const into = differs(field, ours, base) ? conflict.theirs : merged;
    if (into === conflict.theirs) conflict.fields.push(field);
    Object.assign(into, Object.fromEntries(FIELDS[field].map((name) => [name, theirs[name]])));
  }
  return { merged, conflict: conflict.fields.length ? conflict : null };
}
