import type { UnsupportedSentences, Wording } from "../../knowledge/agents/agent.entity.js";
import { type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import { ANSWERING } from "../context/answering.js";
import { addSteps } from "../tools/steps.queries.js";

const OF_RUN = { unrestricted: "only the assistant runs it, about the conversation of a run" };
const TODAY = sql`(clock_timestamp() at time zone 'UTC')::date`;
/** All tokens of a workspace today. */
export const tokensToday = (workspaceId: Sql): Sql => sql`(
        select coalesce(sum(k.input_tokens + k.output_tokens), 0)::float8 from consumption k
        where k.tenant_id = ${TENANT} and k.day = ${TODAY} and k.workspace_id = ${workspaceId}
      )`;
const TOKENS_TODAY = tokensToday(sql`r.workspace_id`);
/** Counts tokens of the workspaces that `from` gives. */
const countTokens = (from: Sql, workspaceId: Sql, input: Parameter, output: Parameter, where = sql`true`): Sql => sql`
      insert into consumption as k (tenant_id, day, workspace_id, slot, inbound, outbound, input_tokens, output_tokens)
      select ${TENANT}, ${TODAY}, ${workspaceId}, 1 + pg_backend_pid() % 64, 0, 0, ${input}::int, ${output}::int
      from ${from} where ${where} and ${input}::int + ${output}::int > 0
      on conflict (tenant_id, day, workspace_id, slot) do update set
        input_tokens = k.input_tokens + excluded.input_tokens, output_tokens = k.output_tokens + excluded.output_tokens`;

/** What a run needs before it asks the model. No row: its agent is gone. */
interface Prepared {
  instructions: string;
  unsupportedSentences: UnsupportedSentences;
  wording: Wording;
  tokensToday: number;
}
export const PREPARE = query<{ id: string }, Prepared>()(
  "assistant.prepareModel",
  OF_RUN,
  ({ id }) => sql`
    select i.instructions, a.unsupported_sentences as "unsupportedSentences", a.wording, ${TOKENS_TODAY} as "tokensToday"
    from assistant_run r
      join agent_instructions i on i.tenant_id = ${TENANT} and i.agent_id = r.agent_id
        and i.version = r.instructions_version
      join agent a on a.tenant_id = ${TENANT} and a.id = r.agent_id
    where r.tenant_id = ${TENANT} and r.id = ${id}`,
);

interface AddArgs {
  id: string;
  attempts: number;
  /** JSON: `Step[]` */
  steps: string;
  inputTokens: number;
  outputTokens: number;
}
/** The run after it: why it has nothing to say any more, if so. */
export interface StillOn {
  workspaceId: string;
  off: string | null;
  /** All tokens of the workspace today, with those of the runs beside it. */
  tokensToday: number;
}
/**
 * Writes steps while the run goes on, and counts their tokens. So what a run has cost is known though its process dies. No row: an
 * erasure has removed the run. The run is locked.
 */
export const ADD_STEPS = query<AddArgs, StillOn>()(
  "assistant.addSteps",
  OF_RUN,
  ({ id, attempts, steps, inputTokens, outputTokens }) => sql`
    with run as (
      select r.* from assistant_run r where r.tenant_id = ${TENANT} and r.id = ${id}
    ), added as (${addSteps(id, steps, sql` and r.outcome is null and r.attempts = ${attempts}::int`)}
    ), counted as (${countTokens(sql`run r`, sql`r.workspace_id`, inputTokens, outputTokens)}
    )
    select r.workspace_id as "workspaceId",
      ${TOKENS_TODAY} + ${inputTokens}::int + ${outputTokens}::int as "tokensToday",
      case when r.outcome is not null or r.attempts <> ${attempts}::int then 'Another process carries it on'
        when c.handling_mode = 'human' then 'A person handles the conversation'
        when c.status = 'resolved' then 'The conversation is resolved'
        when c.last_turn > r.sequence then 'Something was said after the message'
      end as off
    from run r join conversation c on c.tenant_id = ${TENANT} and c.id = r.conversation_id`,
);

const FOR_PEOPLE = { unrestricted: "the conversation was read within the caller's reach" };
/** The same for a draft, which no run asks for. No row: no agent answers in the workspace. */
export const PREPARE_DRAFT = query<{ workspaceId: string }, Prepared>()(
  "assistant.prepareDraft",
  FOR_PEOPLE,
  ({ workspaceId }) => sql`
    select i.instructions, a.unsupported_sentences as "unsupportedSentences", a.wording,
      ${tokensToday(sql`w.id`)} as "tokensToday"
    from workspace w
      cross join lateral (${ANSWERING}) g
      join agent a on a.tenant_id = ${TENANT} and a.id = g.id
      join agent_instructions i on i.tenant_id = ${TENANT} and i.agent_id = g.id and i.version = g.instructions_version
    where w.tenant_id = ${TENANT} and w.id = ${workspaceId}`,
);
export const COUNT_TOKENS = query<{ workspaceId: string; inputTokens: number; outputTokens: number }>()(
  "assistant.countTokens",
  FOR_PEOPLE,
  ({ workspaceId, inputTokens, outputTokens }) =>
    countTokens(
      sql`workspace w`,
      sql`w.id`,
      inputTokens,
      outputTokens,
      sql`w.tenant_id = ${TENANT} and w.id = ${workspaceId}`,
    ),
);
