import fs from "node:fs";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

export interface Operation {
  method: string;
  path: string;
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  "x-access": "scope" | "members" | "admins" | "public" | "any";
  "x-required-scope"?: string;
  "x-requires-recent-sign-in"?: boolean;
  "x-any-read-scope"?: boolean;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema: object;
    example?: unknown;
  }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<
    string,
    {
      description: string;
      content?: Record<string, { schema: { $ref?: string }; example?: unknown }>;
      headers?: Record<string, object>;
    }
  >;
  security: Record<string, string[]>[];
}

export const document = JSON.parse(fs.readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")) as {
  paths: Record<string, Record<string, Omit<Operation, "method" | "path">>>;
  webhooks: Record<string, { post: Omit<Operation, "method" | "path"> }>;
  components: { schemas: Record<string, object> };
};

/** What a `$ref` names, or the node itself. */
export function resolved<T extends object>(node: T): T {
  const { $ref, ...rest } = node as { $ref?: string };
  if ($ref === undefined) return node;
  const found = $ref
    .slice(2)
    .split("/")
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], document);
  return { ...resolved(found as T), ...rest };
}

/** Every operation of openapi.json. Its parameters, their enums and its responses are resolved. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    ...operation,
    parameters: operation.parameters?.map((given) => {
      const parameter = resolved(given);
      return { ...parameter, schema: resolved(parameter.schema) };
    }),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [status, resolved(response)]),
    ),
  })),
);

// To compile a schema faster matters more than to validate faster: each is used a few times.
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);

/** By the text of the schema: most refusals have the same one. */
const validators = new Map<string, ValidateFunction>();
const validatorOf = new WeakMap<object, ValidateFunction>();
function validator(schema: object): ValidateFunction {
  const known = validatorOf.get(schema);
  if (known) return known;
  const text = JSON.stringify(schema);
  let made = validators.get(text);
  if (!made) {
    made = ajv.compile(JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', '"parley#/')) as object);
    validators.set(text, made);
  }
  validatorOf.set(schema, made);
  return made;
}
/** The same schema with closed objects, so that an undescribed field is an error. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  if ("properties" in copy && !("additionalProperties" in copy)) copy.additionalProperties = false;
  return copy;
}
ajv.addSchema({ $id: "parley", components: { schemas: closed(document.components.schemas) } });

/** What is wrong with the value by the schema of the document, in words, or nothing. */
export function faultsOf(schema: object, value: unknown): string {
  const validate = validator(schema);
  return validate(value) ? "" : describe(validate.errors!);
}

/** What openapi.json does not say of a webhook as it arrived, in words, or nothing. */
export function undescribed(headers: Record<string, string>, payload: { type: string; data: object }): string {
  const webhook = document.webhooks[payload.type]?.post;
  if (!webhook) return `${payload.type} is no webhook`;
  const { allOf } = webhook.requestBody!.content["application/json"]!.schema as {
    allOf: [object, { properties: { type: object; data: object } }];
  };
  const [common, { properties }] = allOf;
  const missing = webhook
    .parameters!.map(resolved)
    .filter(({ name, in: place }) => place !== "header" || !headers[name]);
  return [
    ...missing.map(({ name }) => `no ${name}`),
    faultsOf(common, payload),
    faultsOf(properties.type, payload.type),
    faultsOf(properties.data, payload.data),
  ]
    .filter(Boolean)
    .join("; ");
}

/** The method and the number of segments: few operations have the same. */
const shapeOf = (method: string, path: string): string => `${method} ${path.split("/").length}`;
const patterns = new Map<string, { operation: Operation; form: RegExp }[]>();
const fixed = ({ path }: Operation): number => path.replace(/\{[^}]+\}/g, "").length;
for (const operation of [...operations].sort((a, b) => fixed(b) - fixed(a))) {
  const { method, path } = operation;
  const shape = shapeOf(method, path);
  const form = new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}$`);
  patterns.set(shape, [...(patterns.get(shape) ?? []), { operation, form }]);
}

const describe = (errors: readonly ErrorObject[]): string =>
  errors.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`).join(", ");

/** What `default` stands for. */
const BY_DEFAULT = [401, 403, 413, 415, 429, 503];
/** What the operation answers with the status. Nothing if openapi.json does not say. */
export const answerOf = ({ responses }: Operation, status: number): Operation["responses"][string] | undefined =>
  responses[status] ?? (BY_DEFAULT.includes(status) ? responses.default : undefined);

/** @throws if openapi.json does not describe this response for the request */
export function checkAnswer(method: string, url: string, status: number, body: string): void {
  const path = url.split("?", 1)[0]!;
  const operation = patterns.get(shapeOf(method, path))?.find(({ form }) => form.test(path))?.operation;
  if (!operation) {
    if (status !== 404 && status !== 405 && status !== 429)
      throw new Error(`${method} ${path} is not in openapi.json and answered ${status}`);
    return;
  }
  const response = answerOf(operation, status);
  if (!response) throw new Error(`${method} ${operation.path} does not describe ${status}: ${body}`);
  const schema = response.content?.["application/json"]?.schema;
  if (!schema) return;
  const validate = validator(schema);
  if (!validate(JSON.parse(body)))
    throw new Error(
      `${method} ${operation.path} ${status} is not what openapi.json says (npm run openapi): ${describe(validate.errors!)} in ${body.slice(0, 500)}`,
    );
}
