import type { Tx } from "../../platform/database/transaction.js";
import { ERROR_AFTER_MINUTES, markChannelFailed } from "../channel-failure.js";
import type { ChannelError } from "../channel-kind.js";
import type { FetchedMail } from "./fetched-mail.js";

/** How far a mailbox was taken in. `validity` names the account and its UIDVALIDITY. */
export interface Place {
  validity: string | null;
  lastUid: number;
  newestAt: Date;
}

/** The mailbox is the holder's: another process, or nobody because the channel is not active, may have it by now. */
const HELD =
  "exists (select from mailbox_lease l where l.tenant_id = :tenant and l.channel_id = :channelId and l.holder = :holder::uuid and l.held_until > clock_timestamp())";

export async function placeOf(tx: Tx, channelId: string): Promise<Place | undefined> {
  const [row] = await tx.query<Omit<Place, "lastUid"> & { lastUid: string }>(
    'select validity, last_uid as "lastUid", newest_at as "newestAt" from mailbox where tenant_id = :tenant and channel_id = :channelId',
    { channelId },
  );
  return row && { ...row, lastUid: Number(row.lastUid) };
}

/** The UIDs from now on are those of `validity`. @returns false where another process has set them, or has the mailbox */
export async function settle(
  tx: Tx,
  channelId: string,
  holder: string,
  before: string | null,
  { validity, lastUid }: { validity: string; lastUid: number },
): Promise<boolean> {
  return (
    (
      await tx.query(
        `insert into mailbox (tenant_id, channel_id, validity, last_uid) select :tenant, :channelId, :validity, :lastUid where ${HELD}
    on conflict (tenant_id, channel_id) do update set validity = excluded.validity, last_uid = excluded.last_uid where mailbox.validity is not distinct from :before returning 1`,
        { channelId, holder, before, validity, lastUid },
      )
    ).length > 0
  );
}

/** The mail is the next one. Whoever comes second waits, and finds that it was taken in. */
export async function advance(
  tx: Tx,
  channelId: string,
  holder: string,
  { validity, uid, at }: Pick<FetchedMail, "validity" | "uid" | "at">,
): Promise<boolean> {
  return (
    (
      await tx.query(
        `update mailbox set last_uid = :uid::bigint, newest_at = greatest(newest_at, :at::timestamptz)
    where tenant_id = :tenant and channel_id = :channelId and validity = :validity and last_uid < :uid::bigint and ${HELD} returning 1`,
        { channelId, holder, validity, uid, at },
      )
    ).length > 0
  );
}

/** It can be read. */
export async function works(tx: Tx, channelId: string): Promise<void> {
  const [failed] = await tx.query(
    "update mailbox set failing_since = null where tenant_id = :tenant and channel_id = :channelId and failing_since is not null returning 1",
    { channelId },
  );
  if (!failed) return tx.unseen();
  const [channel] = await tx.query<{ workspaceId: string }>(
    `update channel set last_error = null where tenant_id = :tenant and id = :channelId and status = 'active' and failing_since is null returning workspace_id as "workspaceId"`,
    { channelId },
  );
  if (channel) tx.within(channel.workspaceId);
}

/** It cannot be read; after a while, or where it is of no use to try again, its channel is broken. */
export async function fails(tx: Tx, channelId: string, holder: string, error: ChannelError): Promise<void> {
  const [failing] = await tx.query<{ lasts: boolean }>(
    `insert into mailbox (tenant_id, channel_id, failing_since) select :tenant, :channelId, now() where ${HELD}
    on conflict (tenant_id, channel_id) do update set failing_since = coalesce(mailbox.failing_since, now())
    returning :lasting or failing_since < now() - make_interval(mins => :minutes::int) as lasts`,
    { channelId, holder, lasting: error.lasting, minutes: ERROR_AFTER_MINUTES },
  );
  if (!failing) return tx.unseen();
  const [channel] = await tx.query<{ workspaceId: string }>(
    `update channel set last_error = :message where tenant_id = :tenant and id = :channelId and status = 'active' returning workspace_id as "workspaceId"`,
    { channelId, message: error.message },
  );
  if (channel) tx.within(channel.workspaceId);
  if (!failing.lasts) return;
  await markChannelFailed(tx, channelId, error);
  // When it was made ready again, it has its five minutes anew.
  await tx.query("update mailbox set failing_since = null where tenant_id = :tenant and channel_id = :channelId", {
    channelId,
  });
}
