import { createHash, timingSafeEqual } from "node:crypto";
import { Injectable, UnauthorizedException } from "@nestjs/common";
import type { Request } from "../../../platform/http/request.js";
import type { OpenChannel } from "../../channel-kind.js";
import { MAX_MAIL_BYTES } from "../fetched-mail.js";
import type { PostmarkCredentials } from "./inbound.settings.js";
import { JsonStrings } from "./json-strings.js";
import { type Brought, bytesOf, type MailProvider, Unusable } from "./mail-provider.js";

const MAX_ADDRESS_BYTES = 2_000;

/** Postmark posts JSON, and signs nothing: the address that it calls holds a password. */
@Injectable()
export class Postmark implements MailProvider {
  readonly name = "Postmark";
  /** The mail as text, its files in Base64 a second time, and the text once more. Postmark takes mails of up to 35 MB. */
  readonly maxBytes = 2.5 * MAX_MAIL_BYTES;

  missing(): string {
    return "in your inbound message stream at Postmark, enter the channel's address as the webhook, with the secret as its password, and turn on “Include raw email content in JSON payload”";
  }

  admit({ credentials }: OpenChannel, { headers }: Request): true {
    const { webhookSecret } = (credentials ?? {}) as Partial<PostmarkCredentials>;
    const given = passwordIn(headers.authorization);
    if (!webhookSecret || given === undefined || !timingSafeEqual(digest(given), digest(webhookSecret)))
      throw new UnauthorizedException();
    return true;
  }

  async read(_: OpenChannel, request: Request): Promise<Brought> {
    const strings = new JsonStrings({ RawEmail: MAX_MAIL_BYTES, OriginalRecipient: MAX_ADDRESS_BYTES });
    for await (const chunk of bytesOf(request, this.maxBytes)) strings.push(chunk);
    const { RawEmail: source, OriginalRecipient: recipient } = await strings.end();
    if (!source?.length)
      throw new Unusable(
        "Postmark sent a mail without RawEmail: turn on “Include raw email content in JSON payload” for the inbound stream",
      );
    return { source, recipients: recipient ? [recipient.toString()] : [] };
  }
}

/** The password of HTTP Basic authentication. */
function passwordIn(authorization = ""): string | undefined {
  const [, encoded] = /^basic ([A-Za-z\d+/=]{1,1000})$/i.exec(authorization) ?? [];
  const pair = encoded && Buffer.from(encoded, "base64").toString();
  return pair?.includes(":") ? pair.slice(pair.indexOf(":") + 1) : undefined;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
