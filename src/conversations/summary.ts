import { type Parameter, type Sql, sql, TENANT } from "../platform/database/sql.js";

/** The assignments that give the conversation `t` this summary, unless a person or an integration wrote one. */
export const summarised = (summary: Parameter | Sql): Sql => sql`
      summary = case when t.summary is null or t.summary_derived then coalesce(${summary}, t.summary) else t.summary end,
      summary_derived = t.summary is null or t.summary_derived`;

/** The start of a message `m`, on one line. */
const START = sql`left(regexp_replace(btrim(left(m.body, 1000)), '\\s+', ' ', 'g'), 200)
          || case when length(m.body) > 200 then '…' else '' end`;

/** The longest of three messages says more than a greeting or a farewell. */
const longest = (which: Sql, order: Sql): Sql => sql`
            select ${START} from (
              select m.body, m.sequence from message m
              where m.tenant_id = ${TENANT} and m.conversation_id = t.id and m.sequence > t.context_from and ${which}
              order by ${order} limit 3
            ) m
            order by length(m.body) desc, ${order} limit 1`;

/**
 * What the contact asked at first since the conversation `t` was last resolved, and what they were answered at last. Their own words:
 * nothing is made up.
 */
export const QUESTION_AND_ANSWER = sql`(
        select nullif(concat_ws(' → ', '“' || q.asked || '”', '“' || q.answered || '”'), '') from (
          select (${longest(sql`m.direction = 'inbound'`, sql`m.sequence`)}) as asked, (${longest(
            sql`m.direction = 'outbound' and m.author_type <> 'system'`,
            sql`m.sequence desc`,
          )}) as answered
        ) q
      )`;
