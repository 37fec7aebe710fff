import { setTimeout as sleep } from "node:timers/promises";
import { type Environment, system, type SystemCaller } from "../platform/caller/caller.js";
import type { Database } from "../platform/database/database.js";
import { sql, TENANT } from "../platform/database/sql.js";
import { type NoArgs, query, time } from "../platform/database/statements.js";

const BATCH = 5_000;
const WHOLE_TENANT = { unrestricted: "the daily task works for the whole tenant" } as const;

const WORKSPACES = query<NoArgs>()(
  "retention.workspaces",
  WHOLE_TENANT,
  () => sql`select id from workspace where tenant_id = ${TENANT} order by id`,
);

const SWEEP = query<
  { workspaceId: string; after: string; batch: number },
  { removed: number; reached: string | null }
>()(
  "retention.sweep-identity-events",
  WHOLE_TENANT,
  ({ workspaceId, after, batch }) => sql`
    select s.removed, s.reached::text as reached
    from set_config('synchronous_commit', 'off', true),
      sweep_identity_events(${TENANT}, ${workspaceId}, ${after}::timestamptz, ${batch}) s`,
);

/** The condition of `sweep_identity_events`; the first comparison is there for the index. */
const PREVIEW = query<NoArgs, Omit<DueIdentityEvents, "environment">>()(
  "retention.preview-identity-events",
  WHOLE_TENANT,
  () => sql`
    select w.tenant_id as "tenantId", w.id as "workspaceId", w.name as workspace, e.due as "identityEvents",
      ${time(sql`e.oldest`)} as oldest
    from workspace w, make_interval(months => w.identity_retention_months) as kept, lateral (
      select count(*)::int as due, min(e.occurred_at) as oldest from identity_event e
      where e.tenant_id = w.tenant_id and e.workspace_id = w.id and e.occurred_at < now() - kept + interval '4 days'
        and e.occurred_at at time zone 'UTC' + kept <= now() at time zone 'UTC') e
    where w.tenant_id = ${TENANT} and e.due > 0 order by w.id`,
);

/** What is due in one workspace. */
export interface DueIdentityEvents {
  tenantId: string;
  environment: Environment;
  workspaceId: string;
  workspace: string;
  identityEvents: number;
  oldest: string;
}

/**
 * Deletes the identity events whose workspace's retention is over, in small transactions with pauses between them, so that
 * requests are not slowed down. No transaction waits for the disk: what a crash undoes is due again, and the daily task
 * records its run with a commit that does wait, for all before it.
 * @returns how many
 */
export async function sweepIdentityEvents(
  db: Database,
  caller: SystemCaller,
  stopping: () => boolean,
): Promise<number> {
  const workspaces = await db.transaction(caller, (tx) => tx.query(WORKSPACES));
  let total = 0;
  for (const { id: workspaceId } of workspaces) {
    for (let after: string | null = "-infinity"; after !== null && !stopping();) {
      const args: { workspaceId: string; after: string; batch: number } = { workspaceId, after, batch: BATCH };
      const began = performance.now();
      const [swept] = await db.transaction(caller, (tx) => tx.query(SWEEP, args));
      total += swept!.removed;
      after = swept!.reached;
      // Pauses as long as it worked, so it takes no more than half of what one connection can do.
      await sleep(performance.now() - began);
    }
  }
  return total;
}

/** What a sweep would delete now on one side, by workspace. Deletes nothing. */
export async function previewIdentityEvents(
  db: Database,
  { id, environment }: { id: string; environment: Environment },
): Promise<DueIdentityEvents[]> {
  const due = await db.transaction(system("preview", id, environment), (tx) => tx.query(PREVIEW));
  return due.map(({ tenantId, ...rest }) => ({ tenantId, environment, ...rest }));
}
