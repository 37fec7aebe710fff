import type { AssuranceLevel, DemandedLevel } from "../../conversations/assurance-level.js";
import { LEVEL } from "../../identity/verification/assurance-level.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";

const OF_RUN = { unrestricted: "only the assistant runs it, about the conversation of a run" };

/** A question is a call of the tool `ask_verification`. `sequence` is the message in which it was asked. */
interface Question {
  questionId: string;
  level: DemandedLevel;
  sequence: number;
}
export interface OpenQuestion extends Question {
  id: string;
  /** The level that the conversation has now. */
  reached: AssuranceLevel;
  /** What came of an answer that was compared, by a process that has died since; null if none was. */
  correct: boolean | null;
  /** The last message of that answer; null if none was begun to be compared. */
  answered: number | null;
}
/** The question that the contact was asked last and has not answered, since the conversation's last resolution. */
export const OPEN_QUESTION = query<{ conversationId: string }, OpenQuestion>()(
  "verificationDialogue.open",
  OF_RUN,
  ({ conversationId }) => sql`
    select l.id, l.arguments ->> 'questionId' as "questionId", l.arguments ->> 'level' as level,
      (l.arguments ->> 'sequence')::int as sequence, ${LEVEL} as reached, q.correct,
      (l.arguments ->> 'answered')::int as answered
    from tool_call l
      join conversation c on c.tenant_id = ${TENANT} and c.id = l.conversation_id
      left join verification_question q on q.tenant_id = ${TENANT} and q.id = (l.arguments ->> 'questionId')::uuid
    where l.tenant_id = ${TENANT} and l.conversation_id = ${conversationId} and l.tool = 'ask_verification'
      and l.called and l.outcome is null and (l.arguments ->> 'sequence')::int > c.context_from
    order by l.created_at desc, l.id desc limit 1`,
);

interface Asked extends Omit<Question, "sequence"> {
  id: string;
  conversationId: string;
  runId: string;
  /** In which it was asked. */
  messageId: string;
}
/** Notes what the contact was asked. The conversation is locked, so one question is open at a time. */
export const NOTE_QUESTION = query<Asked>()(
  "verificationDialogue.note",
  OF_RUN,
  ({ id, conversationId, runId, messageId, questionId, level }) => sql`
    insert into tool_call (tenant_id, id, conversation_id, run_id, tool, arguments, arguments_hash, effect, called)
    select ${TENANT}, ${id}, m.conversation_id, ${runId}, 'ask_verification', jsonb_build_object(
        'questionId', ${questionId}::text, 'level', ${level}::text, 'sequence', m.sequence), ${questionId}, 'read', true
    from message m
    where m.tenant_id = ${TENANT} and m.conversation_id = ${conversationId} and m.id = ${messageId}`,
);

/** Notes which message is compared now: if the process dies of it, what came later is no part of the answer. */
export const NOTE_ANSWER = query<{ id: string; sequence: number }>()(
  "verificationDialogue.noteAnswer",
  OF_RUN,
  ({ id, sequence }) => sql`
    update tool_call l set arguments = l.arguments || jsonb_build_object('answered', ${sequence}::int)
    where l.tenant_id = ${TENANT} and l.id = ${id}`,
);

/**
 * The version of the instructions of the workspace's own verification agent: the oldest active one that lists the workspace.
 * The platform's own has no instructions that anybody wrote.
 */
export const VERIFIER_VERSION = query<{ conversationId: string }>()(
  "verificationDialogue.verifier",
  OF_RUN,
  ({ conversationId }) => sql`
    select a.instructions_version::text as version
    from conversation c
      join agent_workspace p on p.tenant_id = ${TENANT} and p.workspace_id = c.workspace_id
      join agent a on a.tenant_id = ${TENANT} and a.id = p.agent_id
    where c.tenant_id = ${TENANT} and c.id = ${conversationId} and a.role = 'verification' and a.kind = 'custom'
      and a.status = 'active'
    order by a.created_at, a.id limit 1`,
);
