import { stringify } from "uuid";

/** Which chat a public key names: `wc_` and, in base64url, the ids of tenant and channel (as `address` shows it). @returns undefined for what is none */
export function readPublicKey(key: string): { tenantId: string; channelId: string } | undefined {
  const bytes = Buffer.from(key.slice(3), "base64url");
  // Base64 has several spellings of the same bytes; only our own is taken.
  if (bytes.length !== 32 || `wc_${bytes.toString("base64url")}` !== key) return undefined;
  try {
    return { tenantId: stringify(bytes, 0), channelId: stringify(bytes, 16) };
  } catch {
    return undefined;
  }
}
