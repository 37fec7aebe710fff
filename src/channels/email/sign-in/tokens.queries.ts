import { sql, TENANT } from "../../../platform/database/sql.js";
import { query, time } from "../../../platform/database/statements.js";

const CHANNEL_WORK = { unrestricted: "only what works for the channel itself runs it" };

/** The channel as it was when it was opened: later settings may name another server, which must not get these tokens. */
interface Opened {
  id: string;
  revision: number;
}

export const FIND_TOKENS = query<Opened>()(
  "mailTokens.find",
  CHANNEL_WORK,
  ({ id, revision }) => sql`
    select c.tokens, coalesce(c.renewing_until > clock_timestamp(), false) as "isRenewed"
    from channel c where c.tenant_id = ${TENANT} and c.id = ${id} and c.revision = ${revision}`,
);

/** Lets one process renew the tokens. The lease ends by itself if the process dies. */
export const CLAIM_RENEWAL = query<Opened & { seconds: number }, never, "until">()(
  "mailTokens.claimRenewal",
  CHANNEL_WORK,
  ({ id, revision, seconds }) => sql`
    update channel c set renewing_until = clock_timestamp() + make_interval(secs => ${seconds})
    where c.tenant_id = ${TENANT} and c.id = ${id} and c.revision = ${revision}
      and (c.renewing_until is null or c.renewing_until < clock_timestamp())
    returning c.tokens, c.renewing_until::text as until`,
);

/**
 * Stores what the holder of the lease got, and ends the lease. Null leaves what is there. The revision does not count: what
 * drops or replaces the tokens ends the lease with them, and after any other change of the channel they are still its own.
 */
export const STORE_TOKENS = query<{ id: string; until: string; tokens: Buffer | null }>()(
  "mailTokens.store",
  CHANNEL_WORK,
  ({ id, until, tokens }) => sql`
    update channel c set tokens = coalesce(${tokens}::bytea, c.tokens), renewing_until = null
    where c.tenant_id = ${TENANT} and c.id = ${id} and c.renewing_until = ${until}::timestamptz
    returning 1`,
);

/** The provider ended the sign-in. */
export const END_SIGN_IN = query<Opened & { until: string; error: string }, { workspaceId: string }>()(
  "mailTokens.end",
  CHANNEL_WORK,
  ({ id, revision, until, error }) => sql`
    update channel c set tokens = null, renewing_until = null, updated_at = now(),
      sign_in = coalesce(c.sign_in, '{}') || jsonb_build_object('endedAt', ${time(sql`now()`)}, 'error', ${error}::text)
    where c.tenant_id = ${TENANT} and c.id = ${id} and c.revision = ${revision}
      and c.renewing_until = ${until}::timestamptz
    returning c.workspace_id as "workspaceId"`,
);

/** Lets the answer to one sign-in count: the newest that was begun, once. */
export const CLAIM_SIGN_IN = query<{ id: string; begunAt: Date }>()(
  "mailTokens.claimSignIn",
  "checked",
  ({ id, begunAt }) => sql`
    update channel c set sign_in_begun_at = ${begunAt}::timestamptz
    where c.tenant_id = ${TENANT} and c.id = ${id}
      and (c.sign_in_begun_at is null or c.sign_in_begun_at < ${begunAt}::timestamptz)
    returning 1`,
);
