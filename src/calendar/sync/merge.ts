import type { BookingStatus } from "../booking.entity.js";
import type { SharedFields } from "../ics/booking-event.js";

/** Fields that change together. */
const FIELDS = {
  title: ["title"],
  description: ["description"],
  location: ["location"],
  time: ["startsAt", "endsAt"],
  status: ["status"],
} as const satisfies Record<string, readonly (keyof SharedFields)[]>;
type Field = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as Field[];

/** Fields that were changed on both sides, with the values that the calendar had. Ours won. */
export interface Conflict {
  fields: Field[];
  theirs: Partial<SharedFields>;
}

const fieldDiffers = (field: Field, a: SharedFields, b: SharedFields): boolean =>
  FIELDS[field].some((name) => a[name] !== b[name]);

export const differs = (a: SharedFields, b: SharedFields): boolean => NAMES.some((field) => fieldDiffers(field, a, b));

/** A booking's status as its event has it. Calendars do not know `completed` and `no_show`: the event keeps its status. */
export const statusInCalendar = (
  status: BookingStatus,
  before: SharedFields["status"] | undefined,
): SharedFields["status"] => (status === "completed" || status === "no_show" ? (before ?? "confirmed") : status);

/**
 * Merges field by field. If one side alone changed a field since both sides agreed, its change wins. If both changed it,
 * ours wins, because an operator entered it after speaking with a customer, and the conflict is reported.
 * @param base what both sides last agreed on; null if that is unknown, and then ours wins
 */
export function merge(
  ours: SharedFields,
  base: SharedFields | null,
  theirs: SharedFields,
): { merged: SharedFields; conflict: Conflict | null } {
  if (!base) return { merged: ours, conflict: null };
  const merged = { ...ours };
  const conflict: Conflict = { fields: [], theirs: {} };
  for (const field of NAMES) {
    if (!fieldDiffers(field, theirs, base) || !fieldDiffers(field, ours, theirs)) continue;
    const into = fieldDiffers(field, ours, base) ? conflict.theirs : merged;
    if (into === conflict.theirs) conflict.fields.push(field);
    Object.assign(into, Object.fromEntries(FIELDS[field].map((name) => [name, theirs[name]])));
  }
  return { merged, conflict: conflict.fields.length ? conflict : null };
}
