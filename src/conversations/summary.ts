import { type Parameter, type Sql, sql, TENANT } from "../platform/database/sql.js";

/** The assignments that give the conversation `t` this summary, unless a person or an integration wrote one. */
export const summarised = (summary: Parameter | Sql): Sql => sql`
      summary = case when t.summary is null or t.summary_derived then coalesce(${summary}, t.summary) else t.summary end,
      summary_derived = t.summary is null or t.summary_derived`;

/** The start of a message `m`, on one line. */
const START = sql`left(regexp_replace(btrim(left(m.body, 1000)), '\\s+', ' ', 'g'), 200)
          || case when length(m.body) > 200 then '…' else '' end`;

/**
 * The message `m` asks the contact for proof of who they are, or answers. The answer is for the comparison alone. Until one was
 * compared, all that the contact writes after the question may be the answer.
 */
const IS_PROOF = sql`exists (
                select from tool_call l
                where l.tenant_id = ${TENANT} and l.conversation_id = t.id and l.tool = 'ask_verification' and l.called
                  and m.sequence >= (l.arguments ->> 'sequence')::int
                  and (m.sequence = (l.arguments ->> 'sequence')::int or m.direction = 'inbound' and (
                    l.outcome is null or m.sequence <= (l.outcome -> 'value' ->> 'until')::int))
              )`;

/**
 * The longest of three messages says more than a greeting or a farewell.
 * @param unwritten selects `body, sequence` of a message that this statement writes
 */
const longest = (which: Sql, order: Sql, unwritten?: Sql): Sql => {
  const written = sql`
              select m.body, m.sequence from message m
              where m.tenant_id = ${TENANT} and m.conversation_id = t.id and m.sequence > t.context_from and ${which}
                and not ${IS_PROOF}
              order by ${order} limit 3`;
  const both =
    unwritten && sql`select m.body, m.sequence from ((${written}) union all ${unwritten}) m order by ${order} limit 3`;
  return sql`
            select ${START} from (${both ?? written}
            ) m
            order by length(m.body) desc, ${order} limit 1`;
};

const ASKED = longest(sql`m.direction = 'inbound'`, sql`m.sequence`);

/** What the contact asked at first since the conversation `t` was last resolved, in quotes. Null if they wrote nothing. */
export const QUESTION = sql`('“' || (${ASKED}) || '”')`;

/**
 * What the contact asked at first since the conversation `t` was last resolved, and what they were answered at last. Their own words:
 * nothing is made up.
 * @param reply selects `body, sequence` of the reply that this statement writes
 */
export const questionAndAnswer = (reply?: Sql): Sql => sql`(
        select nullif(concat_ws(' → ', '“' || q.asked || '”', '“' || q.answered || '”'), '') from (
          select (${ASKED}) as asked, (${longest(
            sql`m.direction = 'outbound' and m.author_type <> 'system'`,
            sql`m.sequence desc`,
            reply,
          )}) as answered
        ) q
      )`;
export const QUESTION_AND_ANSWER = questionAndAnswer();
