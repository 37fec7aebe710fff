import { BadRequestException } from "@nestjs/common";
import { type TransformFnParams, TransformationType } from "class-transformer";
import { defaultMetadataStorage as declared } from "class-transformer/cjs/storage.js";
import { getMetadataStorage } from "class-validator";

type Class = new () => object;

/** What a class declares about one of its fields. */
interface Field {
  /** The class of the value, or of the items of a list. */
  type?: Class | NumberConstructor;
  /** How many items of a list are looked at. One more than is allowed shows that there are too many. */
  items: number;
  transforms: ((params: TransformFnParams) => unknown)[];
}

/** So many unknown fields are named in an error. */
const MAX_UNKNOWN = 20;

const classes = new Map<Class, Map<string, Field>>();

/**
 * Makes an instance of a class from JSON, by its `@Type` and `@Transform`. Unlike `plainToInstance`, it copies nothing that the
 * class does not name, and looks no further into a list than its `@ArrayMaxSize`: the caller decides how much there is, and
 * validators look at all that they get.
 * @throws BadRequestException for unknown fields that validators would take for methods of every object
 */
export function instantiate<T extends object>(type: new () => T, plain: object, path = ""): T {
  const fields = fieldsOf(type);
  const instance = new type() as Record<string, unknown>;
  let unknown = 0;
  for (const [name, given] of Object.entries(plain) as [string, unknown][]) {
    const field = fields.get(name);
    if (field) instance[name] = valueOf(field, name, given, plain, path);
    else if (name in Object.prototype) throw new BadRequestException(`property ${path}${name} should not exist`);
    else if (unknown++ < MAX_UNKNOWN) instance[name] = given;
  }
  return instance as T;
}

function valueOf({ type, items, transforms }: Field, key: string, given: unknown, obj: object, path: string): unknown {
  return transforms.reduce<unknown>(
    (value, transform) => transform({ value, key, obj, type: TransformationType.PLAIN_TO_CLASS, options: {} }),
    type ? typed(type, given, items, `${path}${key}.`) : cut(given, items),
  );
}

const cut = (value: unknown, items: number): unknown => (Array.isArray(value) ? value.slice(0, items) : value);

function typed(type: Class | NumberConstructor, value: unknown, items: number, path: string): unknown {
  if (value === null || value === undefined) return value;
  // A list in a list is never right. One item shows that.
  if (Array.isArray(value)) return value.slice(0, items).map((item, n) => typed(type, item, 1, `${path}${n}.`));
  if (isNumber(type)) return Number(value);
  return typeof value === "object" ? instantiate(type, value, path) : value;
}
const isNumber = (type: Class | NumberConstructor): type is NumberConstructor => type === Number;

function fieldsOf(type: Class): Map<string, Field> {
  let fields = classes.get(type);
  if (!fields) classes.set(type, (fields = readFields(type)));
  return fields;
}

/** As the database has ids, so that they can be compared. */
const idsInLowerCase = ({ value }: TransformFnParams): unknown => {
  const lower = (one: unknown): unknown => (typeof one === "string" ? one.toLowerCase() : one);
  return Array.isArray(value) ? value.map(lower) : lower(value);
};

function readFields(type: Class): Map<string, Field> {
  const rules = getMetadataStorage().groupByPropertyName(
    getMetadataStorage().getTargetValidationMetadatas(type, "", false, false),
  );
  return new Map(
    Object.entries(rules).map(([name, ofField]) => {
      const isList = ofField.some((rule) => rule.name === "isArray");
      const most = ofField.find((rule) => rule.name === "arrayMaxSize")?.constraints[0] as number | undefined;
      // A programming error: a list without a limit may cost any amount of time.
      if (isList && most === undefined) throw new Error(`${type.name}.${name} is a list without @ArrayMaxSize`);
      const of = declared.findTypeMetadata(type, name)?.typeFunction() as Field["type"];
      return [
        name,
        {
          type: of,
          // Without `@IsArray`, it is one object of the class, or what the transform and the validators make of it.
          items: isList ? most! + 1 : of ? 1 : Infinity,
          transforms: [
            ...(ofField.some((rule) => rule.name === "isUuid") ? [idsInLowerCase] : []),
            ...declared
              .findTransformMetadatas(type, name, TransformationType.PLAIN_TO_CLASS)
              .map(({ transformFn }) => transformFn),
          ],
        },
      ];
    }),
  );
}
