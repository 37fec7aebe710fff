import type { Environment } from "../../../platform/caller/caller.js";
import { sql, TENANT } from "../../../platform/database/sql.js";
import { globalQuery, query } from "../../../platform/database/statements.js";
import type { DueRow } from "../../../platform/jobs/due-queue.js";
import { dueInTurn, lagOf, type Room } from "../../../platform/jobs/due-rows.js";
import type { CsatSurveyEntity } from "../csat.entity.js";

const ONLY_JOB = { unrestricted: "only the job that sends surveys runs it" };

/** A resolved conversation whose survey is due. `until` is the lease: if it has changed, the conversation was resolved again. */
export interface DueSurvey extends DueRow {
  environment: Environment;
  until: string;
}

export const CLAIM_SURVEYS = globalQuery<Room & { seconds: number }, DueSurvey>()(
  "surveys.claimDue",
  "everywhere",
  (room) => sql`
    update csat_due d set due_at = clock_timestamp() + make_interval(secs => ${room.seconds})
    from tenant t
    where t.id = d.tenant_id and (d.tenant_id, d.conversation_id) in (
      ${dueInTurn({ table: sql`csat_due`, id: sql`conversation_id` }, room)}
    )
    returning d.tenant_id as "tenantId", d.conversation_id as id, t.environment, d.due_at::text as until`,
);

export const SURVEYS_LAG = lagOf("surveys", sql`csat_due`);

/**
 * Locks in the same order as messages, merges and erasures, so what they do to the conversation or its contact is either
 * done, or waits.
 */
export const LOCK_CONVERSATION = query<{ conversationId: string }>()(
  "surveys.lockDueConversation",
  ONLY_JOB,
  ({ conversationId }) => sql`
    select contact_id as "contactId" from conversation
    where tenant_id = ${TENANT} and id = ${conversationId}
    for no key update`,
);
export const LOCK_CONTACT = query<{ contactId: string }>()(
  "surveys.lockContact",
  ONLY_JOB,
  ({ contactId }) => sql`
    select 1 from contact where tenant_id = ${TENANT} and id = ${contactId} for no key update`,
);

/** No row: the conversation was resolved again or merged since, or another process was faster. */
export const TAKE_DUE = query<{ conversationId: string; until: string }>()(
  "surveys.takeDue",
  ONLY_JOB,
  ({ conversationId, until }) => sql`
    delete from csat_due
    where tenant_id = ${TENANT} and conversation_id = ${conversationId} and due_at = ${until}::timestamptz
    returning 1`,
);

/** Who is asked, about what. */
export type Candidate = Pick<
  CsatSurveyEntity,
  "workspaceId" | "channelId" | "contactId" | "memberId" | "agentIds" | "kbEntryIds" | "scale" | "lowScoreThreshold"
> & {
  /** The contact's language, then the workspace's. */
  languages: string[];
  questions: Record<string, string>;
  brand: string;
  /** Whether the channel is active. */
  active: boolean;
};

/**
 * No row: the contact is not to be asked. Their row is locked, so two of their conversations cannot both ask them at the
 * same moment. A survey that could not be sent does not count against `askOncePerDays`.
 */
export const FIND_CANDIDATE = query<{ conversationId: string }, Candidate>()(
  "surveys.findCandidate",
  ONLY_JOB,
  ({ conversationId }) => sql`
    select c.workspace_id as "workspaceId", c.channel_id as "channelId", c.contact_id as "contactId", f.scale,
      f.low_score_threshold as "lowScoreThreshold", f.questions, b.name as brand,
      array_remove(array[coalesce(c.language, k.language), w.primary_language], null) as languages,
      ch.status = 'active' as active,
      coalesce(c.assignee_id, (
        select m.author_id from message m
        where m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.author_type = 'member'
          and m.direction = 'outbound'
        order by m.sequence desc limit 1
      )) as "memberId",
      array(
        select distinct m.author_id from message m
        where m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.author_type = 'assistant'
          and m.author_id is not null
      ) as "agentIds",
      array(
        select distinct (i ->> 'kbEntryId')::uuid
        from message m cross join lateral jsonb_array_elements(m.citations) i
        where m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.direction = 'outbound'
      ) as "kbEntryIds"
    from conversation c
    join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
    join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
    join brand b on b.tenant_id = ${TENANT} and b.id = w.brand_id
    join channel ch on ch.tenant_id = ${TENANT} and ch.id = c.channel_id
    join csat_config f on f.tenant_id = ${TENANT} and f.workspace_id = c.workspace_id
    where c.tenant_id = ${TENANT} and c.id = ${conversationId} and c.status = 'resolved'
      and coalesce(c.resolution, 'answered') not in ('spam', 'duplicate') and c.redacted_at is null
      and k.erased_at is null and k.deleted_at is null and k.merged_into_id is null and not k.blocked
      and w.deleted_at is null and w.status <> 'archived' and f.enabled
      and exists (
        select from message m
        where m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.direction = 'inbound'
      )
      and exists (
        select from message m
        where m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.direction = 'outbound'
          and m.author_type <> 'system'
      )
      and not exists (
        select from csat_survey s
        where s.tenant_id = ${TENANT} and s.contact_id = k.id and s.workspace_id = c.workspace_id
          and s.not_sent is null and s.asked_at > clock_timestamp() - make_interval(days => f.ask_once_per_days)
      )`,
);

type NewSurvey = Omit<Candidate, "languages" | "questions" | "brand" | "active"> &
  Pick<CsatSurveyEntity, "id" | "conversationId" | "question" | "questionLanguage" | "language" | "notSent"> & {
    validDays: number;
  };
/** SQL, because the time until which it is valid is the database's. */
export const INSERT_SURVEY = query<NewSurvey>()("surveys.insert", ONLY_JOB, (survey) => {
  const { id, workspaceId, conversationId, contactId, channelId, memberId, agentIds, kbEntryIds } = survey;
  const { scale, lowScoreThreshold, question, questionLanguage, language, notSent, validDays } = survey;
  return sql`
    insert into csat_survey (
      tenant_id, id, workspace_id, conversation_id, contact_id, channel_id, member_id, agent_ids, kb_entry_ids, scale,
      low_score_threshold, question, question_language, language, expires_at, not_sent
    )
    values (
      ${TENANT}, ${id}, ${workspaceId}, ${conversationId}, ${contactId}, ${channelId}, ${memberId}, ${agentIds},
      ${kbEntryIds}, ${scale}, ${lowScoreThreshold}, ${question}, ${questionLanguage}, ${language},
      clock_timestamp() + make_interval(days => ${validDays}::int), ${notSent}
    )`;
});
