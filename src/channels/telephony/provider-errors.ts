import { ChannelError } from "../channel-kind.js";
import { OutboundError } from "../../platform/outbound/outbound.client.js";
import { TooSoon, Undeliverable } from "../../platform/outbox/outbox.service.js";

/** Why a message was not delivered, by the provider's error code. */
const OF_MESSAGE: Record<number, string> = {
  21211: "the number is not a valid phone number",
  21214: "the number cannot be reached",
  21217: "the number is not a valid phone number",
  21265: "the number cannot get SMS",
  21408: "the account may not send to this country: allow it in the geographic permissions",
  21602: "the message is empty",
  21610: "the contact has opted out with STOP, and gets nothing until they write START",
  21612: "there is no way from our number to this one",
  21614: "the number is not a mobile number",
  21617: "the message is longer than 1,600 characters",
  21635: "the number is a landline",
  30003: "the phone is switched off or cannot be reached",
  30004: "the contact, or their network, blocks messages from us",
  30005: "the number does not exist, or is not in service",
  30006: "the number is a landline, or its network takes no SMS",
  30007: "the network took it for spam",
  30008: "the network did not say why",
  30023: "the network's limit for today is reached",
  30032: "our toll-free number has not been verified",
  30034: "our number is not registered for A2P 10DLC",
  30410: "the network did not answer in time",
  30453: "it was held back as a sign of fraud",
};
/** Why the channel cannot send at all. */
const OF_CHANNEL: Record<number, string> = {
  21212: "the channel's number cannot send SMS",
  21603: "the channel's number cannot send SMS",
  21606: "the channel's number cannot send SMS, or is another account's",
  21659: "the channel's number is not one of the account's",
  21660: "the channel's number is another account's",
  21703: "the messaging service has no number to send from",
  21701: "the messaging service does not exist",
  21609: "it cannot use our address: check publicUrl",
};
/** Too many requests, or the provider's queue is full. */
const BUSY = [14107, 20429, 21611, 30001, 63038];
const BUSY_SECONDS = 5;

/** For an operator. */
export const reasonOf = (code: number): string =>
  OF_MESSAGE[code] ?? OF_CHANNEL[code] ?? "the provider gives no reason";

export interface Refusal {
  status: number;
  code: number;
  retryAfter?: number;
}

/**
 * The error for a refused request: a `ChannelError`, or one that concerns the message alone.
 * @param who the name of the provider
 */
export function explain({ status, code, retryAfter }: Refusal, who: string): Error {
  if (status === 429 || BUSY.includes(code))
    return new TooSoon(`${who} takes no more at the moment`, retryAfter ?? BUSY_SECONDS);
  if (status === 401 || code === 20003)
    return new ChannelError(`${who} refused the account SID or the auth token`, true);
  if (code === 20005 || code === 10001) return new ChannelError(`The account at ${who} is not active`, true);
  if (OF_CHANNEL[code]) return new ChannelError(`${who} does not send: ${OF_CHANNEL[code]} (${code})`, true);
  if (status >= 500) return new ChannelError(`${who} is in trouble itself: ${status}`);
  if (OF_MESSAGE[code] || status === 400) return new Undeliverable(`Not sent: ${reasonOf(code)} (${code})`);
  return new ChannelError(`${who} refused with ${status}${code ? ` (${code})` : ""}`, status === 403 || status === 404);
}

/** The error for a request without a complete answer. */
export function unreached(error: unknown, who: string): Error {
  if (!(error instanceof OutboundError)) return error as Error;
  const { message } = error;
  return new ChannelError(
    message.startsWith("The host")
      ? `${who} is unknown, or not on the public internet`
      : message.includes("in time")
        ? `${who} did not answer in time`
        : message.startsWith("The URL")
          ? `apiUrl: ${message}`
          : `${who} cannot be reached`,
  );
}
