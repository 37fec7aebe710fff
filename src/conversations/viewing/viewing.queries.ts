import { sql, TENANT } from "../../platform/database/sql.js";
import { inReach, isConversationInReach, page, projection, query, time } from "../../platform/database/statements.js";
import { READS_CONVERSATION } from "../readers.js";
import type { ViewerState } from "./conversation-viewer.entity.js";
import type { ViewerDto } from "./viewing.dto.js";

const LEASE = sql`interval '20 seconds'`;
/** Expired leases that one request deletes. */
const BATCH = 100;

interface Viewer {
  conversationId: string;
  memberId: string;
}

/** Begins or renews the lease of a member. Rows that another request holds are skipped, so that none waits for another. */
export const HOLD = query<Viewer & { state: ViewerState }, { workspaceId: string; until: string }>()(
  "viewers.hold",
  "restricted",
  ({ conversationId, memberId, state }) => sql`
    with target as (
      select c.tenant_id, c.id, c.workspace_id from conversation c
      where c.tenant_id = ${TENANT} and c.id = ${conversationId} and ${inReach("c")}
    ), held as (
      insert into conversation_viewer (tenant_id, conversation_id, member_id, state, until)
      select t.tenant_id, t.id, ${memberId}::uuid, ${state}, clock_timestamp() + ${LEASE} from target t
      on conflict (tenant_id, conversation_id, member_id) do update set state = excluded.state, until = excluded.until
      returning until
    ), expired as materialized (
      select v.conversation_id, v.member_id from conversation_viewer v
      where v.tenant_id = ${TENANT} and v.until < now()
        and (v.conversation_id, v.member_id) <> (${conversationId}::uuid, ${memberId}::uuid)
      order by v.until limit ${BATCH} for update skip locked
    ), swept as (
      delete from conversation_viewer v using expired e
      where v.tenant_id = ${TENANT} and v.conversation_id = e.conversation_id and v.member_id = e.member_id
    )
    select t.workspace_id as "workspaceId", ${time(sql`h.until`)} as until from target t cross join held h`,
);

/** Ends the lease of a member. Gives no row if the conversation is out of reach. */
export const LEAVE = query<Viewer>()(
  "viewers.leave",
  "restricted",
  ({ conversationId, memberId }) => sql`
    with target as (
      select c.id, c.workspace_id from conversation c
      where c.tenant_id = ${TENANT} and c.id = ${conversationId} and ${inReach("c")}
    ), ended as (
      delete from conversation_viewer v using target t
      where v.tenant_id = ${TENANT} and v.conversation_id = t.id and v.member_id = ${memberId}
      returning v.until > now() as was_there
    )
    select t.workspace_id as "workspaceId", coalesce((select was_there from ended), false) as left from target t`,
);

/** The other members at a conversation. A lease changes no version, so this list must not be `polled`. */
export const LIST_VIEWERS = page<ViewerDto, Viewer>(
  "viewers.list",
  "restricted",
  ({ conversationId, memberId, limit, after0, after1 }) => ({
    rows: sql`
      select v.member_id, m.name, v.state, v.until
      from conversation_viewer v
      join conversation c on c.tenant_id = ${TENANT} and c.id = v.conversation_id
      join tenant t on t.id = ${TENANT}
      join member m on m.organisation_id = t.organisation_id and m.id = v.member_id
      where v.tenant_id = ${TENANT} and v.conversation_id = ${conversationId} and v.until > now()
        and v.member_id <> ${memberId} and ${READS_CONVERSATION}
        and (${after0}::text is null or (m.name, m.id) > (${after0}::text, ${after1}::uuid))
      order by m.name, m.id limit ${limit} + 1`,
    position: [sql`r.name`, sql`r.member_id`],
    item: projection<ViewerDto>({
      memberId: sql`r.member_id`,
      name: sql`r.name`,
      state: sql`r.state`,
      until: time(sql`r.until`),
    }),
    visible: isConversationInReach(conversationId),
  }),
);

export const FORGET_VIEWERS = query<{ conversationIds: readonly string[] }>()(
  "viewers.forget",
  { unrestricted: "only an erasure runs it" },
  ({ conversationIds }) => sql`
    delete from conversation_viewer v
    where v.tenant_id = ${TENANT} and v.conversation_id = any(${conversationIds}::uuid[])`,
);
