import { createHash } from "node:crypto";
import { IsNull, Not } from "typeorm";
import { type Parameter, type Parameters, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ChannelEntity } from "../../workspaces/channel.entity.js";
import { ERROR_AFTER_MINUTES, markChannelFailed } from "../channel-failure.js";
import type { ChannelError } from "../channel-kind.js";
import type { MailServerSettings } from "./email.settings.js";
import type { MailPlace } from "./fetched-mail.js";
import { MailboxEntity } from "./mailbox.entity.js";

/** How far a mailbox has been read. `validity` names the account and its UIDVALIDITY. */
export interface MailboxProgress {
  validity: string | null;
  lastUid: number;
  newestAt: Date;
  deltaLink: string | null;
  deltaRead: ReadonlySet<number>;
}

/** Where reading begins: after a UID, or at a link of Microsoft Graph, but for the mails in `deltaRead`. */
export interface Beginning {
  validity: string;
  lastUid: number;
  deltaLink?: string;
  deltaRead?: number[];
}

/** When what says how far a mailbox was read is no longer valid, reading goes on this long before the newest mail that was read: servers do not sort to the minute. */
export const OVERLAP_MS = 600_000;

const MAILBOX_READER = { unrestricted: "only the process that reads the mailbox runs it" };

interface Holder {
  channelId: string;
  holder: string;
}
/** The holder still has the lease. Otherwise another process may read the mailbox, or the channel is not active. */
const leased = ({ channelId, holder }: Parameters<Holder>) => sql`
  exists (
    select from mailbox_lease l
    where l.tenant_id = ${TENANT} and l.channel_id = ${channelId} and l.holder = ${holder}::uuid
      and l.held_until > clock_timestamp()
  )`;

interface First {
  validity: string;
  lastUid: number;
  deltaLink: string | null;
  deltaRead: readonly number[];
}
const START = query<Holder & First & { before: string | null }>()(
  "mailbox.start",
  MAILBOX_READER,
  ({ channelId, holder, before, validity, lastUid, deltaLink, deltaRead }) => sql`
    insert into mailbox as b (tenant_id, channel_id, validity, last_uid, delta_link, delta_read)
    select ${TENANT}, ${channelId}, ${validity}, ${lastUid}, ${deltaLink}, ${deltaRead}::bigint[]
    where ${leased({ channelId, holder })}
    on conflict (tenant_id, channel_id) do update set validity = excluded.validity, last_uid = excluded.last_uid,
      delta_link = excluded.delta_link, delta_read = excluded.delta_read, reading_uid = null
    where b.validity is not distinct from ${before}
    returning 1`,
);

const NOTE_BEGINNING = query<First & { channelId: string }>()(
  "mailbox.noteBeginning",
  { unrestricted: "only the job that makes a channel active runs it" },
  ({ channelId, validity, lastUid, deltaLink, deltaRead }) => sql`
    insert into mailbox as b (tenant_id, channel_id, validity, last_uid, delta_link, delta_read)
    values (${TENANT}, ${channelId}, ${validity}, ${lastUid}, ${deltaLink}, ${deltaRead}::bigint[])
    on conflict (tenant_id, channel_id) do update set validity = excluded.validity, last_uid = excluded.last_uid,
      delta_link = excluded.delta_link, delta_read = excluded.delta_read
    where b.validity is null`,
);

/** UIDs go up. The mails that a link of Graph leads to have no order, so each that was read is noted. */
const isUnread = (uid: Parameters<{ uid: number }>["uid"]) => sql`
  case when b.delta_link is null then b.last_uid < ${uid}::bigint else not (${uid}::bigint = any(b.delta_read)) end`;

const BEGIN_ATTEMPT = query<Holder & { validity: string; uid: number }>()(
  "mailbox.beginAttempt",
  MAILBOX_READER,
  ({ channelId, holder, validity, uid }) => sql`
    update mailbox b set reading_uid = ${uid}::bigint,
      reading_attempts = case when b.reading_uid = ${uid}::bigint then b.reading_attempts + 1 else 1 end
    where b.tenant_id = ${TENANT} and b.channel_id = ${channelId} and b.validity = ${validity}
      and ${isUnread(uid)} and ${leased({ channelId, holder })}
    returning b.reading_attempts as attempt`,
);

/** A mail that a server dates in the future is no reason to leave out those that arrive until then. */
const newest = (at: Parameter): Sql => sql`
  greatest(b.newest_at, case when ${at}::timestamptz is not null then least(${at}::timestamptz, clock_timestamp()) end)`;

const ADVANCE = query<Holder & { validity: string; uid: number; at: Date }>()(
  "mailbox.advance",
  MAILBOX_READER,
  ({ channelId, holder, validity, uid, at }) => sql`
    update mailbox b set
      last_uid = case when b.delta_link is null then ${uid}::bigint else b.last_uid end,
      newest_at = case when b.delta_link is null then ${newest(at)} else b.newest_at end,
      delta_read = case when b.delta_link is null then b.delta_read else b.delta_read || ${uid}::bigint end
    where b.tenant_id = ${TENANT} and b.channel_id = ${channelId} and b.validity = ${validity}
      and ${isUnread(uid)} and ${leased({ channelId, holder })}
    returning 1`,
);

