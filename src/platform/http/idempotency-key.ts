import { BadRequestException } from "@nestjs/common";
import { requestOf } from "../caller/request-context.js";
import type { Request } from "./request.js";

const MAX_KEY_LENGTH = 255;

/**
 * The `Idempotency-Key` of an authenticated POST, if it has one.
 * @throws BadRequestException: not 1 to 255 visible ASCII characters
 */
export function idempotencyKey({ method, headers, caller, url }: Request): string | undefined {
  const key = headers["idempotency-key"];
  if (method !== "POST" || key === undefined || !caller || url.startsWith("/api/auth/")) return undefined;
  if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key) || key.length > MAX_KEY_LENGTH) {
    throw new BadRequestException(`Idempotency-Key must be 1 to ${MAX_KEY_LENGTH} visible ASCII characters`);
  }
  return key;
}

/** Records the key for the transaction that does the request's work. */
export function noteIdempotencyKey(
  { method, url, caller }: Request,
  key: string | undefined,
  bodyHash: () => Buffer,
): void {
  const context = key !== undefined && caller && requestOf(caller);
  if (!context) return;
  context.idempotency = { key, method, path: url.split("?", 1)[0]!, bodyHash: bodyHash(), claimed: false };
}
