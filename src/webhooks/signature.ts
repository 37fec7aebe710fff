import { createHmac, randomBytes } from "node:crypto";

/** The secrets of an endpoint, as they are encrypted. */
export interface EndpointSecrets {
  current: string;
  /** Signs too until the overlap of the rotation is over. */
  previous: string | null;
}

const PREFIX = "whsec_";

/** `whsec_` and the key in base64, as Standard Webhooks has it. */
export const newSecret = (): string => PREFIX + randomBytes(32).toString("base64");

/** The headers that sign a body: ours, and those of Standard Webhooks. Each secret makes one signature. */
export function signatureHeaders(
  id: string,
  seconds: number,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const macs = secrets.map((secret) =>
    createHmac("sha256", Buffer.from(secret.slice(PREFIX.length), "base64"))
      .update(`${id}.${seconds}.${body}`)
      .digest(),
  );
  return {
    "x-service-signature": [`t=${seconds}`, ...macs.map((mac) => `v1=${mac.toString("hex")}`)].join(","),
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": macs.map((mac) => `v1,${mac.toString("base64")}`).join(" "),
  };
}
