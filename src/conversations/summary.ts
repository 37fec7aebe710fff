import { type Parameter, type Sql, sql, TENANT } from "../platform/database/sql.js";

/** The assignments that give the conversation `t` this summary, unless a person or an integration wrote one. */
export const summarised = (summary: Parameter | Sql): Sql => sql`
      summary = case when t.summary is null or t.summary_derived then coalesce(${summary}, t.summary) else t.summary end,
      summary_derived = t.summary is null or t.summary_derived`;

/** The start of a message `m`, on one line. */
const START = sql`left(regexp_replace(btrim(left(m.body, 1000)), '\\s+', ' ', 'g'), 200)
          || case when length(m.body) > 200 then '…' else '' end`;

/** What the contact asked first since the conversation `t` was last resolved, and what they were answered last. Their own words: nothing is made up. */
export const QUESTION_AND_ANSWER = sql`(
        select nullif(concat_ws(' → ', '“' || q.asked || '”', '“' || q.answered || '”'), '') from (
          select (
            select ${START} from message m
            where m.tenant_id = ${TENANT} and m.conversation_id = t.id and m.sequence > t.context_from
              and m.direction = 'inbound'
            order by m.sequence limit 1
          ) as asked, (
            select ${START} from message m
            where m.tenant_id = ${TENANT} and m.conversation_id = t.id and m.sequence > t.context_from
              and m.direction = 'outbound' and m.author_type <> 'system'
            order by m.sequence desc limit 1
          ) as answered
        ) q
      )`;
