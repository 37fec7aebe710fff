import { type Document, operationsOf, refTo, rewrite, type Schema } from "./document.js";

/**
 * A field with a default may be left out of a request, and is always in an answer. So a schema that both have becomes two:
 * requests send `GuardrailInput`, and answers have `Guardrail`.
 */
export function separateInputs(document: Document): void {
  const { schemas } = document.components;
  const sent = new Set<string>();
  const answered = new Set<string>();
  for (const { operation } of operationsOf(document)) {
    collect(document, operation.requestBody, sent);
    collect(document, operation.responses, answered);
  }
  const shared = [...sent].filter((name) => answered.has(name) && hasDefaults(document, name));
  const originals = shared.map((name) => [name, schemas[name]!] as const);
  for (const [name, schema] of originals) {
    if (`${name}Input` in schemas) throw new Error(`${name}Input is already the name of another schema`);
    schemas[`${name}Input`] = {
      ...schema,
      description: `${schema.description as string} As you send it: fields with a default may be left out.`,
    };
    schemas[name] = withDefaults(schema);
    sent.add(`${name}Input`);
  }
  const toInput = (node: unknown): unknown =>
    rewrite(node, (found) => {
      const name = typeof found.$ref === "string" ? nameOf(found.$ref) : undefined;
      return name !== undefined && shared.includes(name) ? { ...found, $ref: refTo(`${name}Input`) } : found;
    });
  for (const name of sent) if (!answered.has(name)) schemas[name] = withoutDefaults(toInput(schemas[name]) as Schema);
  for (const { operation } of operationsOf(document))
    if (operation.requestBody) operation.requestBody = toInput(operation.requestBody) as typeof operation.requestBody;
}

const nameOf = ($ref: string): string => $ref.split("/").at(-1)!;
const propertiesOf = (schema: Schema): Record<string, Schema> => (schema.properties ?? {}) as Record<string, Schema>;
const requiredOf = (schema: Schema): string[] => (schema.required ?? []) as string[];
const defaultsOf = (schema: Schema): string[] =>
  Object.entries(propertiesOf(schema)).flatMap(([name, property]) => (property.default === undefined ? [] : [name]));

/** The names of all schemas below a node. */
function collect(document: Document, node: unknown, names: Set<string>): Set<string> {
  if (typeof node !== "object" || node === null) return names;
  const { $ref } = node as Schema;
  if (typeof $ref === "string" && !names.has(nameOf($ref))) {
    names.add(nameOf($ref));
    collect(document, document.components.schemas[nameOf($ref)], names);
  }
  for (const value of Object.values(node)) collect(document, value, names);
  return names;
}

/** Whether the schema, or one below it, has a field with a default. */
const hasDefaults = (document: Document, name: string): boolean =>
  [...collect(document, { $ref: refTo(name) }, new Set())].some(
    (inner) => defaultsOf(document.components.schemas[inner]!).length > 0,
  );

/** As an answer has it: with every field. */
function withDefaults(schema: Schema): Schema {
  const properties = Object.fromEntries(
    Object.entries(propertiesOf(schema)).map(([name, { default: _, ...property }]) => [name, property]),
  );
  return requiring({ ...schema, properties }, [...new Set([...requiredOf(schema), ...defaultsOf(schema)])]);
}

/** As a request sends it: without what has a default. */
function withoutDefaults(schema: Schema): Schema {
  const defaults = defaultsOf(schema);
  const kept = requiredOf(schema).filter((name) => !defaults.includes(name));
  return requiring(schema, kept);
}

const requiring = ({ required: _, ...schema }: Schema, names: string[]): Schema =>
  names.length ? { ...schema, required: names } : schema;
