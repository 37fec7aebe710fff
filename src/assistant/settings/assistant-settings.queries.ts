import { sql, TENANT } from "../../platform/database/sql.js";
import { one, query, REACHABLE } from "../../platform/database/statements.js";
import type { Thresholds } from "../context/decision.js";
import type { Retrieved } from "../plan.js";
import { THRESHOLDS } from "../context/thresholds.js";

export const PUT_SETTINGS = query<Thresholds & { workspaceId: string }>()(
  "assistantSettings.put",
  "restricted",
  ({ workspaceId, answerConfidence, margin, clarifyConfidence }) => sql`
    insert into assistant_settings (tenant_id, workspace_id, answer_confidence, margin, clarify_confidence)
    select ${TENANT}, w.id, ${answerConfidence}, ${margin}, ${clarifyConfidence}
    from workspace w where w.id = ${workspaceId} and ${REACHABLE}
    on conflict (tenant_id, workspace_id) do update set answer_confidence = excluded.answer_confidence,
      margin = excluded.margin, clarify_confidence = excluded.clarify_confidence`,
);

/** What was found for a question. */
interface Asked {
  conversationId: string;
  messageId: string;
  retrieved: Retrieved;
}
export interface LastQuestions {
  thresholds: Thresholds;
  primaryLanguage: string;
  /** The newest first. */
  asked: Asked[];
}
export const LAST_QUESTIONS = one<LastQuestions, { workspaceId: string; most: number }>(
  "assistantSettings.lastQuestions",
  "restricted",
  ({ workspaceId, most }) => sql`
    select ${THRESHOLDS} as thresholds, w.primary_language as "primaryLanguage", (
        select coalesce(json_agg(json_build_object(
          'conversationId', q.conversation_id, 'messageId', q.message_id, 'retrieved', q.retrieved
        ) order by q.created_at desc, q.id desc), '[]')
        from (
          select r.conversation_id, r.message_id, r.created_at, r.id, s.detail as retrieved
          from assistant_run r
            join assistant_step s on s.tenant_id = ${TENANT} and s.run_id = r.id and s.type = 'retrieve'
          where r.tenant_id = ${TENANT} and r.workspace_id = w.id
          order by r.created_at desc, r.id desc limit ${most}
        ) q
      ) as asked
    from workspace w left join assistant_settings x on x.tenant_id = ${TENANT} and x.workspace_id = w.id
    where w.id = ${workspaceId} and ${REACHABLE}`,
);
