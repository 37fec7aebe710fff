import { type Document, refTo, rewriteAll, type Schema } from "./document.js";

/** Names the schemas that are one of several: see `AnswersEither`. */
export function nameUnions(document: Document): void {
  const unions: Record<string, Schema> = {};
  rewriteAll(document, ({ "x-union": name, ...schema }) => {
    if (typeof name !== "string") return schema;
    if (name in document.components.schemas) throw new Error(`${name} is already the name of another schema`);
    unions[name] = schema;
    return { $ref: refTo(name) };
  });
  Object.assign(document.components.schemas, unions);
}
