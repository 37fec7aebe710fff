import { ConnectionError, ParleyError, RateLimitedError, TimeoutError } from "@parley/sdk/core";
import { isRefused, SignInError } from "../session/session.js";

/** Whether the same request can succeed later. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  error instanceof RateLimitedError ||
  (error instanceof SignInError && !isRefused(error)) ||
  (error instanceof ParleyError && (error.status ?? 0) >= 500);
