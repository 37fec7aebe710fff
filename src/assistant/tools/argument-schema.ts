import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { fastFormats } from "ajv-formats/dist/formats.js";

/** A part of a JSON Schema, as far as tools may use it. */
export type Schema = Record<string, unknown>;

/** The values that the server fills in, whatever the model says. */
const BOUND_VALUES = ["contact.id", "contact.externalId", "contact.email", "contact.phone", "conversation.id"] as const;
export type BoundValue = (typeof BOUND_VALUES)[number];
/** The keyword of a property that is filled in. */
const BOUND = "x-bound";

const MAX_SCHEMA_BYTES = 16_384;
const MAX_DEPTH = 8;
const MAX_PARTS = 200;
const MAX_PATTERN = 200;
/** Of what a pattern repeats a fixed number of times. */
const MAX_REPEATED = 256;
export const MAX_ARGUMENT_BYTES = 16_384;

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];
const FORMATS = ["date", "date-time", "email", "uuid"] as const;
export const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === "string");

/** What a keyword takes; a text says what is wrong. Keywords with parts of their own are missing here. */
const KEYWORDS: Record<string, (value: unknown) => boolean> = {
  title: (value) => typeof value === "string",
  description: (value) => typeof value === "string",
  default: () => true,
  examples: Array.isArray,
  type: (value) => [value].flat().every((one) => TYPES.includes(one as string)),
  enum: (value) => Array.isArray(value) && value.length > 0,
  const: () => true,
  minimum: Number.isFinite,
  maximum: Number.isFinite,
  exclusiveMinimum: Number.isFinite,
  exclusiveMaximum: Number.isFinite,
  multipleOf: (value) => Number.isFinite(value) && (value as number) > 0,
  minLength: isCount,
  maxLength: isCount,
  format: (value) => FORMATS.includes(value as (typeof FORMATS)[number]),
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  required: isTexts,
  [BOUND]: (value) => BOUND_VALUES.includes(value as BoundValue),
};

/**
 * Checks the schema that a tool is given: an object at the top, keywords that take time in proportion to the arguments, and
 * patterns that are matched in one pass.
 * @returns what is wrong, as the end of a sentence; undefined for a schema that can be used
 */
