import { one } from "../../../platform/database/statement.js";
import type { CsatSurveyEntity } from "../csat.entity.js";

/** A survey as whoever opens it finds it. */
export type OpenSurvey = Pick<CsatSurveyEntity, "scale" | "question" | "questionLanguage" | "language" | "score"> & {
  brand: string;
  workspace: string;
  /** It is answered, and a comment may still be added. */
  commentable: boolean;
};

const PLACE = `conversation c join contact k on k.tenant_id = c.tenant_id and k.id = c.contact_id join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id
  join brand b on b.tenant_id = w.tenant_id and b.id = w.brand_id`;
/** It can be seen, and answered, now. */
const OPEN = `s.tenant_id = :tenant and s.id = :id and c.tenant_id = s.tenant_id and c.id = s.conversation_id and s.not_sent is null and s.expires_at > clock_timestamp()
  and c.redacted_at is null and k.erased_at is null and k.deleted_at is null and w.deleted_at is null and w.status <> 'archived'`;
const COMMENTABLE = `s.score is not null and s.comment is null and s.rated_at > clock_timestamp() - interval '1 day'`;

export const GET = one<OpenSurvey, { id: string }>(
  "csat.survey",
  { none: "whoever has the token has no other reach" },
  `select s.scale, s.question, s.question_language as "questionLanguage", s.language, s.score, b.name as brand, w.name as workspace, coalesce(${COMMENTABLE}, false) as commentable from csat_survey s, ${PLACE} where ${OPEN}`,
);

/** As messages and erasures lock: the conversation first. */
export const HOLD = `select c.id from csat_survey s join conversation c on c.tenant_id = s.tenant_id and c.id = s.conversation_id where s.tenant_id = :tenant and s.id = :id for no key update of c`;

export type Rated = Pick<
  CsatSurveyEntity,
  | "workspaceId"
  | "conversationId"
  | "channelId"
  | "memberId"
  | "agentIds"
  | "kbEntryIds"
  | "scale"
  | "lowScoreThreshold"
>;

/** The first answer, with what follows from it in the conversation. No row: there is one, or the survey is none any more, or has no such answer. */
export const RATE = `with rated as (
    update csat_survey s set score = :score::smallint, comment = :comment, rated_at = clock_timestamp() from ${PLACE} where ${OPEN} and s.score is null and :score::int between 1 and s.scale returning s.*
  ), scored as (
    update conversation c set csat_score = r.score, last_activity_at = r.rated_at, updated_at = r.rated_at from rated r where c.tenant_id = r.tenant_id and c.id = r.conversation_id
  )
  select workspace_id as "workspaceId", conversation_id as "conversationId", channel_id as "channelId", member_id as "memberId", agent_ids as "agentIds", kb_entry_ids as "kbEntryIds", scale, low_score_threshold as "lowScoreThreshold" from rated`;

/** What is added to an answer, once, within a day. */
export const COMMENT = `update csat_survey s set comment = :comment from ${PLACE} where ${OPEN} and ${COMMENTABLE} returning s.workspace_id as "workspaceId"`;

/** In the order of their ids, as citations are counted, so that nobody waits in a circle. */
export const HELPED = `with held as (
    select k.id from kb_entry k where k.tenant_id = :tenant and k.id = any(:kbEntryIds::uuid[]) order by k.id for no key update
  ) update kb_entry k set helpful = k.helpful + 1 from held h where k.tenant_id = :tenant and k.id = h.id`;
