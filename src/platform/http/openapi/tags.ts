import { type Document, operationsOf } from "./document.js";

interface About {
  /** Tags are shown by this number, the lowest first. */
  order: number;
  description: string;
}
const TAGS: { name: string; groups: readonly string[]; about?: About }[] = [];

/**
 * Puts groups of operations under a tag of the OpenAPI document. It stands at the controller of one of them.
 * @param groups what stands before the dot in the ids of their operations
 * @param about once for each tag
 */
export const Tag =
  (name: string, groups: readonly string[], about?: About): ClassDecorator =>
  () => {
    TAGS.push({ name, groups, ...(about && { about }) });
  };

/**
 * Gives every operation the tag of its group, and the document the tags in their order.
 * @throws Error: a group has no tag or two, a tag has no description or two, or no operation is in a group
 */
export function tagOperations(document: Document): void {
  const unused = new Map<string, string>();
  for (const { name, groups } of TAGS)
    for (const group of groups) {
      if (unused.has(group)) throw new Error(`The group ${group} has two tags`);
      unused.set(group, name);
    }
  const tagOf = new Map(unused);
  for (const { operation } of operationsOf(document)) {
    const group = operation.operationId.split(".")[0]!;
    const tag = tagOf.get(group);
    if (!tag) throw new Error(`The group ${group} needs a tag: name it in @Tag(…) at its controller`);
    operation.tags = [tag];
    unused.delete(group);
  }
  if (unused.size) throw new Error(`No operation is in the group ${[...unused.keys()].join(", ")}: see its @Tag(…)`);
  const described = TAGS.flatMap(({ name, about }) => (about ? [{ name, ...about }] : []));
  for (const { name } of TAGS)
    if (described.filter((tag) => tag.name === name).length !== 1)
      throw new Error(`The tag ${name} needs one @Tag(…) with an order and a description`);
  document.tags = described.sort((a, b) => a.order - b.order).map(({ name, description }) => ({ name, description }));
}
