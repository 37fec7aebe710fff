import { conversationChange } from "../../conversations/conversation-change.js";
import { QUESTION, summarised } from "../../conversations/summary.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import { contextBegan } from "./tool-calls.queries.js";
import { failureOf, type ToolOutcome } from "./tool-calls.js";
import { withoutLinks } from "../context/links.js";
import { fill, textsIn } from "../context/texts.js";

const OF_RUN = { unrestricted: "only the assistant runs it, about the conversation of a run" };
/** Of the arguments, in characters. */
const MAX_ARGUMENTS = 200;

/** A call that changes something. */
export interface ChangingCall {
  tool: string;
  arguments: unknown;
  /** Null while the tool works, or if the process has died of it. */
  outcome: object | null;
}
/** The calls since the conversation's last resolution that changed something, or may have, oldest first. */
export const LIST_CHANGING = query<{ conversationId: string }, ChangingCall>()(
  "toolCalls.changing",
  OF_RUN,
  ({ conversationId }) => sql`
    select m.tool, m.arguments, m.outcome from (
      select l.created_at as at, l.tool, l.arguments, l.outcome
      from tool_call l
      where l.tenant_id = ${TENANT} and l.conversation_id = ${conversationId} and l.called and l.effect = 'write'
      union all
      select p.started_at, p.tool, p.arguments, case p.status
          when 'executed' then '{"kind": "result"}'::jsonb
          when 'failed' then case when p.result ->> 'code' <> 'unknown' then '{"kind": "refused", "reason": ""}'::jsonb end
        end
      from pending_action p
      where p.tenant_id = ${TENANT} and p.conversation_id = ${conversationId} and p.started_at is not null
    ) m
    where m.at > ${contextBegan(conversationId)}
    order by m.at limit 20`,
);

/** Adds a line to the summary, unless a person or an integration wrote it. */
export const ADD_TO_SUMMARY = conversationChange<{ line: string }>()("toolCalls.addToSummary", ({ line }) => ({
  set: summarised(sql`concat_ws(E'\n', coalesce(t.summary, ${QUESTION}), ${line}::text)`),
  changes: sql`true`,
}));

type State = "done" | "notDone" | "unknown";

export function stateOf(outcome: object | null): State {
  const came = outcome as ToolOutcome | null;
  if (!came || came.kind === "escalated") return "unknown";
  return failureOf(came) === null ? "done" : "notDone";
}

/** A call, and what is known of it, for a colleague to read: without links, which a model may have written. @param language ISO 639-1 */
export function lineOf({ tool, arguments: values, outcome }: ChangingCall, language: string): string {
  const given = withoutLinks(JSON.stringify(values));
  const shown = given.length > MAX_ARGUMENTS ? `${given.slice(0, MAX_ARGUMENTS)}…` : given;
  return fill(textsIn(language)[stateOf(outcome)], { call: `${tool} ${shown}` });
}
