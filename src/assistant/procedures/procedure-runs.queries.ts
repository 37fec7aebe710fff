import { IsNull } from "typeorm";
import type { AssuranceLevel } from "../../conversations/assurance-level.js";
import { LEVEL } from "../../identity/verification/assurance-level.js";
import { type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { addSteps } from "../tools/steps.queries.js";
import type { Step } from "./definition.js";
import { type ProcedureEnding, ProcedureRunEntity, type StartsWith } from "./procedure.entity.js";
import type { State } from "./state.js";

const OF_RUN = { unrestricted: "only the assistant runs it, about the conversation of a run" };

/** Steps as they are taken. */
export interface Taken {
  procedureId: string;
  version: number;
  steps: Step[];
  /** The answers of the approved entries among them, by id. */
  entries: Record<string, string>;
}
/** The answers of the approved entries that the steps of the version `v` say. */
export const entriesOf = (workspaceId: Sql): Sql => sql`(
          select coalesce(json_object_agg(e.id, e.answer), '{}')
          from jsonb_array_elements(v.steps) s
            join kb_entry e on e.tenant_id = ${TENANT} and e.id = (s ->> 'entryId')::uuid
          where e.workspace_id = ${workspaceId} and e.status = 'approved'
        )`;
const TAKEN = sql`'procedureId', v.procedure_id, 'version', v.version, 'steps', v.steps, 'entries', ${entriesOf(sql`c.workspace_id`)}`;

export interface OpenRun extends Taken {
  id: string;
  state: State;
}
export interface Start {
  procedureId: string;
  name: string;
  startsWith: StartsWith;
}
interface Known {
  workspaceId: string;
  level: AssuranceLevel;
  /** In UTC. */
  today: string;
  open: OpenRun | null;
  /** Those that may begin, by name. */
  starts: Start[];
}
/** What a run has to know of procedures. */
export const GET_PROCEDURES = query<{ conversationId: string; agentId: string }, Known>()(
  "procedures.ofConversation",
  OF_RUN,
  ({ conversationId, agentId }) => sql`
    select c.workspace_id as "workspaceId", ${LEVEL} as level,
      to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD') as today,
      (
        select json_build_object('id', o.id, 'state', o.state, ${TAKEN})
        from procedure_run o
          join procedure_version v on v.tenant_id = ${TENANT} and v.procedure_id = o.procedure_id and v.version = o.version
        where o.tenant_id = ${TENANT} and o.conversation_id = c.id and o.ended_at is null
      ) as open,
      (
        select coalesce(json_agg(json_build_object('procedureId', p.id, 'name', p.name, 'startsWith', p.starts_with) order by p.name), '[]')
        from procedure p
        where p.tenant_id = ${TENANT} and p.workspace_id = c.workspace_id and p.agent_id = ${agentId}
          and p.status = 'active'
      ) as starts
    from conversation c where c.tenant_id = ${TENANT} and c.id = ${conversationId}`,
);

/** The steps of a procedure that begins. No row: it is gone. */
export const GET_STEPS = query<{ conversationId: string; procedureId: string }, { taken: Taken }>()(
  "procedures.steps",
  OF_RUN,
  ({ conversationId, procedureId }) => sql`
    select json_build_object(${TAKEN}) as taken
    from conversation c
      join procedure p on p.tenant_id = ${TENANT} and p.id = ${procedureId} and p.workspace_id = c.workspace_id
      join procedure_version v on v.tenant_id = ${TENANT} and v.procedure_id = p.id and v.version = p.version
    where c.tenant_id = ${TENANT} and c.id = ${conversationId}`,
);

export interface SaveArgs {
  id: string;
  conversationId: string;
  procedureId: string;
  version: number;
  /** JSON: `State` */
  state: string;
  ending: ProcedureEnding | null;
  /** The run that the contact has left for this one. */
  leaves: string | null;
}
const SAVE = query<Omit<SaveArgs, "leaves">>()(
  "procedures.save",
  OF_RUN,
  ({ id, conversationId, procedureId, version, state, ending }) => sql`
    insert into procedure_run as o (tenant_id, id, conversation_id, procedure_id, version, state, ending, ended_at,
      started_at)
    select ${TENANT}, ${id}::uuid, ${conversationId}::uuid, v.procedure_id, v.version, ${state}::json, ${ending}::text,
      case when ${ending}::text is not null then clock_timestamp() end, clock_timestamp()
    from procedure_version v
    where v.tenant_id = ${TENANT} and v.procedure_id = ${procedureId} and v.version = ${version}::int
    on conflict (tenant_id, id) do update set state = excluded.state, ending = excluded.ending,
      ended_at = excluded.ended_at
    where o.ended_at is null`,
);

/** Keeps how far a procedure is. The conversation, or its run, is locked. What has ended stays so. */
export async function save(tx: Tx, { leaves, ...args }: SaveArgs): Promise<void> {
  // The contact began another one.
  if (leaves !== null)
    await tx.update(
      ProcedureRunEntity,
      { id: leaves, endedAt: IsNull() },
      { ending: "left", endedAt: () => "clock_timestamp()" },
    );
  await tx.query(SAVE, args);
}

interface NoteArgs {
  runId: string;
  attempts: number;
  /** JSON: `Step[]` */
  steps: string;
}
/** Writes steps of a run, while it holds. The run is locked. @returns why it has nothing to do any more; no row: it is erased */
export const NOTE_STEPS = query<NoteArgs, { workspaceId: string; off: string | null }>()(
  "procedures.noteSteps",
  OF_RUN,
  ({ runId, attempts, steps }) => sql`
    with added as (${addSteps(runId, steps, sql` and r.outcome is null and r.attempts = ${attempts}::int`)}
    )
    select r.workspace_id as "workspaceId",
      case when r.outcome is not null or r.attempts <> ${attempts}::int then 'Another process carries it on'
        when c.handling_mode = 'human' then 'A person handles the conversation'
        when c.status = 'resolved' then 'The conversation is resolved'
        when c.last_turn > r.sequence then 'Something was said after the message'
      end as off
    from assistant_run r join conversation c on c.tenant_id = ${TENANT} and c.id = r.conversation_id
    where r.tenant_id = ${TENANT} and r.id = ${runId}`,
);

/** What was said in these conversations is forgotten. */
export const FORGET_PROCEDURES = query<{ conversationIds: readonly string[] }>()(
  "procedures.forget",
  { unrestricted: "only an erasure runs it" },
  ({ conversationIds }) => sql`
    delete from procedure_run o
    where o.tenant_id = ${TENANT} and o.conversation_id = any(${conversationIds}::uuid[])`,
);
