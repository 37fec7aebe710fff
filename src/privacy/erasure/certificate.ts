import { hash, type KeyObject, verify } from "node:crypto";
import type { Erased } from "../../contacts/erased.js";

/** What the certificate states: ids, counts and a time. It contains no personal data. */
export interface Statement {
  version: 1;
  erasureId: string;
  tenantId: string;
  contactIds: string[];
  erased: Erased;
  completedAt: string;
}
export interface Certificate extends Statement {
  /** SHA-256 of the statement's canonical JSON, in hexadecimal. */
  digest: string;
  /** Ed25519 over the digest's 32 bytes, in base64. */
  signature: string;
}

/** JSON without spaces and with sorted names in each object. For the values in a certificate, this is RFC 8785. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`)
    .join(",")}}`;
}

export const digestOf = (statement: object): Buffer => hash("sha256", canonical(statement), "buffer");

/** @param publicKey the tenant's `erasureKey` */
export function isValid(certificate: unknown, publicKey: KeyObject): boolean {
  if (typeof certificate !== "object" || certificate === null) return false;
  const { digest, signature, ...statement } = certificate as Partial<Certificate>;
  const found = digestOf(statement);
  return (
    digest === found.toString("hex") &&
    typeof signature === "string" &&
    verify(null, found, publicKey, Buffer.from(signature, "base64"))
  );
}
