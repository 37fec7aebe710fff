import {
  applyDecorators,
  type ArgumentMetadata,
  BadRequestException,
  Injectable,
  type PipeTransform,
  ValidationPipe,
} from "@nestjs/common";
import { plainToInstance, Transform } from "class-transformer";
import { IsISO8601, ValidateIf, validateSync, type ValidationError } from "class-validator";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id in a path: anything but a UUID is 400, before anything is looked up. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    if (!UUID.test(value)) throw new BadRequestException("The id in the path is not a UUID");
    return value.toLowerCase();
  }
}

const STRICT = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };

/** One value against its class, as a body is. @throws BadRequestException */
export function checked<T extends object>(type: new () => T, value: object): T {
  const instance = plainToInstance(type, value);
  const errors = validateSync(instance, STRICT);
  if (errors.length) throw new BadRequestException(errors.flatMap((error) => sentences(error)).join("; "));
  return instance;
}

/**
 * Bodies and queries against their classes. What a class does not name is refused, so that a misspelt field does not
 * pass in silence; only what others define, such as a provider's events, may hold more than we know of.
 */
export const validationPipe = (unknownFields: "refuse" | "ignore" = "refuse"): ValidationPipe =>
  new QueryRememberingPipe({
    transform: true,
    ...STRICT,
    forbidNonWhitelisted: unknownFields === "refuse",
    exceptionFactory: (errors) => new BadRequestException(errors.flatMap((error) => sentences(error)).join("; ")),
  });

const MOST_QUERIES = 1_000;
const LONGEST_QUERY = 400;

/** Pollers ask the same again and again: a query that was found valid is not looked at twice. */
class QueryRememberingPipe extends ValidationPipe {
  private readonly known = new Map<string, unknown>();

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== "query" || !metadata.metatype) return super.transform(value, metadata);
    const query = `${metadata.metatype.name} ${JSON.stringify(value)}`;
    const known = this.known.get(query);
    if (known) return known;
    const valid: unknown = Object.freeze(await super.transform(value, metadata));
    if (this.known.size >= MOST_QUERIES) this.known.clear();
    if (query.length <= LONGEST_QUERY) this.known.set(query, valid);
    return valid;
  }
}

/** What is wrong with one value: of its conditions, the one that stands first in the class, which tells its type. */
const firstSentence = ({ constraints = {} }: ValidationError): string[] => Object.values(constraints).slice(-1);

function sentences(error: ValidationError, path = ""): string[] {
  return [
    ...firstSentence(error).map((sentence) => path + sentence),
    ...(error.children ?? []).flatMap((child) => sentences(child, `${path}${error.property}.`)),
  ];
}

const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}(T[\d:.]+)?$/;

/** An instant in ISO 8601; one without a zone is UTC, wherever server and database stand. */
export const Instant = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === "string" && WITHOUT_ZONE.test(value)
        ? `${value.length === 10 ? `${value}T00:00:00` : value}Z`
        : value,
    ),
    IsISO8601({ strict: true, strictSeparator: true }),
  );

/** May be left out. Unlike `IsOptional`, `null` is not the same: it says "no value", which only some fields may have. */
export const Optional = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** Of a list, each text is changed before it is looked at. */
export const each =
  (change: (text: string) => string) =>
  ({ value }: { value: unknown }): unknown =>
    Array.isArray(value) ? value.map((one: unknown) => (typeof one === "string" ? change(one) : one)) : value;

/** A text that is trimmed before it is measured. */
export const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === "string" ? value.trim() : value));
