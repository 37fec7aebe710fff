import { type Document, type Operation, operationsOf, type Parameter, type Response } from "./document.js";
import { takesIdempotencyKey } from "./failures.js";

const ENVIRONMENT: Parameter = {
  name: "X-Environment",
  in: "header",
  required: false,
  description:
    "The side of the tenant, for a session of your own provider: `live` unless it is given. Other tokens have a side; another one is 400.",
  schema: { $ref: "#/components/schemas/Environment" },
};
const IDEMPOTENCY_KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Makes a retry safe: the same key and body give the first answer again, and the effect happens once. Kept for at least 24 hours.",
  schema: { type: "string", maxLength: 255 },
  example: "7b1f6f0e-reply-1",
};
const IF_NONE_MATCH: Parameter = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The `ETag` of the answer that you have. If it is still the same, the answer is 304.",
  schema: { type: "string" },
};

/** Adds the headers that follow from the kind of an operation. */
export function addParameters(document: Document): void {
  for (const { method, path, operation } of operationsOf(document)) {
    if (operation["x-access"] === "public") continue;
    const own: Parameter[] = [];
    if (takesIdempotencyKey(operation, method, path)) own.push(IDEMPOTENCY_KEY);
    if (isConditional(operation, method)) {
      own.push(IF_NONE_MATCH);
      operation.responses[304] = { $ref: "#/components/responses/NotModified" } as unknown as Response;
    }
    own.push(ENVIRONMENT);
    operation.parameters = [...(operation.parameters ?? []), ...own];
  }
}

/** Every read answers an ETag, except a stream. */
const isConditional = ({ responses }: Operation, method: string): boolean =>
  method === "get" && !responses[200]?.content?.["text/event-stream"];

const SHARED_FROM = 2;

/** Moves a parameter that several operations share to `components.parameters`. */
export function shareParameters(document: Document): void {
  const all = operationsOf(document).flatMap(({ operation }) => operation.parameters ?? []);
  const uses = new Map<string, number>();
  for (const parameter of all) uses.set(textOf(parameter), (uses.get(textOf(parameter)) ?? 0) + 1);
  const shared = new Map<string, string>();
  const components: Record<string, Parameter> = {};
  for (const [text, count] of [...uses].sort(([, a], [, b]) => b - a)) {
    const parameter = JSON.parse(text) as Parameter;
    const name = pascal(parameter.name);
    if (count < SHARED_FROM || name in components) continue;
    components[name] = parameter;
    shared.set(text, name);
  }
  for (const { operation } of operationsOf(document))
    operation.parameters = operation.parameters?.map((parameter) => {
      const name = shared.get(textOf(parameter));
      return name ? ({ $ref: `#/components/parameters/${name}` } as unknown as Parameter) : parameter;
    });
  document.components.parameters = components;
}

const textOf = (parameter: Parameter): string => JSON.stringify(parameter);
const pascal = (name: string): string => name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
