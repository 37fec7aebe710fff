import { type Sql, sql, TENANT } from "../../platform/database/sql.js";

/** Messages that asked the contact for proof of who they are, or answered: from the question to the last one of its answer. */
export interface Proof {
  asked: number;
  /** Null for a question that nobody answered, because it was not needed any more. */
  until: number | null;
  /** Nobody has compared an answer yet. */
  open: boolean;
}
/** Those of the conversation `c`, as JSON. */
export const PROOFS: Sql = sql`(
        select coalesce(json_agg(json_build_object('asked', (l.arguments ->> 'sequence')::int,
          'until', (l.outcome -> 'value' ->> 'until')::int, 'open', l.outcome is null)), '[]')
        from tool_call l
        where l.tenant_id = ${TENANT} and l.conversation_id = c.id and l.tool = 'ask_verification' and l.called
          and (l.arguments ->> 'sequence')::int > c.context_from
      )`;

/** Whether the message `m` asked for proof of identity, or answers: in all of its conversation, as `withoutProofs` has it since the last resolution. */
export const IS_PROOF: Sql = sql`exists (
        select from tool_call l
        where l.tenant_id = ${TENANT} and l.conversation_id = m.conversation_id and l.tool = 'ask_verification' and l.called
          and (m.sequence = (l.arguments ->> 'sequence')::int
            or (m.direction = 'inbound' and m.sequence > (l.arguments ->> 'sequence')::int
              and (l.outcome is null or m.sequence <= (l.outcome -> 'value' ->> 'until')::int)))
      )`;
