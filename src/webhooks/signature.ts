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

const text = { type: "string" };
/** What each header of a delivery holds. `openapi.json` has it from here. */
export const SIGNATURE_HEADERS = {
  "webhook-id": {
    description: "The id of the event. It is signed with the time and the body: `id.time.body`, by HMAC-SHA-256.",
    schema: text,
  },
  "webhook-timestamp": { description: "When this attempt was signed, in seconds since 1970.", schema: text },
  "webhook-signature": {
    description: "`v1,` and base64, one for each valid secret, as Standard Webhooks has it.",
    schema: text,
  },
  "x-service-signature": {
    description: "`t=` the time, and `v1=` the same signatures as 64 hexadecimal digits.",
    schema: text,
  },
};

/** The headers that sign a body: ours, and those of Standard Webhooks. Each secret makes one signature. */
export function signatureHeaders(
  id: string,
  seconds: number,
  body: string,
  secrets: readonly string[],
): Record<keyof typeof SIGNATURE_HEADERS, string> {
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
