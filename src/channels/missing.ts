import type { Environment } from "../platform/caller/caller.js";
import type { ChannelEntity } from "../workspaces/channel.entity.js";
import type { ChannelKind } from "./channel-kind.js";

const WITHOUT_CREDENTIALS = "The channel has no credentials yet";

/** What a person has to do before the channel can be set up; undefined if nothing. */
export function missingOf(
  kind: ChannelKind,
  { settings, signIn, hasCredentials }: Pick<ChannelEntity, "settings" | "signIn"> & { hasCredentials: boolean },
  environment: Environment,
): string | undefined {
  if (kind.credentials && !hasCredentials && !kind.credentialsOptional?.(settings)) return WITHOUT_CREDENTIALS;
  // The test side calls no other server, so nobody can sign in there.
  return environment === "test" ? undefined : kind.waitsFor?.({ settings, signIn });
}
