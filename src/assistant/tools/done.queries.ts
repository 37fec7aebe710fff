import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";

/** Until the transaction ends, nobody else counts what was done for the contact. Who locks a conversation, too, does that first. */
export const LOCK_DONE = query<{ contactId: string }>()(
  "toolCalls.lockDone",
  { unrestricted: "it takes an advisory lock and reads no rows" },
  ({ contactId }) =>
    sql`select pg_advisory_xact_lock(hashtextextended('done ' || ${TENANT}::text || ' ' || ${contactId}::text, 0))`,
);

interface CountArgs {
  contactId: string;
  workspaceId: string;
  /** JSON: a list of `{n, tool, path, seconds}` */
  wanted: string;
  /** The call itself, if it was noted before: it does not count. */
  runId: string | null;
  actionId: string | null;
  hash: string;
}
/** The largest number that a program reads. */
const MOST = sql`1.7976931348623157e308::numeric`;
/**
 * For each that is wanted, in their order: how many calls of the tool were made for the contact in the workspace, and the sum of an
 * argument of theirs. A call counts from when it begins, and unless it is known that it was not done.
 */
export const COUNT_DONE = query<CountArgs, { count: number; sum: number }>()(
  "toolCalls.countDone",
  { unrestricted: "only the assistant runs it, about the contact of a conversation that it works on" },
  ({ contactId, workspaceId, wanted, runId, actionId, hash }) => sql`
    select count(d.given)::int as count, greatest(-${MOST}, least(${MOST}, coalesce(sum(
        case when jsonb_typeof(d.given #> w.path) = 'number' then (d.given #>> w.path)::numeric end
      ), 0)))::float8 as sum
    from jsonb_to_recordset(${wanted}::jsonb) w (n int, tool text, path text[], seconds int)
      left join lateral (
        select l.arguments as given
        from conversation c join tool_call l on l.tenant_id = ${TENANT} and l.conversation_id = c.id
        where c.tenant_id = ${TENANT} and c.contact_id = ${contactId} and c.workspace_id = ${workspaceId}
          and l.tool = w.tool and l.called and l.created_at > clock_timestamp() - make_interval(secs => w.seconds)
          and not coalesce(l.run_id = ${runId}::uuid and l.arguments_hash = ${hash}, false)
          and (l.outcome is null or l.outcome ->> 'kind' = 'escalated' or (
            l.outcome ->> 'kind' = 'result' and jsonb_typeof(l.outcome #> '{value,error}') is distinct from 'string'
          ))
        union all
        select p.arguments
        from conversation c join pending_action p on p.tenant_id = ${TENANT} and p.conversation_id = c.id
        where c.tenant_id = ${TENANT} and c.contact_id = ${contactId} and c.workspace_id = ${workspaceId}
          and p.tool = w.tool and p.started_at > clock_timestamp() - make_interval(secs => w.seconds)
          and p.id is distinct from ${actionId}::uuid
          and (p.status <> 'failed' or p.result ->> 'code' = 'unknown')
      ) d on true
    group by w.n order by w.n`,
);
