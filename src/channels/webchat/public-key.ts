import { parse, stringify } from "uuid";

/** The public key of a chat: `wc_` and, in base64url, the ids of tenant and channel, so that it is found without a list. */
export const publicKeyOf = (tenantId: string, channelId: string): string =>
  `wc_${Buffer.concat([parse(tenantId), parse(channelId)]).toString("base64url")}`;

/**
 * The chat that a public key names: `wc_` and, in base64url, the ids of tenant and channel. A channel shows it as `address`.
 * @returns undefined if it is not a public key
 */
export function readPublicKey(key: string): { tenantId: string; channelId: string } | undefined {
  const bytes = Buffer.from(key.slice(3), "base64url");
  // Base64 can write the same bytes in several ways; accept only our own.
  if (bytes.length !== 32 || `wc_${bytes.toString("base64url")}` !== key) return undefined;
  try {
    return { tenantId: stringify(bytes, 0), channelId: stringify(bytes, 16) };
  } catch {
    return undefined;
  }
}
