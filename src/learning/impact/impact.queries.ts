import type { Thresholds } from "../../assistant/context/decision.js";
import { THRESHOLDS } from "../../assistant/context/thresholds.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { inReach, one, time } from "../../platform/database/statements.js";
import { since } from "../asked-again/asked-again.queries.js";

/** A question that the assistant looked for. */
export interface Asked {
  conversationId: string;
  messageId: string;
  question: string;
  /** In which it was answered. */
  language: string;
  /** Whether it has a term of the entry or of the one that it replaces. Otherwise nothing changes about it. */
  touched: boolean;
}
export interface Subject {
  status: string;
  workspaceId: string;
  primaryLanguage: string;
  thresholds: Thresholds;
  /** The entry whose place it takes, if that is approved. */
  replaces: string | null;
  since: string;
  /** The newest first. */
  asked: Asked[];
}
/**
 * An entry, and the questions of the last days. A turn that answers a question back is left out: it cannot be understood without
 * it.
 */
export const GET_SUBJECT = one<Subject, { id: string; days: number; most: number }>(
  "impact.subject",
  "restricted",
  ({ id, days, most }) => sql`
    select e.status, e.workspace_id as "workspaceId", w.primary_language as "primaryLanguage", ${THRESHOLDS} as thresholds,
      o.id as replaces, ${time(since(days))} as since,
      (
        select coalesce(json_agg(json_build_object(
          'conversationId', q.conversation_id, 'messageId', q.message_id, 'question', q.question, 'language', q.language,
          'touched', exists (
            select from kb_question t
            where t.tenant_id = ${TENANT} and (t.entry_id = e.id or t.entry_id = o.id)
              and t.terms && kb_terms(kb_config(w.primary_language), q.question)
          )
        ) order by q.created_at desc, q.id desc), '[]')
        from (
          select r.conversation_id, r.message_id, r.created_at, r.id, s.question, s.language
          from assistant_run r
            cross join lateral (
              select n.detail ->> 'question' as question, n.detail ->> 'language' as language from assistant_step n
              where n.tenant_id = ${TENANT} and n.run_id = r.id and n.type = 'retrieve' order by n.position limit 1
            ) s
          where r.tenant_id = ${TENANT} and r.workspace_id = e.workspace_id
            and r.created_at >= ${since(days)}
            and s.question <> '' and (
              select b.outcome is distinct from 'clarified' from assistant_run b
              where b.tenant_id = ${TENANT} and b.conversation_id = r.conversation_id and b.sequence < r.sequence
              order by b.sequence desc limit 1
            ) is not false
          order by r.created_at desc, r.id desc limit ${most}::int
        ) q
      ) as asked
    from kb_entry e
      join workspace w on w.tenant_id = ${TENANT} and w.id = e.workspace_id
      left join assistant_settings x on x.tenant_id = ${TENANT} and x.workspace_id = e.workspace_id
      left join kb_entry o on o.tenant_id = ${TENANT} and o.id = e.duplicate_of_id and e.replaces_duplicate
        and o.status = 'approved'
    where e.tenant_id = ${TENANT} and e.id = ${id} and ${inReach("e")}`,
);
