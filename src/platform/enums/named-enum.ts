/** An enum of the contract: its name, its values, and what each value means if the value does not say it. */
export interface NamedEnum {
  name: string;
  description: string;
  values: readonly (string | number)[];
  meanings?: Readonly<Record<string, string>>;
}

/** The enums of all modules that are loaded. The OpenAPI document has each of them. */
export const NAMED_ENUMS: NamedEnum[] = [];

/**
 * Declares the values of a field where they belong, and names them for the OpenAPI document, the API's clients and the SDK.
 * @param name unique in the contract, in the singular: `ConversationStatus`
 * @param values as a list, or as a record of what each means
 * @returns the values, for `@IsIn(…)`, `@ApiProperty({ enum: … })` and `(typeof …)[number]`
 */
export function namedEnum<const Values extends NamedEnum["values"]>(
  name: string,
  description: string,
  values: Values,
): Values;
export function namedEnum<const Meanings extends Readonly<Record<string, string>>>(
  name: string,
  description: string,
  meanings: Meanings,
): readonly (keyof Meanings & string)[];
export function namedEnum(
  name: string,
  description: string,
  given: NamedEnum["values"] | Readonly<Record<string, string>>,
): NamedEnum["values"] {
  const known = isList(given) ? { values: given } : { values: Object.keys(given), meanings: given };
  NAMED_ENUMS.push({ name, description, ...known });
  return known.values;
}

const isList = (given: object): given is NamedEnum["values"] => Array.isArray(given);

/** The condition of a `@Check` that a column has one of these values. */
export const isOneOf = (column: string, values: NamedEnum["values"]): string =>
  `${column} in (${values.map((value) => (typeof value === "number" ? value : `'${value}'`)).join(", ")})`;
