import {
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  ParleyError,
  RateLimitedError,
  TimeoutError,
} from "@parley/sdk/core";
import i18n from "../i18n/i18n.js";
import { isRefused, SignInError } from "../session/session.js";

/** What a person is told about a failed request. */
export interface Failure {
  /** One sentence, in the member's language where we know better than the server. */
  sentence: string;
  /** For the support: finds the request in the server's log. */
  requestId?: string;
  kind: "offline" | "forbidden" | "missing" | "refused" | "broken";
}

export function failureOf(error: unknown): Failure {
  const requestId = error instanceof ParleyError ? error.requestId : undefined;
  if (error instanceof ConnectionError || error instanceof TimeoutError || error instanceof SignInError)
    return { kind: "offline", sentence: i18n.t("failure.offline") };
  if (error instanceof ForbiddenError) return { kind: "forbidden", sentence: i18n.t("failure.forbidden"), requestId };
  if (error instanceof NotFoundError) return { kind: "missing", sentence: i18n.t("failure.missing"), requestId };
  // The server's sentences name the field and say why.
  if (error instanceof ParleyError && error.status !== undefined && error.status < 500)
    return { kind: "refused", sentence: error.message, requestId };
  return { kind: "broken", sentence: i18n.t("failure.broken"), requestId };
}

/** Whether the same request can succeed later. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  error instanceof RateLimitedError ||
  (error instanceof SignInError && !isRefused(error)) ||
  (error instanceof ParleyError && (error.status ?? 0) >= 500);
