import { type Document, operationsOf, type Response } from "./document.js";

const HEADERS = {
  "X-Request-Id": {
    description: "The id of this request. Name it when you ask for support.",
    schema: { type: "string" },
  },
  "X-Error-Code": {
    description: "What went wrong, for programs: `docs/errors.md` lists the codes. New ones may come.",
    schema: { type: "string" },
    example: "scope-missing",
  },
  "X-Error-Detail": {
    description: "A few words more, where they help.",
    schema: { type: "string" },
    example: "needs contacts:read",
  },
  "RateLimit-Limit": { description: "How many requests you may send in a minute.", schema: { type: "integer" } },
  "RateLimit-Remaining": {
    description: "How many requests you have left in this minute.",
    schema: { type: "integer" },
  },
  "RateLimit-Reset": { description: "In how many seconds the next minute begins.", schema: { type: "integer" } },
  "Retry-After": { description: "How many seconds to wait before you try again.", schema: { type: "integer" } },
  ETag: {
    description: "The version of this answer. Give it as `If-None-Match` to read the answer only if it has changed.",
    schema: { type: "string" },
  },
  "Idempotency-Replayed": {
    description: "`true` if this is the stored answer to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"] },
  },
  "Set-Cookie": { description: "An HttpOnly cookie for the browser.", schema: { type: "string" } },
};
type Name = keyof typeof HEADERS;

/**
 * Describes the headers of answers. Runs after the failures were moved to `components.responses`. Every answer has
 * `X-Request-Id`, and all but those of probes have `RateLimit-*`: the document's introduction says so, and failures list them,
 * because the references beside each answer would cost 60 kB.
 */
export function addHeaders(document: Document): void {
  document.components.headers = HEADERS;
  for (const { operation } of operationsOf(document)) {
    const takes = (name: string): boolean => !!operation.parameters?.some((parameter) => parameter.name === name);
    for (const [status, response] of Object.entries(operation.responses)) {
      if ("$ref" in response) continue;
      if ("304" in operation.responses && ["200", "304"].includes(status)) add(response, "ETag");
      if (takes("Idempotency-Key")) add(response, "Idempotency-Replayed");
      if (operation["x-sets-cookie"] && Number(status) < 400) add(response, "Set-Cookie");
    }
    delete operation["x-sets-cookie"];
  }
  const failures = document.components.responses as Record<string, Response>;
  for (const [name, response] of Object.entries(failures)) {
    add(response, "X-Request-Id", "X-Error-Code");
    if (name === "Failure") add(response, "X-Error-Detail");
    if (/Failure|TooManyRequests|ServiceUnavailable/.test(name)) add(response, "Retry-After");
    if (/Failure|TooManyRequests$/.test(name))
      add(response, "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset");
  }
  const unchanged: Response = { description: "Unchanged since the `ETag` given as `If-None-Match`" };
  add(unchanged, "ETag");
  document.components.responses = { ...failures, NotModified: unchanged };
}

function add(response: Response, ...names: Name[]): void {
  response.headers ??= {};
  for (const name of names) response.headers[name] = { $ref: `#/components/headers/${name}` };
}
