import { type Document, operationsOf } from "./document.js";

/** The first sentence of a method's comment is the summary of its operation. The others are the description. */
export function splitProse(document: Document): void {
  for (const { operation } of operationsOf(document)) {
    const text = (operation.summary ?? "").replace(/\s+/g, " ").trim();
    const stop = text.search(/\.(?: |$)/);
    operation.summary = stop < 0 ? text : text.slice(0, stop);
    operation.description = stop < 0 ? "" : text.slice(stop + 2);
  }
}
