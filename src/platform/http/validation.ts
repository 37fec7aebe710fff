import {
  applyDecorators,
  type ArgumentMetadata,
  BadRequestException,
  Injectable,
  type PipeTransform,
} from "@nestjs/common";
import { Transform } from "class-transformer";
import { IsISO8601, isTimeZone, ValidateBy, ValidateIf, validateSync, type ValidationError } from "class-validator";
import { instantiate } from "./instantiate.js";
import "./known-rules.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id in a path. Anything other than a UUID is 400. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!UUID.test(value)) throw new BadRequestException("The id in the path is not a UUID");
    return value.toLowerCase();
  }
}

const STRICT = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };

/**
 * Validates one value against its class, like a body. Unknown fields are refused, so that a misspelt field is noticed.
 * Use `ignore` only for formats that others define, such as a provider's events.
 * @throws BadRequestException
 */
export function checked<T extends object>(
  type: new () => T,
  value: object,
  unknownFields: "refuse" | "ignore" = "refuse",
): T {
  const instance = instantiate(type, value);
  const errors = validateSync(instance, { ...STRICT, forbidNonWhitelisted: unknownFields === "refuse" });
  if (errors.length) throw new BadRequestException(errors.flatMap((error) => sentences(error)).join("; "));
  return instance;
}

const MAX_QUERIES = 1_000;
const MAX_QUERY_LENGTH = 400;

/** Validates bodies and queries against their classes. */
@Injectable()
export class Validation implements PipeTransform {
  /** Callers that poll repeat their queries, so a valid query is validated only once. */
  private readonly known = new Map<string, unknown>();

  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if (type === "custom" || !isClass(metatype)) return value;
    const given = value ?? {};
    if (type !== "query") return checked(metatype, given);
    const query = `${metatype.name} ${JSON.stringify(given)}`;
    const known = this.known.get(query);
    if (known) return known;
    const valid = Object.freeze(checked(metatype, given));
    if (this.known.size >= MAX_QUERIES) this.known.clear();
    if (query.length <= MAX_QUERY_LENGTH) this.known.set(query, valid);
    return valid;
  }
}

/** Other parameters have no class, or one of the language. */
const OF_THE_LANGUAGE = new Set<unknown>([undefined, String, Number, Boolean, Array, Object]);
const isClass = (metatype: ArgumentMetadata["metatype"]): metatype is new () => object =>
  !OF_THE_LANGUAGE.has(metatype);

/** One problem per value: that it is no list, or the first condition in the class that fails. The first one checks the type. */
export function sentences(error: ValidationError, path = ""): string[] {
  const { constraints = {}, children = [], property } = error;
  const first = constraints.isArray ?? Object.values(constraints).at(-1);
  return [
    ...(first === undefined ? [] : [located(plain(first, error), property, path)]),
    ...children.flatMap((child) => sentences(child, `${path}${property}.`)),
  ];
}

/** Sentences that say nothing more than the type. */
const OF_TYPE =
  / must be (?:a string|a UUID|an array|an integer number|a number conforming to the specified constraints|a boolean value|a valid ISO 8601 date string)$/;
/** class-validator says of what is missing that it has the wrong type, and of an object that it may be an array. */
const plain = (sentence: string, { property, value }: ValidationError): string =>
  value === undefined && OF_TYPE.test(sentence)
    ? `${property} is missing`
    : sentence.replace(/nested property (.*) must be either object or array$/, "$1 must be an object");

/** What class-validator says before the name of a property. */
const BEFORE_NAME = /^(?:property |each value in |each of |All )?/;
/** class-validator names the property, and not where it is. */
function located(sentence: string, property: string, path: string): string {
  const [before] = BEFORE_NAME.exec(sentence)!;
  return sentence.startsWith(property, before.length) ? before + path + sentence.slice(before.length) : path + sentence;
}

const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}(T[\d:.]+)?$/;

/** A time in ISO 8601. Without a zone it is UTC, whatever the time zone of the server and the database. */
export const Instant = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === "string" && WITHOUT_ZONE.test(value)
        ? `${value.length === 10 ? `${value}T00:00:00` : value}Z`
        : value,
    ),
    ValidateBy(
      { name: "isInstant", validator: { validate: isInstant } },
      { message: "$property must be a time between the years 1 and 9999 in ISO 8601, such as 2026-05-04T09:00:00Z" },
    ),
    IsISO8601({ strict: true, strictSeparator: true }),
  );

/** Both JavaScript and PostgreSQL can read it. ISO 8601 has more forms, such as weeks, years before the first, larger ones, and any number of decimals. */
const isInstant = (value: unknown): boolean =>
  typeof value === "string" &&
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,30})?)?)?(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)$/i.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  value >= "0001-01-02" &&
  !value.startsWith("9999-12-31");

/** The IANA name of a time zone. From Node 22 on, `isTimeZone` takes `+02:00`, too, which PostgreSQL reads the other way round. */
export const ZoneName = (): PropertyDecorator =>
  ValidateBy(
    { name: "isZoneName", validator: { validate: (value) => isTimeZone(value) && !/^[+-]/.test(value as string) } },
    { message: "$property must be a valid IANA time-zone" },
  );

/**
 * The field may be missing. Unlike with `IsOptional`, null is not allowed: it means "no value", and only some fields
 * can have that.
 */
export const Optional = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** The field must be there, although it is `Optional` in the class that this one extends. */
export const Required = (): PropertyDecorator => ValidateIf(() => true);

/** Changes each text of a list before it is validated. */
export const each =
  (change: (text: string) => string) =>
  ({ value }: { value: unknown }): unknown =>
    Array.isArray(value) ? value.map((one: unknown) => (typeof one === "string" ? change(one) : one)) : value;

/** Trims a text before it is validated. */
export const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === "string" ? value.trim() : value));

/**
 * A parameter of several values: it is repeated, or separates them with commas. You get each value once, in one order, so
 * that a cursor fits them whatever order they came in.
 */
export const Several = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    const given = [value].flat();
    return given.every((one) => typeof one === "string")
      ? [...new Set(given.flatMap((one) => one.split(",")))].sort()
      : value;
  });
