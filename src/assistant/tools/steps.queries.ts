import { type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import { storable } from "./argument-schema.js";

const OF_RUN = { unrestricted: "only the assistant runs it, about the conversation of a run" };

/** Steps as the statements take them. A language model may have written what PostgreSQL cannot store. */
export const stepsAsJson = (steps: readonly object[]): string => JSON.stringify(storable(steps));

/** Adds steps to those of the run `r` that holds. Its row must be locked, so that no two steps get the same position. */
export const addSteps = (runId: Parameter, steps: Parameter, where: Sql = sql``): Sql => sql`
      insert into assistant_step (tenant_id, run_id, position, type, at, duration_ms, detail)
      select r.tenant_id, r.id, s.n - 1 + (
          select count(*) from assistant_step k where k.tenant_id = ${TENANT} and k.run_id = r.id
        ), s.step ->> 'type', (s.step ->> 'at')::timestamptz, (s.step ->> 'durationMs')::int, s.step -> 'detail'
      from assistant_run r cross join jsonb_array_elements(${steps}::jsonb) with ordinality s (step, n)
      where r.tenant_id = ${TENANT} and r.id = ${runId}${where}`;

/** Locks the run until the transaction ends. Who locks its conversation, too, does that first. No row: an erasure has removed it. */
export const LOCK_RUN = query<{ id: string }>()(
  "toolCalls.lockRun",
  OF_RUN,
  ({ id }) => sql`
    select r.outcome is not null as over, r.workspace_id as "workspaceId" from assistant_run r
    where r.tenant_id = ${TENANT} and r.id = ${id} for no key update`,
);

/** Writes steps, also of a run that is over: what was done stays on record. @param steps JSON: `Step[]` */
export const WRITE_STEPS = query<{ runId: string; steps: string }>()(
  "toolCalls.writeSteps",
  OF_RUN,
  ({ runId, steps }) => addSteps(runId, steps),
);

/** A row if the run has given this call to people before, in a process that died then: the item that it raised is there. */
export const FIND_ESCALATED = query<{ runId: string; tool: string }, { found: boolean }>()(
  "toolCalls.findEscalated",
  OF_RUN,
  ({ runId, tool }) => sql`
    select true as found from assistant_step s
    where s.tenant_id = ${TENANT} and s.run_id = ${runId} and s.type = 'policy'
      and s.detail @> jsonb_build_object('tool', ${tool}::text, 'effect', 'escalate') limit 1`,
);
