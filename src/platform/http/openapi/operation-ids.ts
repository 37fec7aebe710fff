import { type Document, operationsOf } from "./document.js";

/** Gives every operation the id that its decorators declare, and checks that no two have the same. */
export function nameOperations(document: Document): void {
  const seen = new Set<string>();
  for (const { operation } of operationsOf(document)) {
    const { "x-operation-id": id, "x-operation-group": group } = operation as { [key: string]: string | undefined };
    const verb = operation.operationId.split(".")[1];
    operation.operationId = id ?? (group ? `${group}.${verb}` : operation.operationId);
    delete operation["x-operation-id"];
    delete operation["x-operation-group"];
    if (seen.has(operation.operationId)) throw new Error(`Two operations are named ${operation.operationId}`);
    seen.add(operation.operationId);
  }
}
