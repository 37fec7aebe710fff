import { raiseAbout } from "../conversations/attention/raise.js";
import type { Tx } from "../platform/database/transaction.js";
import type { ChannelError } from "./channel-kind.js";

/** A channel through which nothing could leave, or come in, for so long is broken: a person should look. */
export const BROKEN_AFTER_MINUTES = 5;
/** And it is tried for the first time again after this. */
const FIRST_LOOK_SECONDS = 30;

/** An active channel is in error from now on; its job finds out when it works again, unless that takes a person. */
export async function broken(tx: Tx, channelId: string, { message, lasting }: ChannelError): Promise<void> {
  const [channel] = await tx.query<{ workspaceId: string; name: string }>(
    `update channel set status = 'error', attempts = 1, last_error = :message,
      next_retry_at = case when not :lasting then now() + make_interval(secs => :seconds) end, updated_at = now()
    where tenant_id = :tenant and id = :channelId and status = 'active' returning workspace_id as "workspaceId", name`,
    { channelId, message, lasting, seconds: FIRST_LOOK_SECONDS },
  );
  if (!channel) return;
  tx.within(channel.workspaceId);
  if (!lasting) {
    await tx.query(
      `insert into channel_due (tenant_id, channel_id, due_at) values (:tenant, :channelId, now() + make_interval(secs => :seconds))
      on conflict (tenant_id, channel_id) do update set due_at = excluded.due_at`,
      { channelId, seconds: FIRST_LOOK_SECONDS },
    );
  }
  await raiseAbout(
    tx,
    { channelId },
    { type: "channel_error", severity: "high", reason: `${channel.name}: ${message}` },
  );
}
