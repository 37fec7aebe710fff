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
      content?: Record<string, { schema: object; example?: unknown }>;
      headers?: Record<string, object>;
    }
  >;
  security: Record<string, string[]>[];
  "x-roles"?: string[];
}

export const document = JSON.parse(fs.readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")) as {
  paths: Record<string, Record<string, Omit<Operation, "method" | "path">>>;
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

const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);

const validators = new Map<string, ValidateFunction>();
function validator(key: string, schema: object): ValidateFunction {
  let known = validators.get(key);
  if (!known)
    validators.set(
      key,
      (known = ajv.compile(JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', '"parley#/')) as object)),
    );
  return known;
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
  const validate = validator(JSON.stringify(schema), schema);
  return validate(value) ? "" : describe(validate.errors!);
}

const patterns = operations
  .map((operation) => ({
    operation,
    form: new RegExp(`^${operation.path.replace(/\{[^}]+\}/g, "[^/]+")}$`),
    fixed: operation.path.replace(/\{[^}]+\}/g, "").length,
  }))
  .sort((a, b) => b.fixed - a.fixed);

const describe = (errors: readonly ErrorObject[]): string =>
  errors.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`).join(", ");

/** @throws if openapi.json does not describe this response for the request */
export function checkAnswer(method: string, url: string, status: number, body: string): void {
  const path = url.split("?", 1)[0]!;
  const operation = patterns.find(
    (pattern) => pattern.operation.method === method && pattern.form.test(path),
  )?.operation;
  if (!operation) {
    if (status !== 404 && status !== 405 && status !== 429)
      throw new Error(`${method} ${path} is not in openapi.json and answered ${status}`);
    return;
  }
  const response = operation.responses[status];
  if (!response) throw new Error(`${method} ${operation.path} does not describe ${status}: ${body}`);
  const schema = response.content?.["application/json"]?.schema;
  if (!schema) return;
  const validate = validator(`${method} ${operation.path} ${status}`, schema);
  if (!validate(JSON.parse(body)))
    throw new Error(
      `${method} ${operation.path} ${status} is not what openapi.json says (npm run openapi): ${describe(validate.errors!)} in ${body.slice(0, 500)}`,
    );
}
