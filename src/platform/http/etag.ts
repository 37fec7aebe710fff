import { hash } from "node:crypto";

/** The ETag of an answer, from what it says. */
export const etagOf = (answer: string | Buffer): string => `"${hash("sha256", answer, "base64url").slice(0, 27)}"`;

/** Whether an `If-None-Match` names this ETag. */
export const matches = (header: string | undefined, etag: string): boolean =>
  header?.trim() === "*" || names(header, etag);

/** Whether it names exactly this ETag. `*` does not count: it needs a look-up. */
export function names(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return header === etag || header.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}
