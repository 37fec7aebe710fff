/** The secrets that somebody stored since this page was loaded: the server never shows them again. */
const stored = new Map<string, string>();

/** A secret that no one guesses, in letters that an address may have. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Keeps the secret of a channel for the address that somebody is about to copy. */
export function keepSecret(channelId: string, { webhookSecret }: Readonly<Record<string, string>>): void {
  if (webhookSecret) stored.set(channelId, webhookSecret);
}

/** The address that Postmark calls. Without the secret, somebody has to put it in. */
export function addressWithSecret(channelId: string, path: string): { address: string; isWhole: boolean } {
  const secret = stored.get(channelId);
  return {
    address: `${location.protocol}//parley:${secret ?? "…"}@${location.host}${path}`,
    isWhole: secret !== undefined,
  };
}
