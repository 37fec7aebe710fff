import { createHmac, timingSafeEqual } from "node:crypto";
import { Injectable, UnauthorizedException, UnsupportedMediaTypeException } from "@nestjs/common";
import type { Request } from "../../../platform/http/request.js";
import type { OpenChannel } from "../../channel-kind.js";
import { MAX_MAIL_BYTES } from "../fetched-mail.js";
import { multipartFields, UrlEncodedFields } from "./form-fields.js";
import type { Fields } from "./growing-bytes.js";
import type { MailgunCredentials } from "./inbound.settings.js";
import { type Brought, bytesOf, type MailProvider, Unusable } from "./mail-provider.js";

const WANTED = { "body-mime": MAX_MAIL_BYTES, timestamp: 20, token: 100, signature: 100, recipient: 2_000 };
/** Mailgun tries again for eight hours, and does not say whether it signs anew. */
const MAX_AGE_SECONDS = 12 * 3_600;
const SKEW_SECONDS = 300;

/** Mailgun posts a form with the mail in `body-mime`, because the address ends in `mime`. It signs a token and not the mail. */
@Injectable()
export class Mailgun implements MailProvider {
  readonly name = "Mailgun";
  /** A form may write each byte as three. */
  readonly maxBytes = 3 * MAX_MAIL_BYTES;

  missing(): string {
    return "in a route at Mailgun, set the action forward() with the channel's address";
  }

  /** The signature is in the body. */
  admit({ credentials }: OpenChannel): false {
    if (!(credentials as MailgunCredentials | null)?.signingKey) throw new UnauthorizedException();
    return false;
  }

  async read({ credentials }: OpenChannel, request: Request): Promise<Brought> {
    const fields = await fieldsOf(request, this.maxBytes);
    const { signingKey } = credentials as MailgunCredentials;
    const token = verifiedToken(signingKey, fields);
    const { "body-mime": source, recipient } = fields;
    if (!source?.length)
      throw new Unusable("Mailgun sent a mail without body-mime: the address in the route has to end in /mime");
    return { source, token, recipients: recipient ? [recipient.toString()] : [] };
  }
}

async function fieldsOf(request: Request, maxBytes: number): Promise<Fields> {
  if (request.isMultipart()) return multipartFields(request, WANTED);
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers["content-type"] ?? ""))
    throw new UnsupportedMediaTypeException("The body must be a form");
  const fields = new UrlEncodedFields(WANTED);
  for await (const chunk of bytesOf(request, maxBytes)) fields.push(chunk);
  return fields.end();
}

/** @throws UnauthorizedException: it is not signed, too old, or no token of Mailgun's */
function verifiedToken(signingKey: string, fields: Fields): string {
  const {
    timestamp = "",
    token = "",
    signature = "",
  } = Object.fromEntries(
    Object.entries(fields).map(([name, bytes]) => [name, name === "body-mime" ? "" : bytes!.toString("latin1")]),
  );
  const age = Date.now() / 1_000 - Number(timestamp);
  // Of ten digits: with another length, digits of the token could pass for some of the timestamp.
  const isTimely = /^\d{10}$/.test(timestamp) && age < MAX_AGE_SECONDS && age > -SKEW_SECONDS;
  const right = createHmac("sha256", signingKey)
    .update(timestamp + token)
    .digest();
  const given = Buffer.from(/^[\da-f]{64}$/i.test(signature) ? signature : "", "hex");
  if (!isTimely || !/^[!-~]+$/.test(token) || given.length !== right.length || !timingSafeEqual(given, right))
    throw new UnauthorizedException();
  return token;
}
