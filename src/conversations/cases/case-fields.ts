import { BadRequestException } from "@nestjs/common";
import type { FieldDefinition, FieldValue } from "./case.entity.js";

const MAX_CHARACTERS = 10_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** What is wrong with a value, as the words after the field's name. Undefined if the value is valid. */
const WRONG: Record<FieldDefinition["type"], (value: unknown, definition: FieldDefinition) => string | undefined> = {
  text: (value) =>
    typeof value === "string" && value.length <= MAX_CHARACTERS
      ? undefined
      : `must be a text of at most ${MAX_CHARACTERS} characters`,
  number: (value) => (typeof value === "number" ? undefined : "must be a number"),
  boolean: (value) => (typeof value === "boolean" ? undefined : "must be true or false"),
  date: (value) => (typeof value === "string" && isDate(value) ? undefined : "must be a date, such as 2026-01-31"),
  select: (value, { options }) =>
    options.includes(value as string) ? undefined : `must be one of: ${options.join(", ")}`,
};

/** Whether the calendar has this day. */
function isDate(value: string): boolean {
  const parsed = DATE.test(value) ? new Date(`${value}T00:00:00Z`) : new Date(NaN);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value);
}

/**
 * The fields of a case after a change. Given values replace old ones, and null removes a value.
 * @throws BadRequestException, naming the field: the type has no such field, the value does not fit it, or it is
 * required
 */
export function changeFields(
  definitions: readonly FieldDefinition[],
  before: Record<string, FieldValue>,
  given: Record<string, unknown>,
): Record<string, FieldValue> {
  const after = { ...before };
  for (const [key, value] of Object.entries(given)) {
    const definition = definitions.find((one) => one.key === key);
    if (value === null) delete after[key];
    else if (!definition) throw new BadRequestException(`fields.${key} is no field of a case of this type`);
    else {
      const wrong = WRONG[definition.type](value, definition);
      if (wrong) throw new BadRequestException(`fields.${key} ${wrong}`);
      after[key] = value as FieldValue;
    }
  }
  const missing = definitions.find(({ key, required }) => required && !Object.hasOwn(after, key));
  if (missing) throw new BadRequestException(`fields.${missing.key} is required`);
  return after;
}
