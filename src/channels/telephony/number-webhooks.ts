import { ChannelError, type OpenChannel } from "../channel-kind.js";
import { type OwnNumber, type ProviderClient, providerOf } from "./provider.client.js";
import type { TelephonySettings } from "./telephony.settings.js";

/** Asks the provider to repeat failed webhooks. A repeated message is recognised. */
const RETRY_FRAGMENT = "#rc=5&rp=all";
/** What a new number points to. */
const UNUSED = /^https?:\/\/demo\.twilio\.com\//i;

/** The URL of our webhook for a channel; undefined if our public URL is not known. */
export function webhookOf({ id, settings }: OpenChannel, publicUrl: string | undefined): string | undefined {
  const base = (settings as TelephonySettings).publicUrl ?? publicUrl;
  return base && `${base}/api/webhooks/channels/${id}`;
}

const withoutFragment = (url: string): string => url.split("#", 1)[0]!;

export interface NumberWebhook {
  what: "SMS" | "calls";
  /** The URL that the number uses now. */
  now: string | null | undefined;
  /** The fields that set another URL. */
  set(url: string): Record<string, string>;
}

/**
 * Checks that the number uses our webhook.
 * @returns a sentence for an operator
 * @throws ChannelError: the number uses another URL
 */
export function assertOwnWebhook(
  { what, now }: NumberWebhook,
  channel: OpenChannel,
  webhook: string | undefined,
): string {
  if (!webhook)
    return `; ${what} that come in are not taken as long as the setting PUBLIC_URL, or publicUrl of the channel, is missing`;
  if (now && withoutFragment(now) === webhook) return `; ${what} that come in are sent to us`;
  throw new ChannelError(
    `${providerOf(channel.settings)} sends ${what} for ${channel.address} ${now && !UNUSED.test(now) ? `to ${URL.canParse(now) ? new URL(now).host : "another address"}` : "nowhere"}: set its webhook to ${webhook}`,
    true,
  );
}

/** Sets our webhook on the number, unless it uses another one already. */
export async function setWebhook(
  client: ProviderClient,
  channel: OpenChannel,
  number: OwnNumber,
  settings: NumberWebhook,
  webhook: string | undefined,
): Promise<void> {
  if (!webhook) return;
  if (settings.now && !UNUSED.test(settings.now)) assertOwnWebhook(settings, channel, webhook);
  else await client.setNumber(channel, number, settings.set(webhook + RETRY_FRAGMENT));
}
