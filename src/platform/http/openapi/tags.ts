import { type Document, operationsOf } from "./document.js";

export interface Tag {
  name: string;
  description: string;
  /** The groups of operations that have this tag. */
  groups: readonly string[];
}

/** Gives every operation the tag of its group, and the document the tags in their order. */
export const tagOperations =
  (tags: readonly Tag[]) =>
  (document: Document): void => {
    const tagOf = new Map(tags.flatMap(({ name, groups }) => groups.map((group) => [group, name])));
    const used = new Set<string>();
    for (const { operation } of operationsOf(document)) {
      const group = operation.operationId.split(".")[0]!;
      const tag = tagOf.get(group);
      if (!tag) throw new Error(`The group ${group} needs a tag: see openapi-tags.ts`);
      operation.tags = [tag];
      used.add(group);
    }
    const unused = [...tagOf.keys()].filter((group) => !used.has(group));
    if (unused.length) throw new Error(`No operation is in the group ${unused.join(", ")}: see openapi-tags.ts`);
    document.tags = tags.map(({ name, description }) => ({ name, description }));
  };