interface Move extends Holder {
  validity: string;
  before: string;
  link: string;
  newestAt: Date | null;
}
const MOVE_ON = query<Move>()(
  "mailbox.moveOn",
  MAILBOX_READER,
  ({ channelId, holder, validity, before, link, newestAt }) => sql`
    update mailbox b set delta_link = ${link}, delta_read = '{}',
      newest_at = ${newest(newestAt)}
    where b.tenant_id = ${TENANT} and b.channel_id = ${channelId} and b.validity = ${validity}
      and b.delta_link = ${before} and ${leased({ channelId, holder })}
    returning 1`,
);

const NOTE_FAILURE = query<Holder & { lasting: boolean; minutes: number }, { isError: boolean }>()(
  "mailbox.noteFailure",
  MAILBOX_READER,
  ({ channelId, holder, lasting, minutes }) => sql`
    insert into mailbox as b (tenant_id, channel_id, failing_since)
    select ${TENANT}, ${channelId}, now()
    where ${leased({ channelId, holder })}
    on conflict (tenant_id, channel_id) do update set failing_since = coalesce(b.failing_since, now())
    returning ${lasting} or b.failing_since < now() - make_interval(mins => ${minutes}::int) as "isError"`,
);

export async function findProgress(tx: Tx, channelId: string): Promise<MailboxProgress | undefined> {
  const mailbox = await tx.findOne(MailboxEntity, { channelId });
  if (!mailbox) return undefined;
  const { lastUid, deltaRead } = mailbox;
  return { ...mailbox, lastUid: Number(lastUid), deltaRead: new Set(deltaRead.map(Number)) };
}

/** The account, hashed, and its UIDVALIDITY. */
export const validityOf = (
  { host, port }: Pick<MailServerSettings, "host" | "port">,
  account: string,
  uidValidity: bigint,
): string =>
  `${createHash("sha256")
    .update(JSON.stringify([host, port, account]))
    .digest("hex")
    .slice(0, 16)}:${uidValidity}`;

/** Records where a mailbox begins that nobody has read yet. */
export async function noteBeginning(tx: Tx, channelId: string, first: Beginning): Promise<void> {
  await tx.query(NOTE_BEGINNING, { channelId, deltaLink: null, deltaRead: [], ...first });
}

/**
 * Records what UIDs or the link belong to from now on, and what of it has been read.
 * @returns false if another process has recorded that already, or has the mailbox
 */
export async function startReading(
  tx: Tx,
  channelId: string,
  holder: string,
  before: string | null,
  first: Beginning,
): Promise<boolean> {
  return (await tx.query(START, { channelId, holder, before, deltaLink: null, deltaRead: [], ...first })).length > 0;
}

/** Records that all mails of a link have been read. @returns false if another process has the mailbox */
export async function moveOn(tx: Tx, move: Move): Promise<boolean> {
  return (await tx.query(MOVE_ON, move)).length > 0;
}

/** A mail of a mailbox. `validity` names the account and its UIDVALIDITY. */
export interface MailboxPlace {
  validity: string;
  uid: number;
  /** When it arrived on the server. */
  at: Date;
}

/** The mail is this one of the mailbox, as long as the holder has its lease. */
export const placeInMailbox = (channelId: string, holder: string, { validity, uid, at }: MailboxPlace): MailPlace => ({
  begin: async (tx) => (await tx.query(BEGIN_ATTEMPT, { channelId, holder, validity, uid }))[0]?.attempt,
  take: async (tx) => (await tx.query(ADVANCE, { channelId, holder, validity, uid, at })).length > 0,
  forget: async (tx) => {
    await tx.update(MailboxEntity, { channelId, readingUid: String(uid) }, { readingUid: null });
  },
});

/** Records that the mailbox can be read. */
export async function noteSuccess(tx: Tx, channelId: string): Promise<void> {
  tx.changesNothingVisible();
  const recovered = await tx.update(MailboxEntity, { channelId, failingSince: Not(IsNull()) }, { failingSince: null });
  if (!recovered) return;
  const [channel] = await tx.updateReturning(
    ChannelEntity,
    { id: channelId, status: "active", failingSince: IsNull() },
    { lastError: null },
    ["workspaceId"],
  );
  if (channel) tx.changesWorkspace(channel.workspaceId);
}

/** Records that the mailbox cannot be read. After a while, or at once if a retry is of no use, its channel goes into error. */
export async function noteFailure(tx: Tx, channelId: string, holder: string, error: ChannelError): Promise<void> {
  tx.changesNothingVisible();
  const { message, lasting } = error;
  const [failing] = await tx.query(NOTE_FAILURE, { channelId, holder, lasting, minutes: ERROR_AFTER_MINUTES });
  if (!failing) return;
  const [channel] = await tx.updateReturning(
    ChannelEntity,
    { id: channelId, status: "active" },
    { lastError: message },
    ["workspaceId"],
  );
  if (channel) tx.changesWorkspace(channel.workspaceId);
  if (!failing.isError) return;
  await markChannelFailed(tx, channelId, error);
  // Once the channel works again, the next failure has its five minutes.
  await tx.update(MailboxEntity, { channelId }, { failingSince: null });
}
