import { ChannelError, type OpenChannel } from "../channel-kind.js";
import { type OwnNumber, type ProviderClient, providerOf } from "./provider.client.js";
import type { TelephonySettings } from "./telephony.settings.js";

/** Where something comes in, retried by the provider whatever goes wrong on the way: for us a repeat is the same message. */
const PERSISTENTLY = "#rc=5&rp=all";
/** What a number that nobody has set up points to. */
const NOBODYS = /^https?:\/\/demo\.twilio\.com\//i;

/** The address of our webhook for a channel; undefined where we do not know how we are reached. */
export function webhookOf({ id, settings }: OpenChannel, publicUrl: string | undefined): string | undefined {
  const base = (settings as TelephonySettings).publicUrl ?? publicUrl;
  return base && `${base}/api/webhooks/channels/${id}`;
}

const withoutFragment = (url: string): string => url.split("#", 1)[0]!;

export interface Wiring {
  what: "SMS" | "calls";
  /** Where the number sends what comes in, as it is set now. */
  now: string | null | undefined;
  /** How it is set. */
  set(url: string): Record<string, string>;
}

/** Whether what comes in comes to us. @returns a sentence for an operator; @throws ChannelError: it goes elsewhere */
export function assertOurs({ what, now }: Wiring, channel: OpenChannel, webhook: string | undefined): string {
  if (!webhook)
    return `; ${what} that come in are not taken as long as the setting PUBLIC_URL, or publicUrl of the channel, is missing`;
  if (now && withoutFragment(now) === webhook) return `; ${what} that come in are sent to us`;
  throw new ChannelError(
    `${providerOf(channel.settings)} sends ${what} for ${channel.address} ${now && !NOBODYS.test(now) ? `to ${URL.canParse(now) ? new URL(now).host : "another address"}` : "nowhere"}: set its webhook to ${webhook}`,
    true,
  );
}

/** Points the number at us, unless somebody has pointed it elsewhere. */
export async function wire(
  client: ProviderClient,
  channel: OpenChannel,
  number: OwnNumber,
  wiring: Wiring,
  webhook: string | undefined,
): Promise<void> {
  if (!webhook) return;
  if (wiring.now && !NOBODYS.test(wiring.now)) assertOurs(wiring, channel, webhook);
  else await client.setNumber(channel, number, wiring.set(webhook + PERSISTENTLY));
}
