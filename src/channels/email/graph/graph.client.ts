import { Injectable } from "@nestjs/common";
import {
  type OutboundBytes,
  OutboundClient,
  OutboundError,
  type OutboundExchange,
} from "../../../platform/outbound/outbound.client.js";
import { TooSoon } from "../../../platform/outbox/outbox.service.js";
import { ChannelError, type OpenChannel } from "../../channel-kind.js";
import type { EmailSettings } from "../email.settings.js";
import { explain, LoginRefused } from "../mail-server-errors.js";
import { MailboxLogins } from "../sign-in/mailbox-logins.js";
import { graphOf } from "../sign-in/origins.js";

export const GRAPH = "Microsoft Graph";
const TIMEOUT_MS = 20_000;
/** Of an answer in JSON. A page of 50 mails takes a tenth. */
const MAX_JSON_BYTES = 1_048_576;
/** Where it takes nothing at the moment, and does not say for how long. */
const BUSY_SECONDS = 10;
const MAX_BUSY_SECONDS = 3_600;
/** Graph's error codes are safe to show. Its messages may name people. */
const ERROR_CODE = /^[A-Za-z][A-Za-z0-9.]{0,79}$/;

/** Requests to Microsoft Graph about the mailbox of a channel, with its token. */
@Injectable()
export class GraphClient {
  /** By channel, until when its mailbox takes no requests: those that come too soon count against it, too. */
  private readonly busyUntil = new Map<string, number>();

  constructor(
    private readonly outbound: OutboundClient,
    private readonly logins: MailboxLogins,
  ) {}

  /**
   * @param url from `urlOf`, or from an answer
   * @returns any answer except those that say that the token is refused, or that Graph is busy
   * @throws ChannelError, TooSoon
   */
  async ask(channel: OpenChannel, url: string, request: OutboundExchange = {}): Promise<OutboundBytes> {
    assertOwn(channel, url);
    this.assertNotBusy(channel);
    const answer = await this.logins.receive(channel, async (login) => {
      const got = await this.send(url, "accessToken" in login ? login.accessToken : "", request);
      if (got.status === 401) throw new LoginRefused(GRAPH, "", "its permissions");
      return got;
    });
    const { status, retryAfter } = answer;
    const isBusy = status === 429 || (status >= 500 && retryAfter !== undefined);
    // It may take a request and ask us to wait before the next one.
    if (isBusy || retryAfter !== undefined)
      this.busyUntil.set(channel.id, Date.now() + 1_000 * Math.min(retryAfter ?? BUSY_SECONDS, MAX_BUSY_SECONDS));
    if (isBusy) this.assertNotBusy(channel);
    return answer;
  }

  private async send(url: string, token: string, request: OutboundExchange): Promise<OutboundBytes> {
    try {
      return await this.outbound.exchangeBytes(url, {
        timeoutMs: TIMEOUT_MS,
        excerptBytes: MAX_JSON_BYTES,
        ...request,
        headers: { prefer: IMMUTABLE, ...request.headers, authorization: `Bearer ${token}` },
      });
    } catch (error) {
      throw error instanceof OutboundError ? explain(error, GRAPH) : error;
    }
  }

  private assertNotBusy({ id }: OpenChannel): void {
    const until = this.busyUntil.get(id);
    if (until === undefined) return;
    const seconds = Math.ceil((until - Date.now()) / 1_000);
    if (seconds > 0) throw new TooSoon(`${GRAPH} takes no more for this mailbox at the moment`, seconds);
    this.busyUntil.delete(id);
  }
}

/** The id of a mail stays the same when somebody moves the mail. */
export const IMMUTABLE = 'IdType="ImmutableId"';

const baseOf = ({ settings }: OpenChannel): string => `${graphOf((settings as EmailSettings).signIn!)}/v1.0/`;

/**
 * An address of the channel's mailbox. It names the mailbox instead of `me`: what a token says about its account is no proof, and
 * Microsoft decides which mailbox it opens.
 */
export const urlOf = (channel: OpenChannel, path: string): string =>
  `${baseOf(channel)}users/${encodeURIComponent(channel.address!)}/${path}`;

/** The token goes to no other server, whatever an answer says. @throws ChannelError */
export function assertOwn(channel: OpenChannel, url: string): void {
  if (!URL.canParse(url) || !new URL(url).href.startsWith(baseOf(channel)))
    throw new ChannelError(`${GRAPH} gave an answer that is not valid`);
}

export function jsonOf({ bytes }: Pick<OutboundBytes, "bytes">): Record<string, unknown> {
  try {
    const json = JSON.parse(bytes.toString()) as unknown;
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** What Graph calls the error of an answer; empty if it does not say. */
export function codeOf(answer: OutboundBytes): string {
  const { code } = (jsonOf(answer).error ?? {}) as { code?: unknown };
  return typeof code === "string" && ERROR_CODE.test(code) ? code : "";
}

export const namedIn = (answer: OutboundBytes): string => [answer.status, codeOf(answer)].filter(Boolean).join(", ");

/** The error for an answer that says no to whatever the channel does. */
export function refusalOf(channel: OpenChannel, answer: OutboundBytes): ChannelError {
  const { status } = answer;
  const named = namedIn(answer);
  if (status === 403)
    return new ChannelError(
      `${GRAPH} does not open the mailbox ${channel.address} to this sign-in: check its permissions (${named})`,
      true,
    );
  if (status === 404)
    return new ChannelError(
      `${GRAPH} knows no mailbox ${channel.address}: the address has to be the user name of its account (${named})`,
      true,
    );
  return new ChannelError(status >= 500 ? `${GRAPH} is in trouble itself: ${named}` : `${GRAPH} refused with ${named}`);
}
