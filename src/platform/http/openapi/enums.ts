import type { NamedEnum } from "../../enums/named-enum.js";
import { type Document, type Node, refTo, rewriteAll, type Schema } from "./document.js";

/**
 * Replaces each inline enum by a reference to the named enum that has the same values.
 * @throws Error: values have no name or two, a name is taken, or no field has its values
 */
export const nameEnums =
  (enums: readonly NamedEnum[]) =>
  (document: Document): void => {
    const names = new Map<string, string>();
    for (const { name, values } of enums) {
      const other = names.get(JSON.stringify(values));
      if (other) throw new Error(`The enums ${other} and ${name} have the same values: declare them once`);
      names.set(JSON.stringify(values), name);
    }
    const unused = new Set(names.values());
    rewriteAll(document, (node) => {
      if (!Array.isArray(node.enum) || node.enum.length < 2) return node;
      const name = names.get(JSON.stringify(node.enum.filter((value) => value !== null)));
      if (!name) throw new Error(`The enum ${JSON.stringify(node.enum)} needs a name: declare it with namedEnum(…)`);
      unused.delete(name);
      return reference(node, name);
    });
    if (unused.size) throw new Error(`No field has the enum ${[...unused].join(", ")}: remove its namedEnum(…)`);
    const { schemas } = document.components;
    // By name, because the order of declaration is that of the imports.
    for (const known of [...enums].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (known.name in schemas) throw new Error(`Two schemas are named ${known.name}`);
      schemas[known.name] = schemaOf(known);
    }
  };

/** What the field itself says, such as its description and default, stays with the field. */
function reference({ enum: values, type, ...rest }: Node, name: string): Node {
  const nullable = (values as unknown[]).includes(null) || (Array.isArray(type) && type.includes("null"));
  return nullable ? { ...rest, anyOf: [{ $ref: refTo(name) }, { type: "null" }] } : { ...rest, $ref: refTo(name) };
}

function schemaOf({ description, values, meanings = {} }: NamedEnum): Schema {
  const lines = Object.entries(meanings).map(([value, meaning]) => `- \`${value}\`: ${meaning}`);
  return {
    type: typeof values[0] === "number" ? "integer" : "string",
    enum: values,
    description: [description, lines.join("\n")].filter(Boolean).join("\n\n"),
  };
}
