/** What is known about a failed call. */
export interface Failure {
  status?: number;
  code?: string;
  detail?: string;
  requestId?: string;
  retryAfterMs?: number;
  cause?: unknown;
}

/** A call failed. `message` is one sentence, which the server wrote if there was an answer. */
export class ParleyError extends Error {
  /** The status of the answer, or undefined if there was none. */
  readonly status: number | undefined;
  /** The `X-Error-Code` of the answer, such as `scope-missing`: what went wrong, for programs. `docs/errors.md` lists the codes. */
  readonly code: string | undefined;
  /** The `X-Error-Detail` of the answer, such as `needs contacts:read`, where the server says more than `message` does. */
  readonly detail: string | undefined;
  /** The `X-Request-Id` of the answer. Include it when you ask about a failure. */
  readonly requestId: string | undefined;
  /** How long the server asks you to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** How often the call was sent. A DELETE that is not found on its second attempt may have happened on the first. */
  attempts = 1;

  constructor(message: string, { status, code, detail, requestId, retryAfterMs, cause }: Failure = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No answer arrived: the connection failed, or it broke off. */
export class ConnectionError extends ParleyError {}
/** The answer did not arrive in time. */
export class TimeoutError extends ConnectionError {}
/** 400, 413, 415 or 422: the request is malformed, too large, or its Idempotency-Key belongs to another body. */
export class InvalidError extends ParleyError {}
/** 401: the credential is missing, malformed, expired or revoked. */
export class UnauthenticatedError extends ParleyError {}
/** 403: the credential lacks the scope or role. */
export class ForbiddenError extends ParleyError {}
/** 404: absent, or not yours. The two are not told apart. */
export class NotFoundError extends ParleyError {}
/** 409: the current state does not allow it, or it exists already. */
export class ConflictError extends ParleyError {}
/**
 * 410: the feed no longer has what follows your cursor. Read the resources that you mirror again. Then follow without `after`, and
 * store what comes: what you have already is sent again, which does no harm.
 */
export class CursorExpiredError extends ParleyError {}
/** 429: too many requests. `retryAfterMs` says how long to wait. */
export class RateLimitedError extends ParleyError {}

const BY_STATUS: Record<number, typeof ParleyError> = {
  400: InvalidError,
  401: UnauthenticatedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  410: CursorExpiredError,
  413: InvalidError,
  415: InvalidError,
  422: InvalidError,
  429: RateLimitedError,
};

/** The error for an answer that is none of success. */
export async function errorOf(response: Response): Promise<ParleyError> {
  const { status, headers } = response;
  const text = await response.text();
  const failure = {
    status,
    code: headers.get("x-error-code") ?? undefined,
    detail: headers.get("x-error-detail") ?? undefined,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterMs: retryAfter(headers.get("retry-after")),
  };
  // Browsers hide where a redirect leads, and its status.
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400))
    return new ParleyError("The server redirects to another address: baseUrl must be the final one", failure);
  return new (BY_STATUS[status] ?? ParleyError)(
    sentence(text) ?? `The server answered ${status} ${response.statusText}`.trim(),
    failure,
  );
}

/** Whether the same call may succeed later. */
export const isTemporary = (error: unknown): error is ParleyError =>
  error instanceof ConnectionError ||
  (error instanceof ParleyError && [429, 500, 502, 503, 504].includes(error.status!));

function sentence(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === "string" ? error : undefined;
  } catch {
    return undefined;
  }
}

/** `Retry-After` is a number of seconds or a date. */
function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
