/** What `X-Error-Code` can say. A code never changes its meaning. `docs/errors.md` lists all of them. */
export const ERROR_CODES = [
  "answer-not-kept",
  "bad-request",
  "conflict",
  "contact-blocked",
  "contact-erased",
  "cursor-expired",
  "cursor-foreign",
  "forbidden",
  "gone",
  "headers-too-large",
  "idempotency-key-busy",
  "idempotency-key-reused",
  "internal-error",
  "keys-only",
  "members-only",
  "method-not-allowed",
  "no-room",
  "not-found",
  "origin-refused",
  "range-not-satisfiable",
  "reach-missing",
  "request-timeout",
  "role-missing",
  "scope-missing",
  "second-factor-missing",
  "sign-in-again",
  "too-large",
  "too-many-requests",
  "unauthorized",
  "unavailable",
  "unsupported-type",
  "webhooks-off",
  "workspace-archived",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not-found",
  405: "method-not-allowed",
  408: "request-timeout",
  409: "conflict",
  410: "gone",
  413: "too-large",
  415: "unsupported-type",
  416: "range-not-satisfiable",
  422: "idempotency-key-reused",
  429: "too-many-requests",
  431: "headers-too-large",
  503: "unavailable",
  507: "no-room",
};

/** What an error says to programs. `detail` is a few words of ours: it never repeats what a caller sent. */
export interface Coded {
  errorCode?: ErrorCode;
  detail?: string;
}

/** Gives an error a better code than that of its status. */
export const coded = <E extends Error>(error: E, errorCode: ErrorCode, detail?: string): E & Coded =>
  Object.assign(error, { errorCode, detail });

/** The headers of an error. Names are in lower case, as Fastify wants them. */
export function errorHeaders(status: number, { errorCode, detail }: Coded = {}): Record<string, string> {
  const code = errorCode ?? BY_STATUS[status] ?? (status < 500 ? "bad-request" : "internal-error");
  // A header holds one line of ASCII.
  return { "x-error-code": code, ...(detail && { "x-error-detail": detail.replace(/[^\x20-\x7e]/g, "?") }) };
}
export const ERROR_HEADERS = ["X-Error-Code", "X-Error-Detail"];
