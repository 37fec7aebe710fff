import { BadRequestException } from "@nestjs/common";
import type { Retry } from "../caller/caller.js";
import type { Request } from "./request.js";

const MAX_KEY_LENGTH = 255;

/** The `Idempotency-Key`, where the request may be repeated by one. */
export function retryKey({ method, headers, caller, url }: Request): string | undefined {
  const key = headers["idempotency-key"];
  if (method !== "POST" || key === undefined || !caller || url.startsWith("/api/auth/")) return undefined;
  if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key) || key.length > MAX_KEY_LENGTH) {
    throw new BadRequestException(`Idempotency-Key must be 1 to ${MAX_KEY_LENGTH} visible ASCII characters`);
  }
  return key;
}

export const retryOf = ({ method, url }: Request, key: string, bodyHash: Buffer): Retry => ({
  key,
  method,
  path: url.split("?", 1)[0]!,
  bodyHash,
  used: false,
});
