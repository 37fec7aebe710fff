import { type Sql, sql, TENANT } from "../platform/database/sql.js";
import { globalQuery, inReach, type NoArgs, one, polled, query, time } from "../platform/database/statements.js";
import type { Environment } from "../platform/caller/caller.js";
import { CHANNEL, type ChannelDto } from "../workspaces/channel.dto.js";
import type { ChannelEntity } from "../workspaces/channel.entity.js";
import type { ChannelTestedDto } from "./channels.dto.js";

export const GET_CHANNEL = polled(
  one<ChannelDto, { id: string }>(
    "channels.get",
    "restricted",
    ({ id }) => sql`
      select ${CHANNEL} from channel c
      where c.tenant_id = ${TENANT} and c.id = ${id} and ${inReach("c")}`,
  ),
);

/** A channel as it is stored: its credentials are still sealed. */
export type StoredChannel = Pick<
  ChannelEntity,
  "id" | "workspaceId" | "type" | "name" | "address" | "settings" | "credentials" | "signIn" | "status" | "revision"
>;
const findChannel = (name: "channels.find" | "channels.findForShare", lock: Sql) =>
  query<{ id: string }, StoredChannel>()(
    name,
    "restricted",
    ({ id }) => sql`
      select c.id, c.workspace_id as "workspaceId", c.type, c.name, c.address, c.settings, c.credentials,
        c.sign_in as "signIn", c.status, c.revision
      from channel c
      where c.tenant_id = ${TENANT} and c.id = ${id} and ${inReach("c")}
      ${lock}`,
  );
/** SQL, not TypeORM: each reply reads its channel. */
export const FIND_CHANNEL = findChannel("channels.find", sql``);
export const FIND_CHANNEL_FOR_SHARE = findChannel("channels.findForShare", sql`for share`);

/** One after the other: who comes second finds what the first one has stored. */
export const LOCK_MAILBOXES = query<NoArgs>()(
  "channels.lockMailboxes",
  { unrestricted: "it takes an advisory lock and reads no rows" },
  () => sql`select pg_advisory_xact_lock(hashtextextended('mailboxes ' || ${TENANT}::uuid, 0))`,
);

/** The channels of a type that are not disabled, this one among them, wherever they are. */
export const LIST_ENABLED = query<
  { type: string },
  Pick<ChannelEntity, "id" | "name" | "address" | "settings" | "credentials"> & { isInReach: boolean }
>()(
  "channels.listEnabled",
  { unrestricted: "the caller is told only the name of what is in reach" },
  ({ type }) => sql`
    select c.id, c.name, c.address, c.settings, c.credentials, ${inReach("c")} as "isInReach"
    from channel c join workspace o on o.tenant_id = c.tenant_id and o.id = c.workspace_id
    where c.tenant_id = ${TENANT} and c.type = ${type} and c.status <> 'disabled' and o.deleted_at is null`,
);

/** Schedules the next check of the channel by the provisioning job, in `seconds` seconds. */
export const SCHEDULE_CHECK = query<{ channelId: string; seconds: number }>()(
  "channels.scheduleCheck",
  "checked",
  ({ channelId, seconds }) => sql`
    insert into channel_due (tenant_id, channel_id, due_at)
    values (${TENANT}, ${channelId}, clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (tenant_id, channel_id) do update set due_at = excluded.due_at`,
);

/** Gives the result in any case, and stores it only if the channel is still as it was when it was tested. */
export const STORE_TEST = query<
  { id: string; revision: number; ok: boolean; message: string; mailDomain: string | null },
  Pick<ChannelTestedDto, "lastTest">
>()(
  "channels.storeTest",
  "checked",
  ({ id, revision, ok, message, mailDomain }) => sql`
    with result as (
      select json_build_object(
        'at', ${time(sql`clock_timestamp()`)}, 'ok', ${ok}::boolean, 'message', ${message}::text,
        'mailDomain', ${mailDomain}::json
      ) as test
    ), stored as (
      update channel c set last_test = r.test from result r
      where c.tenant_id = ${TENANT} and c.id = ${id} and c.revision = ${revision}
    )
    select r.test as "lastTest" from result r`,
);

/** Records a delivery that failed because of the channel. @returns whether it has gone on for long enough to be an error */
export const NOTE_FAILURE = query<
  { channelId: string; message: string; lasting: boolean; minutes: number },
  { workspaceId: string; isError: boolean }
>()(
  "channels.noteFailure",
  { unrestricted: "only the outbox runs it" },
  ({ channelId, message, lasting, minutes }) => sql`
    update channel c set failing_since = coalesce(c.failing_since, now()), last_error = ${message}
    where c.tenant_id = ${TENANT} and c.id = ${channelId} and c.status = 'active'
    returning c.workspace_id as "workspaceId",
      ${lasting} or c.failing_since < now() - make_interval(mins => ${minutes}::int) as "isError"`,
);

/** Whose channel a webhook is for, before its tenant is known. */
export const FIND_TENANT_OF_CHANNEL = globalQuery<
  { channelId: string },
  { tenantId: string; environment: Environment }
>()(
  "channels.findTenant",
  "everywhere",
  ({ channelId }) => sql`
    select t.id as "tenantId", t.environment
    from channel_lookup l join tenant t on t.id = l.tenant_id
    where l.channel_id = ${channelId}`,
);
