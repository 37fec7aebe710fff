import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import { isWithContact } from "../../conversations/participants/participants.queries.js";
import type { Thresholds } from "./decision.js";
import { THRESHOLDS } from "./thresholds.js";
import { type Proof, PROOFS } from "./proofs.js";

/** What was said: newest last. */
export interface Said {
  sequence: number;
  direction: "inbound" | "outbound";
  authorType: string;
  body: string;
}
/** One of the two entries that the contact was asked about. */
export interface Option {
  kbEntryId: string;
  question: string;
}
/** What a run knows of its conversation, beginning at its last resolution. */
export interface Context {
  workspaceId: string;
  channelType: string;
  subject: string | null;
  primaryLanguage: string;
  /** The contact's language, if it is known. */
  language: string | null;
  /** Why the assistant must not answer; null if it may. */
  off: string | null;
  thresholds: Thresholds;
  messages: Said[];
  /** Which of them ask for proof of identity, and answer. See `withoutProofs`. */
  proofs: Proof[];
  /** Whether the conversation is in a procedure, or may begin one. */
  procedures: boolean;
  /**
   * Sequence number of the message that got a question back, the entries that it named, if any, and whether it was the second one in a row.
   * Null if the contact has got an answer since.
   */
  clarified: { sequence: number; options: Option[] | null; again: boolean } | null;
}

/** So many of the newest messages are read. */
export const MAX_MESSAGES = 50;

/** A trigger copies the type of the channel into each conversation. */
export const GET_CONTEXT = query<{ conversationId: string; max: number }, Context, "channelType">()(
  "assistant.context",
  { unrestricted: "it is run about the conversation of a run, or about one that was read within the caller's reach" },
  ({ conversationId, max }) => sql`
    select c.workspace_id as "workspaceId", c.channel_type as "channelType", c.subject,
      w.primary_language as "primaryLanguage", coalesce(c.language, k.language) as language,
      case when c.handling_mode = 'human' then 'A person handles the conversation'
        when c.status = 'resolved' then 'The conversation is resolved'
        when not (w.assistant_enabled and w.status = 'active') then 'The assistant is off in the workspace'
      end as off,
      ${THRESHOLDS} as thresholds,
      (
        select coalesce(json_agg(json_build_object(
          'sequence', m.sequence, 'direction', m.direction, 'authorType', m.author_type, 'body', m.body
        ) order by m.sequence), '[]')
        from (
          select m.sequence, m.direction, m.author_type, m.body from message m
          where m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.sequence > c.context_from
            and m.direction <> 'internal' and ${isWithContact(sql`c.contact_id`)}
          order by m.sequence desc limit ${max}
        ) m
      ) as messages,
      ${PROOFS} as proofs,
      exists (
        select from procedure_run o
        where o.tenant_id = ${TENANT} and o.conversation_id = c.id and o.ended_at is null
      ) or exists (
        select from procedure p
        where p.tenant_id = ${TENANT} and p.workspace_id = c.workspace_id and p.status = 'active'
      ) as procedures,
      (
        select case when r.outcome = 'clarified' then json_build_object('sequence', r.sequence, 'options', (
          select s.detail -> 'options' from assistant_step s
          where s.tenant_id = ${TENANT} and s.run_id = r.id and s.type = 'send'
        ), 'again', r.before is not distinct from 'clarified') end
        from (
          select r.id, r.sequence, r.outcome, lag(r.outcome) over (order by r.sequence) as before from assistant_run r
          where r.tenant_id = ${TENANT} and r.conversation_id = c.id and r.sequence > c.context_from
            and (r.outcome = 'answered' or r.outcome = 'clarified' and not exists (
              select from assistant_step s
              where s.tenant_id = ${TENANT} and s.run_id = r.id and s.type = 'procedure'
            ))
        ) r
        order by r.sequence desc limit 1
      ) as clarified
    from conversation c
      join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
      join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
      left join assistant_settings x on x.tenant_id = ${TENANT} and x.workspace_id = w.id
    where c.tenant_id = ${TENANT} and c.id = ${conversationId}`,
);
export const ALL_OF_CONTEXT = { max: MAX_MESSAGES };
