import { type Document, operationsOf } from "./document.js";

/**
 * Describes every schema: with its text in `texts`, a page by its items, and a body by the operations that take it.
 * A schema without a description is an error, and so is a text without a schema.
 */
export const describeSchemas =
  (texts: Readonly<Record<string, string>>) =>
  (document: Document): void => {
    const { schemas } = document.components;
    const takers = takersOf(document);
    for (const [name, schema] of Object.entries(schemas)) {
      const description = texts[name] ?? schema.description ?? derived(name, takers.get(name));
      if (typeof description !== "string")
        throw new Error(`The schema ${name} needs a description: see openapi-schemas.ts`);
      schemas[name] = { ...schema, description };
    }
    const unused = Object.keys(texts).filter((name) => !(name in schemas));
    if (unused.length) throw new Error(`There is no schema ${unused.join(", ")}: see openapi-schemas.ts`);
  };

function derived(name: string, takers: string[] | undefined): string | undefined {
  if (name.endsWith("Page")) return `One page of a list. Each item is \`${name.slice(0, -4)}\`.`;
  return takers && `What you send to ${takers.map((id) => `\`${id}\``).join(" and ")}.`;
}

/** The operations that take a schema as their body. */
function takersOf(document: Document): Map<string, string[]> {
  const takers = new Map<string, string[]>();
  for (const { operation } of operationsOf(document))
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
      const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1)! : undefined;
      if (name) takers.set(name, [...(takers.get(name) ?? []), operation.operationId]);
    }
  return takers;
}
