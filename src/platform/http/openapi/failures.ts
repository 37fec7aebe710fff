import { type Document, type Operation, operationsOf, refTo, type Response, type Schema } from "./document.js";

interface Failure {
  name: string;
  description: string;
}

/** The failures that operations share, by status. */
export const FAILURES: Readonly<Record<string, Failure>> = {
  400: { name: "BadRequest", description: "The request is malformed. The sentence names the field and says why." },
  401: { name: "Unauthorized", description: "The credential is missing, malformed, expired or revoked." },
  403: { name: "Forbidden", description: "The credential lacks the scope or role that this operation needs." },
  404: {
    name: "NotFound",
    description: "Absent, of another tenant, or outside your reach: the three are not told apart.",
  },
  409: { name: "Conflict", description: "The present state does not allow it, or it exists already." },
  410: { name: "Gone", description: "What the request refers to is no longer kept." },
  413: { name: "PayloadTooLarge", description: "The body is too large." },
  415: { name: "UnsupportedMediaType", description: "The body is not of a type that this operation takes." },
  416: { name: "RangeNotSatisfiable", description: "The file does not have this range." },
  422: {
    name: "IdempotencyKeyReused",
    description: "The `Idempotency-Key` was used before with another body.",
  },
  429: { name: "TooManyRequests", description: "Too many requests. Wait for as long as `Retry-After` says." },
  503: { name: "ServiceUnavailable", description: "A dependency is down. Try again after `Retry-After`." },
  507: { name: "InsufficientStorage", description: "The server has no room for files at the moment." },
};

/** The failures that nearly every operation can give. `default` stands for them: a reference to each of them costs 60 kB. */
const EVERYWHERE = ["401", "403", "413", "415", "429", "503"];
const ANY_OTHER = "Failure";
const anyOther = (): string =>
  [
    "One of these, with the same body:",
    "",
    ...EVERYWHERE.map((status) => `- ${status}: ${FAILURES[status]!.description}`),
  ].join("\n");

/** Adds the failures that follow from what an operation takes and who may call it. Others are declared with `Fails`. */
export function addFailures(document: Document): void {
  for (const { method, path, operation } of operationsOf(document)) {
    for (const status of failuresOf(document, operation, method, path))
      operation.responses[status] ??= failure(FAILURES[status]!.description);
  }
}

function failuresOf(document: Document, operation: Operation, method: string, path: string): Set<number> {
  const { "x-access": access, "x-any-read-scope": anyReadScope, parameters = [], requestBody } = operation;
  const open = access === "public";
  const failures = new Set<number>();
  if (path !== "/healthz") failures.add(503);
  if (!path.endsWith("z")) failures.add(429);
  if (!open) failures.add(401);
  if (!open && (access !== "any" || anyReadScope)) failures.add(403);
  // The server reads the body of these methods even if the operation takes none.
  const reads = ["post", "put", "patch"].includes(method);
  if (reads) failures.add(413).add(415);
  if (!open || reads || parameters.length) failures.add(400);
  const inputs = [...parameters.map(({ schema }) => schema), ...Object.values(requestBody?.content ?? {})];
  // An unknown channel answers like a wrong signature.
  const hides = path.startsWith("/api/webhooks/");
  if (!hides && (path.includes("{") || holdsId(document, inputs))) failures.add(404);
  if (!open && ["post", "patch"].includes(method)) failures.add(409);
  if (takesIdempotencyKey(operation, method, path)) failures.add(422);
  return failures;
}

/** Every authenticated POST, except signing in and out. */
export const takesIdempotencyKey = (operation: Operation, method: string, path: string): boolean =>
  method === "post" && operation["x-access"] !== "public" && !path.startsWith("/api/auth/");

/** Whether an input names another resource, which can be absent. */
function holdsId(document: Document, input: unknown, seen = new Set<string>()): boolean {
  if (typeof input !== "object" || input === null) return false;
  const { format, $ref } = input as Schema;
  if (format === "uuid") return true;
  if (typeof $ref === "string") {
    if (seen.has($ref)) return false;
    seen.add($ref);
    return holdsId(document, document.components.schemas[$ref.split("/").at(-1)!], seen);
  }
  return Object.values(input).some((value) => holdsId(document, value, seen));
}

const failure = (description: string): Response => ({
  description,
  content: { "application/json": { schema: { $ref: refTo("ErrorResponse") } } },
});

/**
 * Moves every failure to `components.responses`. Those that only some operations have are named after their group. Those that
 * nearly all have become `default`.
 */
export function shareFailures(document: Document): void {
  const shared: Record<string, Response> = { [ANY_OTHER]: failure(anyOther()) };
  const nameOf = new Map<string, string>();
  for (const { operation } of operationsOf(document)) {
    for (const [status, given] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue;
      const response = isError(given) ? failure(given.description) : given;
      if (EVERYWHERE.includes(status) && response.description === FAILURES[status]!.description) {
        delete operation.responses[status];
        operation.responses.default = reference(ANY_OTHER);
        continue;
      }
      const text = `${status} ${JSON.stringify(response)}`;
      let name = nameOf.get(text);
      if (!name) {
        const { name: common, description } = FAILURES[status]!;
        name =
          description === response.description ? common : `${capital(operation.operationId.split(".")[0]!)}${common}`;
        if (name in shared) throw new Error(`Two failures are named ${name}`);
        nameOf.set(text, name);
        shared[name] = response;
      }
      operation.responses[status] = reference(name);
    }
  }
  document.components.responses = Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const reference = (name: string): Response => ({ $ref: `#/components/responses/${name}` }) as unknown as Response;

/** A failure is JSON, also where a success is XML, or where the operation declares none. */
const isError = ({ content = {} }: Response): boolean =>
  Object.values(content).every(({ schema }) => schema.$ref === refTo("ErrorResponse"));

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
