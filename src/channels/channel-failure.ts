import { raiseAbout } from "../conversations/attention/raise.js";
import type { Tx } from "../platform/database/transaction.js";
import { ChannelEntity } from "../workspaces/channel.entity.js";
import type { ChannelError } from "./channel-kind.js";
import { SCHEDULE_CHECK } from "./channels.queries.js";

/** A channel that has failed for this long goes into status `error`, and a person is asked to look. */
export const ERROR_AFTER_MINUTES = 5;
const FIRST_CHECK_SECONDS = 30;

/**
 * Puts an active channel into status `error` and raises an attention item. The provisioning job then checks from time to
 * time whether it works again, unless the error says that only a person can help.
 */
export async function markChannelFailed(tx: Tx, channelId: string, { message, lasting }: ChannelError): Promise<void> {
  const [channel] = await tx.updateReturning(
    ChannelEntity,
    { id: channelId, status: "active" },
    {
      status: "error",
      attempts: 1,
      lastError: message,
      nextRetryAt: lasting ? null : () => `now() + interval '${FIRST_CHECK_SECONDS} seconds'`,
      updatedAt: () => "now()",
    },
    ["workspaceId", "name"],
  );
  if (!channel) return;
  tx.changesWorkspace(channel.workspaceId);
  if (!lasting) await tx.query(SCHEDULE_CHECK, { channelId, seconds: FIRST_CHECK_SECONDS });
  await raiseAbout(
    tx,
    { channelId },
    { type: "channel_error", severity: "high", reason: `${channel.name}: ${message}` },
  );
}
