import { sql, TENANT } from "../../platform/database/sql.js";
import { globalQuery, one, projection, query, REACHABLE, time } from "../../platform/database/statements.js";
import type { DueRow } from "../../platform/jobs/due-queue.js";
import { dueInTurn, lagOf, type Room } from "../../platform/jobs/due-rows.js";
import { IS_UNRESTRICTED } from "../../contacts/contact-reach.js";
import { type ConversationFilters, matching } from "../conversation-list.queries.js";
import type { BulkActionDto, BulkChangeDto } from "./bulk-actions.dto.js";

const OF_ACTION = {
  unrestricted: "the action has a row for each conversation that its author reached; each change checks again",
};

/** Takes down the conversations that match now, one more than allowed at most. Without any there is no action. */
export const ADD = query<
  ConversationFilters & {
    ids?: readonly string[];
    waiting?: boolean;
    id: string;
    authorKind: string;
    authorId: string;
    action: string;
    most: number;
  }
>()(
  "bulkActions.add",
  "restricted",
  (p) => sql`
    with found as materialized (
      select c.id
      from workspace w join conversation c on c.tenant_id = w.tenant_id and c.workspace_id = w.id
      where ${REACHABLE} and ${matching(p)}
        and (${p.ids}::uuid[] is null or c.id = any(${p.ids}::uuid[]))
        and (${p.waiting}::boolean is null or (c.waiting_since is not null) = ${p.waiting}::boolean)
      limit ${p.most}::int + 1
    ), added as (
      insert into bulk_action (tenant_id, id, author_kind, author_id, action, total)
      select ${TENANT}, ${p.id}, ${p.authorKind}, ${p.authorId}, ${p.action}::jsonb, count(*) from found having count(*) > 0
    ), items as (
      insert into bulk_action_item (tenant_id, action_id, conversation_id) select ${TENANT}, ${p.id}, f.id from found f
    ), due as (
      insert into bulk_action_due (tenant_id, action_id, due_at)
      select ${TENANT}, ${p.id}, clock_timestamp() where exists (select from found)
    )
    select count(*)::int as total from found`,
);

const BULK_ACTION = projection<BulkActionDto>({
  id: sql`r.id`,
  action: sql`r.action`,
  status: sql`case when n.pending > 0 then 'running' else 'done' end`,
  total: sql`r.total`,
  done: sql`(r.total - n.pending - n.failed)::int`,
  failed: sql`n.failed`,
  errors: sql`(
    select coalesce(json_agg(json_build_object('conversationId', e.conversation_id, 'error', e.error)), '[]') from (
      select i.conversation_id, i.error from bulk_action_item i
      where i.tenant_id = r.tenant_id and i.action_id = r.id and i.error is not null
      order by i.conversation_id limit 100
    ) e
  )`,
  createdAt: time(sql`r.created_at`),
});

/** For who asked for it, and for callers that reach the whole tenant. */
export const GET_BULK_ACTION = one<BulkActionDto, { id: string; self: string | null }>(
  "bulkActions.get",
  "restricted",
  ({ id, self }) => sql`
    select ${BULK_ACTION}
    from bulk_action r cross join lateral (
      select count(*) filter (where i.error is null)::int as pending, count(*) filter (where i.error is not null)::int as failed
      from bulk_action_item i where i.tenant_id = r.tenant_id and i.action_id = r.id
    ) n
    where r.tenant_id = ${TENANT} and r.id = ${id} and (r.author_id = ${self}::uuid or ${IS_UNRESTRICTED})`,
);

export const CLAIM = globalQuery<Room & { leaseSeconds: number }, DueRow>()(
  "bulkActions.claim",
  "everywhere",
  (room) => sql`
    update bulk_action_due d set due_at = clock_timestamp() + make_interval(secs => ${room.leaseSeconds}) from tenant t
    where t.id = d.tenant_id and (d.tenant_id, d.action_id) in (
      ${dueInTurn({ table: sql`bulk_action_due`, id: sql`action_id` }, room)})
    returning d.tenant_id as "tenantId", d.action_id as id, t.environment`,
);
export const LAG = lagOf("bulk-actions", sql`bulk_action_due`);

export interface Author {
  kind: "member" | "apiKey";
  id: string;
}
/** The next conversations of an action, with what to do and for whom. */
export const NEXT = query<
  { id: string; limit: number },
  { author: Author; action: BulkChangeDto; conversationIds: string[] }
>()(
  "bulkActions.next",
  OF_ACTION,
  ({ id, limit }) => sql`
    select json_build_object('kind', b.author_kind, 'id', b.author_id) as author, b.action, array(
      select i.conversation_id from bulk_action_item i
      where i.tenant_id = b.tenant_id and i.action_id = b.id and i.error is null
      order by i.conversation_id limit ${limit}::int
    ) as "conversationIds"
    from bulk_action b where b.tenant_id = ${TENANT} and b.id = ${id}`,
);

/** Ends the action if nothing is left of it, and otherwise gives it back to the queue. */
export const RETURN = query<{ id: string }>()(
  "bulkActions.return",
  OF_ACTION,
  ({ id }) => sql`
    with left_over as (
      select exists (
        select from bulk_action_item i where i.tenant_id = ${TENANT} and i.action_id = ${id} and i.error is null
      ) as some
    ), ended as (
      delete from bulk_action_due d using left_over l
      where d.tenant_id = ${TENANT} and d.action_id = ${id} and not l.some
    )
    update bulk_action_due d set due_at = clock_timestamp() from left_over l
    where d.tenant_id = ${TENANT} and d.action_id = ${id} and l.some`,
);
