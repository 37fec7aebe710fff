import { createPublicKey, type KeyObject } from "node:crypto";
import fs from "node:fs";
import { isValid } from "../privacy/erasure/certificate.js";
import { StartupError } from "../startup-error.js";

/** Accepts the certificate alone, or the whole answer of the erasure. */
export function verifyErasure([file, ...rest]: string[], key: string | undefined): boolean {
  if (!file || rest.length) throw new StartupError("Name one file with the certificate, or - for the standard input");
  if (!key) throw new StartupError("--key is missing: the PEM file of the tenant's erasureKey");
  const read = (name: string | 0): string => {
    try {
      return fs.readFileSync(name, "utf8");
    } catch (error) {
      throw new StartupError(
        `${name || "The standard input"} cannot be read: ${(error as NodeJS.ErrnoException).code}`,
      );
    }
  };
  const valid = isCertified(read(file === "-" ? 0 : file), publicKey(read(key)));
  console.log(valid ? "valid" : "invalid");
  return valid;
}

function publicKey(pem: string): KeyObject {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    /* said below */
  }
  throw new StartupError(
    "--key must name a PEM file with the public Ed25519 key that GET /api/tenant shows as erasureKey",
  );
}

function isCertified(text: string, key: KeyObject): boolean {
  let found: { certificate?: unknown } | null;
  try {
    found = JSON.parse(text) as typeof found;
  } catch {
    return false;
  }
  return isValid(found?.certificate ?? found, key);
}
