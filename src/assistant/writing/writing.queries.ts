import { sql, TENANT } from "../../platform/database/sql.js";
import { conversationInReach, inReach, query } from "../../platform/database/statements.js";
import { IS_PROOF } from "../context/proofs.js";
import type { Said } from "../context/context.queries.js";
import type { Spending } from "../model/model-on-demand.service.js";
import { tokensToday } from "../model/model-runs.queries.js";

/** So many of the newest messages are summarised. */
const MAX_MESSAGES = 100;

/** Where a text is written, and what the workspace has spent. */
export const FIND_PLACE = query<{ conversationId: string }, Spending & { primaryLanguage: string }>()(
  "writing.findPlace",
  "restricted",
  ({ conversationId }) => sql`
    select c.workspace_id as "workspaceId", w.primary_language as "primaryLanguage",
      ${tokensToday(sql`c.workspace_id`)} as "tokensToday"
    from (select c.* from ${conversationInReach(conversationId, sql`c.id, c.workspace_id`)}) c
      join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id`,
);

/** What people, programs and the assistant said in it, newest first, but for what proves who somebody is. */
export const LIST_SAID = query<{ conversationId: string }>()(
  "writing.listSaid",
  "checked",
  ({ conversationId }) => sql`
    select m.id, m.sequence, m.direction, m.author_type as "authorType", m.body from message m
    where m.tenant_id = ${TENANT} and m.conversation_id = ${conversationId} and m.redacted_at is null
      and m.author_type <> 'system' and m.delivery_status <> 'cancelled' and not ${IS_PROOF}
    order by m.sequence desc limit ${MAX_MESSAGES}`,
);

/** A message, and what the workspace has spent. A trigger copies the type of the channel into each conversation. */
export const FIND_MESSAGE = query<
  { id: string },
  Spending & Pick<Said, "direction" | "body"> & { channelType: string; isProof: boolean },
  "channelType"
>()(
  "writing.findMessage",
  "restricted",
  ({ id }) => sql`
    select c.workspace_id as "workspaceId", c.channel_type as "channelType", m.direction, m.body,
      ${IS_PROOF} as "isProof", ${tokensToday(sql`c.workspace_id`)} as "tokensToday"
    from message m join conversation c on c.tenant_id = ${TENANT} and c.id = m.conversation_id
    where m.tenant_id = ${TENANT} and m.id = ${id} and m.redacted_at is null and ${inReach("c")}`,
);
