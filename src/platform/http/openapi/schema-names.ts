import { type Document, rewriteAll } from "./document.js";

/** Classes are named `…Dto` in the code. Their schemas are not. */
export function nameSchemas(document: Document): void {
  const named: Document["components"]["schemas"] = {};
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const short = withoutDto(name);
    if (short in named) throw new Error(`Two schemas are named ${short}`);
    named[short] = schema;
  }
  document.components.schemas = named;
  rewriteAll(document, (node) => (typeof node.$ref === "string" ? { ...node, $ref: withoutDto(node.$ref) } : node));
}

const withoutDto = (name: string): string => name.replace(/Dto$/, "");
