import { createECDH, hkdfSync } from "node:crypto";
import type { Config } from "../platform/config/config.js";

/** The order of P-256, less one. */
const HIGHEST = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550n;

export interface VapidDetails {
  subject: string;
  publicKey: string;
  privateKey: string;
}

/**
 * By which push services recognise this installation. The key comes from the oldest SECRET_KEY, as browsers subscribe with it: once
 * that is taken out of SECRET_KEYS_OLD, each browser subscribes again when its dashboard is opened.
 */
export function vapidOf({ secretKeys, publicUrl, MAIL_FROM }: Config): VapidDetails {
  // 16 bytes more than the key, so that no number is likelier than another.
  const bytes = Buffer.from(hkdfSync("sha256", secretKeys.at(-1)!, "", "parley push", 48));
  const number = (BigInt(`0x${bytes.toString("hex")}`) % HIGHEST) + 1n;
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(Buffer.from(number.toString(16).padStart(64, "0"), "hex"));
  return {
    // Whom a push service writes to if we send too much.
    subject: publicUrl.startsWith("https:") ? publicUrl : `mailto:${MAIL_FROM.split("<").at(-1)!.replace(">", "")}`,
    publicKey: ecdh.getPublicKey().toString("base64url"),
    privateKey: ecdh.getPrivateKey().toString("base64url").padStart(43, "A"),
  };
}
