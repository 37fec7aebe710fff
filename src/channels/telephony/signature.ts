import { parse } from "node:querystring";
import { UnauthorizedException } from "@nestjs/common";
// This file alone: all of the library takes 0.2 s and 22 MB.
import webhooks from "twilio/lib/webhooks/webhooks.js";
import type { OpenChannel, Webhook } from "../channel-kind.js";
import type { TelephonyCredentials, TelephonySettings } from "./telephony.settings.js";

/** The fields of a webhook, by the provider's names. */
export type Params = Readonly<Record<string, string | undefined>>;

/** PostgreSQL cannot store NUL or half a surrogate pair, so they are removed. */
const clean = (value: unknown): string | undefined =>
  typeof value === "string" ? value.replaceAll("\0", "").toWellFormed() : undefined;

/** Far more than the provider sends. */
const MAX_FIELDS = 200;

/**
 * Whether the webhook, with all of its body, was signed with the account's token. The provider's own library checks it.
 * @param url exactly as the provider called it
 */
export function isSigned(
  authToken: string,
  { url, signature, type = "", body }: { url: string; signature: string; type?: string; body: Buffer },
): boolean {
  try {
    // A body other than a form is signed by its hash, which is part of the URL.
    if (url.includes("bodySHA256")) return webhooks.validateRequestWithBody(authToken, signature, url, body.toString());
    const fields = isForm(type) ? fieldsOf(body) : {};
    // Without a hash, the signature covers the fields of a form and nothing else.
    if (!fields || (body.length && !isForm(type))) return false;
    return webhooks.validateRequest(authToken, signature, url, fields);
  } catch {
    // The URL is not valid.
    return false;
  }
}

const isForm = (type: string): boolean => /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type);

/**
 * Undefined if a field comes twice, because the signature does not cover how often a value comes and in which order,
 * or if there are too many, because the parser leaves the rest out.
 */
function fieldsOf(body: Buffer): Record<string, string> | undefined {
  const fields = parse(body.toString(), "&", "=", { maxKeys: MAX_FIELDS + 1 });
  const values = Object.entries(fields);
  if (values.length > MAX_FIELDS || values.some(([, value]) => typeof value !== "string")) return undefined;
  return fields as Record<string, string>;
}

/** The URL at which the provider reaches us, without the path. */
export const baseOf = (channel: OpenChannel, webhook: Webhook): string =>
  (channel.settings as TelephonySettings).publicUrl ?? webhook.base;

/** @throws UnauthorizedException */
export function verified(channel: OpenChannel, webhook: Webhook): Params {
  const { headers, body, path } = webhook;
  const { "x-twilio-signature": signature, "content-type": type } = headers;
  const token = (channel.credentials as TelephonyCredentials | null)?.authToken;
  if (
    token === undefined ||
    typeof signature !== "string" ||
    !isSigned(token, { url: baseOf(channel, webhook) + path, signature, type, body })
  )
    throw new UnauthorizedException();
  const params = isForm(type ?? "") ? fieldsOf(body) : (JSON.parse(body.toString() || "{}") as object);
  return Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, clean(value)]));
}
