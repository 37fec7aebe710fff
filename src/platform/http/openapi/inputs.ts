import { type Document, operationsOf, type Schema } from "./document.js";

/** What the parameters in paths are. */
const IN_PATH: Readonly<Record<string, string>> = {
  id: "The id of the resource.",
  workspaceId: "The id of the workspace.",
  conversationId: "The id of the conversation.",
  channelId: "The id of the channel.",
  tenantId: "The id of the tenant.",
  token: "The token of the link.",
  publicKey: "The public key of the widget or web chat.",
  file: "The name of the file.",
};

/** Ids in paths are UUIDs: see `IdPipe`. */
export function describePaths(document: Document): void {
  for (const { operation } of operationsOf(document))
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in !== "path") continue;
      parameter.description ??= IN_PATH[parameter.name];
      if (parameter.name === "id" || parameter.name.endsWith("Id")) parameter.schema.format = "uuid";
    }
}

/**
 * Bodies refuse unknown fields: see `checked`. A schema that answers have, too, stays open, because answers gain fields.
 * Only a POST without mandatory fields goes without a body.
 */
export function closeBodies(document: Document): void {
  const answered = new Set<Schema>();
  for (const { operation } of operationsOf(document)) reach(document, operation.responses, answered);
  for (const { method, path, operation } of operationsOf(document)) {
    const schema = operation.requestBody?.content["application/json"]?.schema;
    // The events of providers have fields that nothing here reads.
    if (!schema || path.startsWith("/api/webhooks/")) continue;
    operation.requestBody!.required = method !== "post" || mandatory(document, schema);
    for (const found of reach(document, schema))
      if (found.properties && !answered.has(found)) found.additionalProperties ??= false;
  }
}

const target = ({ components }: Document, schema: Schema): Schema =>
  typeof schema.$ref === "string" ? components.schemas[schema.$ref.split("/").at(-1)!]! : schema;

const mandatory = (document: Document, schema: Schema): boolean =>
  ((target(document, schema).required as string[] | undefined) ?? []).length > 0;

/** Everything below a node, through references. */
function reach(document: Document, node: unknown, seen = new Set<Schema>()): Set<Schema> {
  if (typeof node !== "object" || node === null) return seen;
  const schema = target(document, node as Schema);
  if (seen.has(schema)) return seen;
  seen.add(schema);
  for (const value of Object.values(schema)) reach(document, value, seen);
  return seen;
}
