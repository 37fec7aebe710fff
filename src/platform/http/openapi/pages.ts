import { type Document, type Node, refTo, rewrite, rewriteAll, type Schema } from "./document.js";

/**
 * Names the pages of lists after their items: `ConversationPage`. A page has the mark `x-page`, from which a generator
 * knows that the operation takes `cursor` and that `nextCursor` continues the list.
 */
export function namePages(document: Document): void {
  const pages: Record<string, Schema> = {};
  rewriteAll(document, (node) => {
    if (!node["x-page"]) return node;
    const name = `${itemOf(node)}Page`;
    if (name in document.components.schemas) throw new Error(`${name} is already the name of another schema`);
    pages[name] = node;
    return { $ref: refTo(name) };
  });
  Object.assign(document.components.schemas, pages);
}

function itemOf(page: Node): string {
  let item = "";
  rewrite((page.properties as Node).data, (node) => {
    if (typeof node.$ref === "string") item = node.$ref.split("/").at(-1)!;
    return node;
  });
  return item;
}
