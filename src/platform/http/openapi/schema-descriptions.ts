import { type Document, operationsOf } from "./document.js";

/**
 * Sees to it that every schema is described: by `@ApiSchema({ description })` at its class, an enum with its name, a page by its items,
 * and a body by the operations that take it.
 * @throws Error: a schema has no description
 */
export function describeSchemas(document: Document): void {
  const { schemas } = document.components;
  const takers = takersOf(document);
  for (const [name, { description: own, ...schema }] of Object.entries(schemas)) {
    const description = own ?? derived(name, takers.get(name));
    if (typeof description !== "string")
      throw new Error(`The schema ${name} needs a description: put @ApiSchema({ description: "…" }) at its class`);
    schemas[name] = { ...schema, description };
  }
}

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
