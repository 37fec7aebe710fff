import { sql, TENANT } from "../../../platform/database/sql.js";
import { isConversationInReach, one } from "../../../platform/database/statements.js";

/** The file that is the message itself, as it came. */
export const GET_ORIGINAL = one<{ id: string; size: number; formatted: boolean }, { id: string }>(
  "mailView.original",
  "restricted",
  ({ id }) => sql`
    select a.id, a.size, a.original = 'html' as formatted
    from message m join attachment a on a.tenant_id = ${TENANT} and a.message_id = m.id and a.original is not null
    where m.tenant_id = ${TENANT} and m.id = ${id} and ${isConversationInReach(sql`m.conversation_id`)}`,
);
