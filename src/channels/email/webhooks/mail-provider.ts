import { setImmediate } from "node:timers/promises";
import { BadRequestException, PayloadTooLargeException, ServiceUnavailableException } from "@nestjs/common";
import type { Request } from "../../../platform/http/request.js";
import type { OpenChannel } from "../../channel-kind.js";
import type { EmailSettings } from "../email.settings.js";
import type { InboundSettings } from "./inbound.settings.js";

/** What a webhook brings. */
export interface Brought {
  source: Buffer;
  /** Whom the envelope names. */
  recipients: readonly string[];
  /** What the provider signed in place of the mail: it goes with this mail and no other one. */
  token?: string;
}

/** A webhook may say where the mail is. */
export interface Elsewhere {
  recipients: readonly string[];
  /**
   * Fetches the mail, or its first bytes.
   * @param most `undefined` for all of it
   * @throws Unusable, UnusableNow
   */
  readonly fetch: (most?: number) => Promise<Buffer>;
}

/** What is particular to one provider of webhooks. */
export interface MailProvider {
  /** How people know it. */
  readonly name: string;
  /** What to set there, while nothing has come: a sentence. */
  missing(settings: InboundSettings): string;
  /** The most bytes that a webhook of a mail may have. */
  readonly maxBytes: number;
  /**
   * Before the body is read.
   * @returns whether the headers prove that the provider calls. Otherwise the body does, and anybody may have sent it
   * @throws UnauthorizedException
   */
  admit(channel: OpenChannel, request: Request): boolean;
  /**
   * Reads the body.
   * @returns undefined if it brings no mail, and all is well
   * @throws UnauthorizedException, Unusable, BadRequestException, PayloadTooLargeException, ServiceUnavailableException
   */
  read(channel: OpenChannel, request: Request): Promise<Brought | Elsewhere | undefined>;
}

/** The webhook is the provider's and brings no mail that we could take. The test of the channel says why. */
export class Unusable extends BadRequestException {}
/** The same, and it may work later. */
export class UnusableNow extends ServiceUnavailableException {}

export const inboundOf = ({ settings }: Pick<OpenChannel, "settings">): InboundSettings | null | undefined =>
  (settings as EmailSettings).inbound;

/** The bytes of a body. Others have their turn after each piece: a fast connection brings 2 MB at once. @throws BadRequestException: it broke off; PayloadTooLargeException */
export async function* bytesOf(request: Request, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    for await (const chunk of request.raw as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) break;
      yield chunk;
      await setImmediate();
    }
  } catch {
    throw new BadRequestException("The body broke off");
  }
  if (size > maxBytes) throw new PayloadTooLargeException(`The body may hold at most ${maxBytes} bytes`);
}
