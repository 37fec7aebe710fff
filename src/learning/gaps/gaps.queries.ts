import { THRESHOLDS } from "../../assistant/context/thresholds.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { one, REACHABLE, time } from "../../platform/database/statements.js";
import type { HandOverReason } from "../../quality/reports/hand-over-reasons.js";
import { since } from "../asked-again/asked-again.queries.js";
import type { Place } from "../asked-again/asked-again.service.js";
import { MAX_COMPARED } from "./grouping.js";

/** Reasons for which an entry is missing. For the others the contact needs a person. */
const MISSING = ["nothing_found", "unsure", "unfounded", "opposite"] as const satisfies readonly HandOverReason[];

/** A question that the assistant handed over. */
export interface Missed {
  conversationId: string;
  messageId: string;
  at: string;
  question: string;
  language: string;
  terms: number[];
}
export interface MissedIn extends Place {
  since: string;
  /** The newest first. */
  missed: Missed[];
}

/**
 * What the assistant missed in a workspace in the last days. If it had asked back, the question is the one before: "neither" says
 * nothing by itself.
 */
export const GET_MISSED = one<MissedIn, { workspaceId: string; days: number; most: number }>(
  "gaps.missed",
  "restricted",
  ({ workspaceId, days, most }) => sql`
    select w.id as "workspaceId", w.primary_language as "primaryLanguage", ${THRESHOLDS} as thresholds,
      ${time(since(days))} as since,
      (
        select coalesce(json_agg(json_build_object(
          'conversationId', q.conversation_id, 'messageId', q.message_id, 'at', ${time(sql`q.created_at`)},
          'question', q.question, 'language', q.language,
          'terms', kb_terms(kb_config(w.primary_language), left(q.question, ${MAX_COMPARED}))
        ) order by q.created_at desc, q.id desc), '[]')
        from (
          select r.conversation_id, r.message_id, r.created_at, r.id, s.question, s.language
          from assistant_run r
            cross join lateral (
              select n.detail ->> 'question' as question, n.detail ->> 'language' as language from assistant_step n
              where n.tenant_id = ${TENANT} and n.type = 'retrieve' and n.run_id = coalesce((
                select b.id from (
                  select p.id, p.outcome from assistant_run p
                  where p.tenant_id = ${TENANT} and p.conversation_id = r.conversation_id and p.sequence < r.sequence
                  order by p.sequence desc limit 1
                ) b where b.outcome = 'clarified'
              ), r.id)
              order by n.position limit 1
            ) s
          where r.tenant_id = ${TENANT} and r.workspace_id = w.id and r.created_at >= ${since(days)}
            and r.hand_over_reason = any(${[...MISSING]}::text[]) and s.question <> ''
          order by r.created_at desc, r.id desc limit ${most}::int
        ) q
      ) as missed
    from workspace w
      left join assistant_settings x on x.tenant_id = ${TENANT} and x.workspace_id = w.id
    where w.tenant_id = ${TENANT} and w.id = ${workspaceId} and ${REACHABLE}`,
);
