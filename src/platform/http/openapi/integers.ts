import { type Document, rewriteAll } from "./document.js";

/** The properties that are fractions. All other numbers are whole. */
const FRACTIONS: ReadonlySet<string> = new Set([
  "answerConfidence",
  "average",
  "clarifyConfidence",
  "confidence",
  "high",
  "likeness",
  "low",
  "margin",
  "minConfidence",
  "observed",
  "responseRate",
  "score",
  "share",
  "threshold",
]);

/** TypeScript does not tell whole numbers from others, so the compiler plugin declares every number as `number`. */
export function declareIntegers(document: Document): void {
  rewriteAll(document, (node) => {
    const properties = node.properties as Record<string, Record<string, unknown>> | undefined;
    if (properties)
      for (const [name, property] of Object.entries(properties)) if (!FRACTIONS.has(name)) declareInteger(property);
    if (typeof node.in === "string") declareInteger(node.schema as Record<string, unknown>);
    return node;
  });
}

function declareInteger(schema: Record<string, unknown>): void {
  if (schema.type === "number") schema.type = "integer";
  else if (Array.isArray(schema.type))
    schema.type = schema.type.map((type: unknown) => (type === "number" ? "integer" : type));
}
