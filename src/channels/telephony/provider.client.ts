import { Injectable } from "@nestjs/common";
import { ChannelError, type OpenChannel } from "../channel-kind.js";
import { OutboundClient, type OutboundFile } from "../../platform/outbound/outbound.client.js";
import { explain, unreached } from "./provider-errors.js";
import type { TelephonyCredentials, TelephonySettings } from "./telephony.settings.js";

/** A test makes two requests at once and takes less than 10 seconds. */
const TRY_MS = 8_000;
/** A repeat makes two requests, which together take less than an attempt of the outbox. */
const SEND_MS = 12_000;
/** Two tries take less than the 15 seconds that the provider waits for the answer to its webhook. */
const FILE_MS = 4_500;
const MAX_FILE_BYTES = 10 * 1_048_576;
/** How many messages to one person are listed. */
const MAX_MESSAGES = 50;

/** A phone number of the account. */
export interface OwnNumber {
  sid: string;
  sms_url?: string | null;
  voice_url?: string | null;
  status_callback?: string | null;
  capabilities?: { sms?: boolean; voice?: boolean };
}
export interface SentMessage {
  sid: string;
  status: string;
  body: string;
  date_created: string;
  direction: string;
}
type Form = Record<string, string | undefined>;

/** The name of the provider, for an operator. */
export function providerOf(settings: object): string {
  const { hostname } = new URL((settings as TelephonySettings).apiUrl!);
  return hostname === "api.twilio.com" ? "Twilio" : hostname;
}

/** The REST API of Twilio or a compatible provider. Throws ChannelError, Undeliverable or TooSoon. */
@Injectable()
export class ProviderClient {
  constructor(private readonly outbound: OutboundClient) {}

  /** @throws ChannelError unless the account can be used */
  async assertActive(channel: OpenChannel): Promise<void> {
    const { status } = await this.call<{ status?: string }>(channel, ".json", { timeoutMs: TRY_MS });
    if (status !== undefined && status !== "active")
      throw new ChannelError(`The account at ${providerOf(channel.settings)} is ${status}`, true);
  }

  /** The channel's phone number. @throws ChannelError: the account does not have it */
  async number(channel: OpenChannel): Promise<OwnNumber> {
    const { incoming_phone_numbers: [found] = [] } = await this.call<{ incoming_phone_numbers?: OwnNumber[] }>(
      channel,
      `/IncomingPhoneNumbers.json?${new URLSearchParams({ PhoneNumber: channel.address! }).toString()}`,
      { timeoutMs: TRY_MS },
    );
    if (!found)
      throw new ChannelError(`The account at ${providerOf(channel.settings)} has no number ${channel.address}`, true);
    return found;
  }

  async setNumber(channel: OpenChannel, { sid }: OwnNumber, form: Form): Promise<void> {
    await this.call(channel, `/IncomingPhoneNumbers/${encodeURIComponent(sid)}.json`, { form, timeoutMs: TRY_MS });
  }

  /** @returns the provider's id of the message */
  async send(channel: OpenChannel, form: Form): Promise<string> {
    return (await this.call<{ sid: string }>(channel, "/Messages.json", { form, timeoutMs: SEND_MS })).sid;
  }

  /** The newest messages that we sent to a number. */
  async sentTo(channel: OpenChannel, filter: { To: string; From?: string }): Promise<SentMessage[]> {
    const { messages = [] } = await this.call<{ messages?: SentMessage[] }>(
      channel,
      `/Messages.json?${new URLSearchParams({ ...filter, PageSize: String(MAX_MESSAGES) }).toString()}`,
      { timeoutMs: SEND_MS },
    );
    return messages.filter(({ direction }) => direction !== "inbound");
  }

  /** Downloads a picture or a recording, with a second try. @throws OutboundError */
  async file(channel: OpenChannel, url: string): Promise<OutboundFile> {
    // Send the token only to the provider's own server.
    const own =
      URL.canParse(url) && new URL(url).origin === new URL((channel.settings as TelephonySettings).apiUrl!).origin;
    const once = (): Promise<OutboundFile> =>
      this.outbound.download(url, {
        headers: own ? authorization(channel) : {},
        maxBytes: MAX_FILE_BYTES,
        timeoutMs: FILE_MS,
      });
    return once().catch(once);
  }

  private async call<T>(
    channel: OpenChannel,
    path: string,
    { form, timeoutMs }: { form?: Form; timeoutMs: number },
  ): Promise<T> {
    const who = providerOf(channel.settings);
    const { apiUrl } = channel.settings as TelephonySettings;
    const { accountSid } = channel.credentials as TelephonyCredentials;
    const content =
      form &&
      new URLSearchParams(
        Object.entries(form).filter((field): field is [string, string] => field[1] !== undefined),
      ).toString();
    const answer = await this.outbound
      .exchange(`${apiUrl}/2010-04-01/Accounts/${accountSid}${path}`, {
        method: content === undefined ? "GET" : "POST",
        content,
        timeoutMs,
        headers: {
          ...authorization(channel),
          ...(content !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
        },
      })
      .catch((error: unknown) => {
        throw unreached(error, who);
      });
    const { status, retryAfter } = answer;
    const body = parse(answer.text);
    if (status >= 200 && status < 300 && body) return body as T;
    if (status < 300) throw new ChannelError(`${who} answers with something else than it should: check apiUrl`);
    throw explain({ status, code: Number(body?.code ?? 0), retryAfter }, who);
  }
}

function authorization({ credentials }: OpenChannel): Record<string, string> {
  const { accountSid, authToken } = credentials as TelephonyCredentials;
  return { authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}` };
}

function parse(text: string): { code?: number } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
