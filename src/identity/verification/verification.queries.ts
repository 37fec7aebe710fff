import { type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { one, projection, query, REACHABLE, time } from "../../platform/database/statements.js";
import { SETTINGS } from "../settings/identity-settings.js";
import { LEVEL } from "./assurance-level.js";
import type { AssuranceDto, EidApprovalDto, VerifiedFactorDto, PendingLinkDto } from "./verification.dto.js";
import { locks } from "./wrong-answer-caps.js";

export const GET_ASSURANCE = one<AssuranceDto, { conversationId: string; pepper: Buffer }>(
  "verification.getAssurance",
  "restricted",
  ({ conversationId, pepper }) => sql`
    select ${projection<AssuranceDto>({
      level: LEVEL,
      factors: sql`(
        select coalesce(json_agg(i), '[]')
        from (
          select ${projection<VerifiedFactorDto>({
            factorType: sql`f.factor_type`,
            factorCategory: sql`f.factor_category`,
            addedAt: time(sql`f.added_at`),
            expiresAt: time(sql`f.expires_at`),
          })}
          from verification_factor f
          where f.tenant_id = ${TENANT} and f.conversation_id = c.id and f.expires_at > clock_timestamp()
          order by f.added_at desc, f.id
        ) i
      )`,
      locks: locks(pepper),
      eid: sql`json_build_object('bound', exists (
        select from eid_binding b where b.tenant_id = ${TENANT} and b.contact_id = c.contact_id
      ), 'approvals', (
        select coalesce(json_agg(i), '[]')
        from (
          select ${projection<EidApprovalDto>({
            requestId: sql`r.id`,
            scheme: sql`r.scheme`,
            approvedAt: time(sql`r.finished_at`),
            expiresAt: time(sql`r.confirmable_until`),
          })}
          from eid_request r
          where r.tenant_id = ${TENANT} and r.conversation_id = c.id and r.contact_id = c.contact_id
            and r.confirmable_until > clock_timestamp()
          order by r.finished_at desc, r.id
        ) i
      ))`,
      pendingLink: sql`(
        select row_to_json(i)
        from (
          select ${projection<PendingLinkDto>({
            linkId: sql`l.id`,
            channel: sql`l.channel`,
            code: sql`l.code`,
            expiresAt: time(sql`l.expires_at`),
          })}
          from magic_link l
          where l.tenant_id = ${TENANT} and l.conversation_id = c.id and l.redeemed_at is null
            and l.replaced_at is null and l.expires_at > clock_timestamp()
        ) i
      )`,
    })}
    from conversation c
    join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
    left join identity_settings s on s.tenant_id = ${TENANT} and s.workspace_id = w.id
    cross join lateral (select ${SETTINGS}) v
    where c.tenant_id = ${TENANT} and c.id = ${conversationId} and ${REACHABLE}`,
);

interface ChosenQuestion {
  source: string;
  key: string;
  prompt: string;
}
/** The questions that were asked least in the conversation so far. */
export const CHOOSE_QUESTIONS = query<{ workspaceId: string; conversationId: string; count: number }, ChosenQuestion>()(
  "verification.chooseQuestions",
  "checked",
  ({ workspaceId, conversationId, count }) => sql`
    select s.name as source, q->>'key' as key, q->>'prompt' as prompt
    from verification_source s
    cross join lateral jsonb_array_elements(s.questions) with ordinality as e (q, n)
    where s.tenant_id = ${TENANT} and s.workspace_id = ${workspaceId}
    order by (
      select count(*)
      from verification_question v
      where v.tenant_id = ${TENANT} and v.conversation_id = ${conversationId}
        and v.source = s.name and v.key = q->>'key'
    ), s.position, e.n
    limit ${count}`,
);

/** Counts different questions with a right answer that is young enough, since the last knowledge factor. */
export const COUNT_RIGHT_ANSWERS = query<{ conversationId: string; minutes: number }>()(
  "verification.countRightAnswers",
  "checked",
  ({ conversationId, minutes }) => sql`
    select count(distinct (q.source, q.key))::int as right
    from verification_question q
    where q.tenant_id = ${TENANT} and q.conversation_id = ${conversationId} and q.correct
      and q.answered_at > clock_timestamp() - make_interval(mins => ${minutes}::int)
      and q.answered_at > coalesce((
        select max(f.added_at)
        from verification_factor f
        where f.tenant_id = ${TENANT} and f.conversation_id = ${conversationId} and f.factor_type = 'kba_dynamic'
      ), '-infinity')`,
);

const attached = (table: Sql, workspaceId: Sql): Sql =>
  sql`exists (select from ${table} s where s.tenant_id = ${TENANT} and s.workspace_id = ${workspaceId})`;
/** Whether the workspace has any verification source, and any eID scheme. */
export const FIND_CONFIGURED = query<{ workspaceId: string }>()(
  "verification.findConfigured",
  "checked",
  ({ workspaceId }) => sql`
    select ${attached(sql`verification_source`, sql`${workspaceId}`)} as sources,
      ${attached(sql`eid_scheme`, sql`${workspaceId}`)} as schemes`,
);
