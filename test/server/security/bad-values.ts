import { document } from "../../support/contract.js";

/** The parts of a JSON schema in openapi.json that the tests read. */
export interface Schema {
  $ref?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  example?: unknown;
  additionalProperties?: boolean;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
}
/** Texts that do not match the pattern. */
function unlike(pattern: string): string[] {
  const matches = new RegExp(pattern, "u");
  return ["!", "EN", "é\n", "x".repeat(10_000)].filter((text) => !matches.test(text));
}

/** A JSON text, because many of these values cannot be expressed in JavaScript. */
interface Bad {
  what: string;
  json: string;
}
/** The place in a body where the value is inserted. */
export interface BadField extends Bad {
  path: string[];
}

export function resolve(schema: Schema): Schema {
  if (schema.$ref) return resolve(document.components.schemas[schema.$ref.split("/").pop()!] as Schema);
  // A reference to an enum that may also be null.
  if (schema.anyOf?.[1]?.type === "null") {
    const one = resolve(schema.anyOf[0]!);
    return { ...one, type: [typeOf(one)!, "null"] };
  }
  return schema.allOf?.length === 1 ? resolve(schema.allOf[0]!) : schema;
}
const typeOf = ({ type }: Schema): string | undefined =>
  Array.isArray(type) ? type.find((one) => one !== "null") : type;

export const nested = (depth: number, open = "[", close = "]"): string => open.repeat(depth) + close.repeat(depth);
const NUL = "\\u0000";
const HIGH = "\\ud800";
const LOW = "\\udc00";
const HUGE = ["1e400", "-1e400", "9e99", "9223372036854775808", "-9223372036854775809"];
const DATES = [
  "yesterday",
  "1767225600",
  "2026-01-01 00:00:00",
  "2026-13-01T00:00:00Z",
  "2026-02-30T00:00:00Z",
  "2026-01-01T25:00:00Z",
  "999999-01-01T00:00:00Z",
  "2026-01-01T00:00:00+99:99",
  // PostgreSQL reads at most 128 characters.
  `2026-01-01T00:00:00.${"0".repeat(200)}Z`,
];
const FORBIDDEN_KEYS = [
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  `{"${NUL}":1}`,
  `{"${HIGH}":1}`,
];
const each = (what: string, ...texts: string[]): Bad[] => texts.map((json) => ({ what, json }));
const quoted = (...texts: string[]): string[] => texts.map((text) => JSON.stringify(text));

/** A value that matches the schema; a different `n` gives a different value. */
export function sample(given: Schema, n = 0): unknown {
  const schema = resolve(given);
  if (schema.enum) return schema.enum[n % schema.enum.length];
  switch (typeOf(schema)) {
    case "object":
      return Object.fromEntries(
        (schema.required ?? Object.keys(schema.properties ?? {}).slice(0, 1)).map((name) => [
          name,
          sample(schema.properties![name]!, n),
        ]),
      );
    case "array":
      return [sample(schema.items!, n)];
    case "integer":
    case "number":
      return schema.minimum ?? n;
    case "boolean":
      return true;
    default:
      if (schema.format === "uuid") return `01890000-0000-7000-8000-${String(n).padStart(12, "0")}`;
      if (schema.format === "email") return `sample-${n}@example.com`;
      if (schema.format === "date-time") return "2099-01-01T00:00:00.000Z";
      return schema.pattern ? `+4930901${String(n).padStart(4, "0")}` : `sample ${n}`;
  }
}

/** Values that the schema does not allow, each for a different reason. */
function badValues(given: Schema): Bad[] {
  const schema = resolve(given);
  const nullable = Array.isArray(schema.type) && schema.type.includes("null");
  return [...(nullable ? [] : each("null", "null")), ...ofType(schema)];
}

