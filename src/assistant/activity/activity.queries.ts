import { joined, literal, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { isConversationInReach, page, polled, projection, time } from "../../platform/database/statements.js";
import type { AgentRunDto, AgentStepDto } from "./activity.dto.js";

/** A step `s`. What `detail` does not have is null. */
const detail = (field: string): Sql => sql`s.detail -> ${literal(field)}`;
const STEP: Record<keyof AgentStepDto, Sql> = {
  type: sql`s.type`,
  at: time(sql`s.at`),
  durationMs: sql`s.duration_ms`,
  question: detail("question"),
  entries: detail("entries"),
  decision: detail("decision"),
  tool: detail("tool"),
  arguments: detail("arguments"),
  effect: detail("effect"),
  reason: detail("reason"),
  failure: detail("failure"),
  model: detail("model"),
  inputTokens: detail("inputTokens"),
  outputTokens: detail("outputTokens"),
  action: detail("action"),
  error: detail("error"),
  procedureId: detail("procedureId"),
  procedureStep: detail("procedureStep"),
  did: detail("did"),
  cutSentences: detail("cutSentences"),
  messageId: detail("messageId"),
};

/** Newest first. */
export const LIST_RUNS = polled(
  page<AgentRunDto, { conversationId: string }>(
    "assistant.activity",
    "restricted",
    ({ conversationId, limit, after0 }) => ({
      rows: sql`
      select r.* from assistant_run r
      where r.tenant_id = ${TENANT} and r.conversation_id = ${conversationId}
        and r.sequence < case when ${after0}::int is null then 2147483647 else ${after0}::int end
      order by r.sequence desc limit ${limit} + 1`,
      position: [sql`r.sequence`],
      item: projection<AgentRunDto>({
        id: sql`r.id`,
        conversationId: sql`r.conversation_id`,
        messageId: sql`r.message_id`,
        agentId: sql`r.agent_id`,
        instructionsVersion: sql`r.instructions_version`,
        startedAt: time(sql`r.started_at`),
        endedAt: time(sql`r.ended_at`),
        waitsFor: sql`r.waits_for`,
        outcome: sql`r.outcome`,
        reason: sql`r.reason`,
        steps: sql`(
          select coalesce(json_agg(json_build_object(${joined(
            Object.entries(STEP).map(([field, value]) => sql`${literal(field)}, ${value}`),
            ", ",
          )}) order by s.position), '[]')
          from assistant_step s where s.tenant_id = ${TENANT} and s.run_id = r.id
        )`,
      }),
      visible: isConversationInReach(conversationId),
    }),
  ),
);
