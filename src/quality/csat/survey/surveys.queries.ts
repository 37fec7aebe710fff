import { type Parameter, type Sql, sql, TENANT } from "../../../platform/database/sql.js";
import { one, query } from "../../../platform/database/statements.js";
import { logoOf } from "../../../workspaces/workspaces.queries.js";
import type { CsatSurveyEntity } from "../csat.entity.js";

const TOKEN = { unrestricted: "the survey's token is the credential, and names one survey" };

/** A survey, as the page shows it. */
export type OpenSurvey = Pick<CsatSurveyEntity, "scale" | "question" | "questionLanguage" | "language" | "score"> & {
  brand: string;
  workspace: string;
  logoUrl: string | null;
  /** It is answered, and a comment may still be added. */
  commentable: boolean;
};

const PLACE = sql`
  conversation c
  join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
  join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
  join brand b on b.tenant_id = ${TENANT} and b.id = w.brand_id`;
/** A survey `s` that can be shown and answered now. */
const isOpen = (id: Parameter): Sql => sql`
  s.tenant_id = ${TENANT} and s.id = ${id} and c.tenant_id = ${TENANT} and c.id = s.conversation_id
  and s.not_sent is null and s.expires_at > clock_timestamp() and c.redacted_at is null and k.erased_at is null
  and k.deleted_at is null and w.deleted_at is null and w.status <> 'archived'`;
const COMMENTABLE = sql`
  s.score is not null and s.comment is null and s.rated_at > clock_timestamp() - interval '1 day'`;

export const GET_SURVEY = one<OpenSurvey, { id: string }>(
  "surveys.get",
  TOKEN,
  ({ id }) => sql`
    select s.scale, s.question, s.question_language as "questionLanguage", s.language, s.score, b.name as brand,
      w.name as workspace, ${logoOf("w")} as "logoUrl", coalesce(${COMMENTABLE}, false) as commentable
    from csat_survey s, ${PLACE}
    where ${isOpen(id)}`,
);

/** Locks the conversation first, as messages and erasures do. */
export const LOCK_CONVERSATION = query<{ id: string }>()(
  "surveys.lockConversation",
  TOKEN,
  ({ id }) => sql`
    select c.id from csat_survey s
    join conversation c on c.tenant_id = ${TENANT} and c.id = s.conversation_id
    where s.tenant_id = ${TENANT} and s.id = ${id}
    for no key update of c`,
);

export type RatedSurvey = Pick<
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

/**
 * Stores the first answer, and its score in the conversation. No row: the survey is answered or closed, or does not have
 * this score.
 */
export const RATE = query<{ id: string; score: number; comment: string | null }, RatedSurvey>()(
  "surveys.rate",
  TOKEN,
  ({ id, score, comment }) => sql`
    with rated as (
      update csat_survey s set score = ${score}::smallint, comment = ${comment}, rated_at = clock_timestamp()
      from ${PLACE}
      where ${isOpen(id)} and s.score is null and ${score}::int between 1 and s.scale
      returning s.workspace_id, s.conversation_id, s.channel_id, s.member_id, s.agent_ids, s.kb_entry_ids, s.scale,
        s.low_score_threshold, s.score, s.rated_at
    ), scored as (
      update conversation c set csat_score = r.score, last_activity_at = r.rated_at, updated_at = r.rated_at
      from rated r where c.tenant_id = ${TENANT} and c.id = r.conversation_id
    )
    select workspace_id as "workspaceId", conversation_id as "conversationId", channel_id as "channelId",
      member_id as "memberId", agent_ids as "agentIds", kb_entry_ids as "kbEntryIds", scale,
      low_score_threshold as "lowScoreThreshold"
    from rated`,
);

/** Adds a comment to an answer, once, within a day. */
export const ADD_COMMENT = query<{ id: string; comment: string }>()(
  "surveys.addComment",
  TOKEN,
  ({ id, comment }) => sql`
    update csat_survey s set comment = ${comment} from ${PLACE}
    where ${isOpen(id)} and ${COMMENTABLE}
    returning s.workspace_id as "workspaceId"`,
);

/** Locks in the order of ids, as the counting of citations does, so that neither deadlocks the other. */
export const COUNT_HELPFUL = query<{ kbEntryIds: readonly string[] }>()(
  "surveys.countHelpful",
  TOKEN,
  ({ kbEntryIds }) => sql`
    with held as (
      select k.id from kb_entry k
      where k.tenant_id = ${TENANT} and k.id = any(${kbEntryIds}::uuid[])
      order by k.id for no key update
    )
    update kb_entry k set helpful = k.helpful + 1 from held h where k.tenant_id = ${TENANT} and k.id = h.id`,
);