function ofType(schema: Schema): Bad[] {
  switch (typeOf(schema)) {
    case "string":
      return [
        ...each("not a string", "1", "true", "[]", '["x"]', "{}", '{"$ne":""}', ...HUGE.slice(0, 2)),
        ...each("text that cannot be kept", `"${NUL}"`, `"a${NUL}b"`, `"${HIGH}"`, `"${LOW}${HIGH}"`),
        ...(schema.minLength ? each("too short", '""', JSON.stringify("x".repeat(schema.minLength - 1))) : []),
        ...(schema.maxLength ? each("too long", JSON.stringify("x".repeat(schema.maxLength + 1))) : []),
        ...(schema.enum ? each("not one of the list", ...quoted("nonsense", "", "__proto__", "constructor")) : []),
        ...(schema.format === "uuid"
          ? each(
              "not a UUID",
              ...quoted("", "x", "01890000-0000-7000-8000-00000000000g", "01890000000070008000000000000000"),
            )
          : []),
        ...(schema.format === "date-time" ? each("not a time", ...quoted(...DATES)) : []),
        ...(schema.format === "email"
          ? each(
              "not an email",
              ...quoted(
                "x",
                "a@",
                "@b.example",
                "a b@c.example",
                "a@b.example\nBcc: c@d.example",
                `${"a".repeat(300)}@b.example`,
              ),
            )
          : []),
        ...(schema.pattern ? each("not of the pattern", ...quoted(...unlike(schema.pattern))) : []),
      ];
    case "integer":
    case "number":
      return [
        ...each("not a number", '"1"', "true", "[]", "[1]", "{}", '"NaN"', '""'),
        ...each("out of range", ...HUGE),
        ...(schema.minimum === undefined ? [] : each("too small", String(schema.minimum - 1))),
        ...(schema.maximum === undefined ? [] : each("too large", String(schema.maximum + 1))),
      ];
    case "boolean":
      return each("not a boolean", '"true"', "1", "0", "[]", "{}", '""');
    case "array":
      return [
        ...each("not an array", '"x"', "1", "true", "{}", '{"length":1}', '{"0":"x"}'),
        ...badValues(schema.items!).map(({ what, json }) => ({ what: `an item that is ${what}`, json: `[${json}]` })),
        ...(schema.minItems ? each("too few", "[]") : []),
        ...(schema.maxItems
          ? each(
              "too many",
              JSON.stringify(Array.from({ length: schema.maxItems + 1 }, (_, n) => sample(schema.items!, n))),
            )
          : []),
        ...(schema.uniqueItems
          ? each("twice the same", JSON.stringify([sample(schema.items!), sample(schema.items!)]))
          : []),
      ];
    default:
      return [
        ...each("not an object", '"x"', "1", "true", "[]", "[{}]", "[[]]"),
        ...each("a key that must not be", ...FORBIDDEN_KEYS),
        ...each(
          "text or numbers within that cannot be kept",
          `{"a":"${NUL}"}`,
          `{"a":{"b":["${HIGH}"]}}`,
          '{"a":1e400}',
        ),
        ...each("nested too deep", `{"a":${nested(40)}}`, `{"a":${nested(10_000)}}`),
      ];
  }
}

/** Invalid values for each field of an object at any depth, and unknown fields unless the object allows them. */
export function badFields(given: Schema, { strict = true, path = [] as string[] } = {}): BadField[] {
  const schema = resolve(given);
  if (!schema.properties) return [];
  return [
    ...(strict
      ? ["nonsense", "tenantId"].map((name) => ({
          what: "a field that nobody knows",
          json: "1",
          path: [...path, name],
        }))
      : []),
    ...["__proto__", "constructor"].map((name) => ({
      what: "a field that must not be",
      json: '{"prototype":{"admin":true}}',
      path: [...path, name],
    })),
    ...Object.entries(schema.properties).flatMap(([name, inner]) => {
      const at = [...path, name];
      const missing = schema.required?.includes(name) ? [{ what: "a field that is missing", json: "", path: at }] : [];
      return [
        ...missing,
        ...badValues(inner).map((bad) => ({ ...bad, path: at })),
        ...badFields(inner, { strict, path: at }),
      ];
    }),
  ];
}

/** The JSON of a valid body with the invalid value in its place. Missing parents are created. */
export function spoil(body: unknown, schema: Schema, { path, json }: BadField): string {
  const mark = "@@spoilt@@";
  const put = (value: unknown, within: Schema, [name, ...rest]: string[]): unknown => {
    const object = { ...((value ?? sample(within)) as Record<string, unknown>) };
    const inner = rest.length ? put(object[name!], resolve(within).properties![name!]!, rest) : mark;
    // A plain assignment with this key would set the prototype.
    return JSON.parse(
      JSON.stringify({ ...object, "@@name@@": inner, ...(name! in object ? { [name!]: undefined } : {}) }).replace(
        '"@@name@@"',
        JSON.stringify(name),
      ),
    ) as unknown;
  };
  const text = JSON.stringify(put(body, schema, path));
  return json === ""
    ? text.replace(new RegExp(`,?"[^"]+":"${mark}"`), "").replace("{,", "{")
    : text.replace(`"${mark}"`, () => json);
}