export function faultOf(schema: unknown): string | undefined {
  if (!isObject(schema) || schema.type !== "object") return "must be a JSON Schema with the type object";
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_SCHEMA_BYTES)
    return `must be at most ${MAX_SCHEMA_BYTES / 1_024} KiB of JSON`;
  let parts = 0;
  const look = (part: unknown, depth: number): string | undefined => {
    if (++parts > MAX_PARTS) return `must have at most ${MAX_PARTS} parts`;
    if (depth > MAX_DEPTH) return `must be nested at most ${MAX_DEPTH} deep`;
    if (!isObject(part)) return "must have an object as each part";
    for (const [keyword, value] of Object.entries(part)) {
      const fault = faultOfKeyword(keyword, value, depth);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
  const each = (all: unknown[], depth: number): string | undefined => {
    for (const one of all) {
      const fault = look(one, depth + 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
  const faultOfKeyword = (keyword: string, value: unknown, depth: number): string | undefined => {
    if (keyword === "$schema" && depth === 1) return undefined;
    if (keyword === BOUND && depth !== 2) return `must have ${BOUND} only in properties of its top level`;
    if (keyword === "properties") {
      if (!isObject(value)) return "must have an object in properties";
      if (Object.hasOwn(value, "__proto__")) return "must not have a property with the name __proto__";
      return each(Object.values(value), depth);
    }
    if (keyword === "items") return look(value, depth + 1);
    if (keyword === "additionalProperties") return typeof value === "boolean" ? undefined : look(value, depth + 1);
    if (keyword === "anyOf")
      return Array.isArray(value) && value.length ? each(value, depth) : "must have a list of parts in anyOf";
    if (keyword === "pattern") return faultOfPattern(value);
    const takes = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
    if (!takes) return `must not use the keyword ${keyword.slice(0, 50)}`;
    return takes(value) ? undefined : `must have a valid value for each ${keyword}`;
  };
  const fault = look(schema, 1);
  if (fault !== undefined) return fault;
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return `must be a valid JSON Schema: ${(error as Error).message.slice(0, 200)}`;
  }
}

/** A character, a class of characters, or an escape; then how often. */
const PIECE = /(?:\\[\s\S]|\[\^?(?:\\[\s\S]|[^[\]\\])+\]|[^\\^$|?*+()[\]{}])(\?|\*|\+|\{(\d{1,4})(,?)(\d{0,4})\})?/uy;

/**
 * Patterns come from strangers and are matched against what strangers say. Without groups and alternatives, anchored, and
 * with one piece at most whose length varies, a pattern needs no more than one pass over the text for each of its pieces.
 */
function faultOfPattern(pattern: unknown): string | undefined {
  const rule =
    "must have patterns that begin with ^, end with $, and have no groups, no alternatives, and at most one piece whose length varies (?, *, + or {n,m})";
  if (typeof pattern !== "string" || pattern.length > MAX_PATTERN) return rule;
  if (!pattern.startsWith("^") || !pattern.endsWith("$") || /\\[kKpPuxcb1-9B]/u.test(pattern)) return rule;
  const inner = pattern.slice(1, -1);
  let [varying, repeated] = [0, 0];
  PIECE.lastIndex = 0;
  for (let at = 0; at < inner.length; at = PIECE.lastIndex) {
    PIECE.lastIndex = at;
    const piece = PIECE.exec(inner);
    if (!piece) return rule;
    const [, quantifier, least, comma] = piece;
    if (quantifier !== undefined && (least === undefined || comma)) varying++;
    else repeated += least === undefined ? 1 : Number(least);
  }
  return varying > 1 || repeated > MAX_REPEATED ? rule : undefined;
}

const ajv = new Ajv({ strict: false, allowUnionTypes: true, ownProperties: true, validateSchema: true });
for (const name of FORMATS) ajv.addFormat(name, fastFormats[name]);
ajv.addKeyword(BOUND);

function compile({ $schema: _, ...schema }: Schema): ValidateFunction {
  try {
    return ajv.compile(schema);
  } finally {
    // Else it would keep every schema that it has ever seen.
    ajv.removeSchema(schema);
  }
}

const MAX_KNOWN = 500;
const known = new Map<string, ValidateFunction>();

/**
 * @param key of this version of the tool
 * @returns what is wrong with the arguments, as a sentence; undefined if they can be used
 */
export function faultOfArguments(key: string, schema: Schema, values: unknown): string | undefined {
  if (!isObject(values)) return "The arguments must be an object";
  if (Buffer.byteLength(JSON.stringify(values)) > MAX_ARGUMENT_BYTES)
    return `The arguments must be at most ${MAX_ARGUMENT_BYTES / 1_024} KiB of JSON`;
  let validate = known.get(key);
  if (!validate) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, (validate = compile(schema)));
  }
  if (validate(values)) return undefined;
  return sentenceOf(validate.errors![0]!);
}

function sentenceOf({ instancePath, message = "are not valid", keyword, params }: ErrorObject): string {
  const where = `arguments${instancePath.replaceAll("/", ".")}`;
  const extra = keyword === "additionalProperties" ? ` (${String(params.additionalProperty).slice(0, 50)})` : "";
  const choice = keyword === "enum" ? `: ${JSON.stringify(params.allowedValues).slice(0, 200)}` : "";
  return `${where} ${message}${extra}${choice}`;
}

/** The properties that the server fills in, and with what. */
export const boundOf = (schema: Schema): [property: string, value: BoundValue][] =>
  Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, property]) =>
    Object.hasOwn(property, BOUND) ? [[name, property[BOUND] as BoundValue]] : [],
  );

/** The schema as the model is shown it: without what the server fills in. */
export function shownTo(schema: Schema): Schema {
  const bound = boundOf(schema).map(([name]) => name);
  if (!bound.length) return schema;
  const properties = Object.entries((schema.properties ?? {}) as Schema).filter(([name]) => !bound.includes(name));
  const required = ((schema.required ?? []) as string[]).filter((name) => !bound.includes(name));
  return { ...schema, properties: Object.fromEntries(properties), required };
}

/** Without what PostgreSQL cannot store: NUL, and halves of characters. @throws RangeError: it is nested too deep */
export function storable(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "").toWellFormed();
  if (Array.isArray(value)) return value.map(storable);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [storable(name), storable(one)]));
}

/** JSON with the names of each object in order, so that equal values have equal texts. */
export const canonical = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(canonical).join(",")}]`
    : isObject(value)
      ? `{${Object.keys(value)
          .sort()
          .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
          .join(",")}}`
      : JSON.stringify(value);
