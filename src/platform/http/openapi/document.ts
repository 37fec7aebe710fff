import type { OpenAPIObject } from "@nestjs/swagger";

/** Any object of the document. */
export type Node = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
  [key: string]: unknown;
}
export interface Response {
  description: string;
  content?: Record<string, { schema: Schema; [key: string]: unknown }>;
  headers?: Record<string, unknown>;
}
export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; [key: string]: unknown }> };
  responses: Record<string, Response>;
  [key: string]: unknown;
}
export type Schema = Node;

/** The parts of the document that its steps change. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; [key: string]: Node };
  [key: string]: unknown;
}

/** Changes one thing of the document. */
export type Step = (document: Document) => void;

/** Runs the steps in this order. */
export function finish(document: OpenAPIObject, steps: readonly Step[]): OpenAPIObject {
  for (const step of steps) step(document as unknown as Document);
  return document;
}

/** Every operation with its method and path. */
export const operationsOf = ({ paths }: Document): { method: string; path: string; operation: Operation }[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );

/** Calls `visit` with every object below `node`, the inner ones first. What it returns takes the object's place. */
export function rewrite(node: unknown, visit: (found: Node) => Node): unknown {
  if (Array.isArray(node)) return node.map((item) => rewrite(item, visit));
  if (typeof node !== "object" || node === null) return node;
  return visit(Object.fromEntries(Object.entries(node).map(([key, value]) => [key, rewrite(value, visit)])));
}

/** Rewrites all paths and schemas; see `rewrite`. */
export function rewriteAll(document: Document, visit: (found: Node) => Node): void {
  document.paths = rewrite(document.paths, visit) as Document["paths"];
  document.components.schemas = rewrite(document.components.schemas, visit) as Document["components"]["schemas"];
}

export const refTo = (name: string): string => `#/components/schemas/${name}`;
