import { hash } from "node:crypto";

/** The ETag of an answer, from its text. */
export const etagOf = (text: string): string => `"${hash("sha256", text, "base64url").slice(0, 27)}"`;

/** Whether an `If-None-Match` names this ETag. */
export const matches = (header: string | undefined, etag: string): boolean =>
  header?.trim() === "*" || names(header, etag);

/** Whether it names exactly this ETag. `*` does not count: it needs a look-up. */
export function names(header: string | undefined, etag: string): boolean {
  if (!header) return false;
  return header === etag || header.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}
