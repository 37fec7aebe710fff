import { type Document, type Node, refTo, rewriteAll, type Schema } from "./document.js";

/** The values of an enum as a text, each with what it means if the name does not say it. */
export interface NamedEnum {
  description: string;
  values: readonly (string | number)[] | Readonly<Record<string, string>>;
}

const valuesOf = ({ values }: NamedEnum): readonly (string | number)[] =>
  Array.isArray(values) ? (values as readonly (string | number)[]) : Object.keys(values);

/** Replaces each inline enum by a reference to the named enum that has the same values. */
export const nameEnums =
  (enums: Readonly<Record<string, NamedEnum>>) =>
  (document: Document): void => {
    const names = new Map(Object.entries(enums).map(([name, known]) => [JSON.stringify(valuesOf(known)), name]));
    const unused = new Set(names.values());
    rewriteAll(document, (node) => {
      if (!Array.isArray(node.enum) || node.enum.length < 2) return node;
      const name = names.get(JSON.stringify(node.enum.filter((value) => value !== null)));
      if (!name) throw new Error(`The enum ${JSON.stringify(node.enum)} needs a name: see openapi-enums.ts`);
      unused.delete(name);
      return reference(node, name);
    });
    if (unused.size) throw new Error(`No field has the enum ${[...unused].join(", ")}: see openapi-enums.ts`);
    for (const [name, known] of Object.entries(enums)) document.components.schemas[name] = schemaOf(known);
  };

/** What the field itself says, such as its description and default, stays with the field. */
function reference({ enum: values, type, ...rest }: Node, name: string): Node {
  const nullable = (values as unknown[]).includes(null) || (Array.isArray(type) && type.includes("null"));
  return nullable ? { ...rest, anyOf: [{ $ref: refTo(name) }, { type: "null" }] } : { ...rest, $ref: refTo(name) };
}

function schemaOf(known: NamedEnum): Schema {
  const values = valuesOf(known);
  const meanings = Array.isArray(known.values)
    ? []
    : Object.entries(known.values as Record<string, string>).map(([value, meaning]) => `- \`${value}\`: ${meaning}`);
  return {
    type: typeof values[0] === "number" ? "integer" : "string",
    enum: values,
    description: [known.description, meanings.join("\n")].filter(Boolean).join("\n\n"),
  };
}
