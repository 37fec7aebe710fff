import { sql, TENANT } from "../../platform/database/sql.js";
import { inReach, one, page, polled, projection, query, REACHABLE, time } from "../../platform/database/statements.js";
import { ANSWERING } from "../context/answering.js";
import type { Step } from "./definition.js";
import { entriesOf } from "./procedure-runs.queries.js";
import type { ProcedureDto } from "./procedures.dto.js";

/** A procedure `r`. */
export const PROCEDURE = projection<ProcedureDto>({
  id: sql`r.id`,
  workspaceId: sql`r.workspace_id`,
  agentId: sql`r.agent_id`,
  name: sql`r.name`,
  version: sql`r.version`,
  status: sql`r.status`,
  startsWith: sql`r.starts_with`,
  steps: sql`(
    select v.steps from procedure_version v
    where v.tenant_id = ${TENANT} and v.procedure_id = r.id and v.version = r.version
  )`,
  createdAt: time(sql`r.created_at`),
  updatedAt: time(sql`r.updated_at`),
});

export const GET_PROCEDURE = polled(
  one<ProcedureDto, { id: string }>(
    "procedures.get",
    "restricted",
    ({ id }) =>
      sql`select ${PROCEDURE} from procedure r where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}`,
  ),
);

/** By name. */
export const LIST_PROCEDURES = polled(
  page<ProcedureDto, { workspaceId: string }>("procedures.list", "restricted", ({ workspaceId, limit, after0 }) => ({
    rows: sql`
      select r.* from procedure r
      where r.tenant_id = ${TENANT} and r.workspace_id = ${workspaceId}
        and r.name > case when ${after0}::text is null then '' else ${after0}::text end
      order by r.name limit ${limit} + 1`,
    position: [sql`r.name`],
    item: PROCEDURE,
    visible: sql`exists (select from workspace w where w.id = ${workspaceId} and ${REACHABLE})`,
  })),
);

export const COUNT_PROCEDURES = query<{ workspaceId: string }>()(
  "procedures.count",
  "checked",
  ({ workspaceId }) => sql`
    select count(*)::int as count from procedure r where r.tenant_id = ${TENANT} and r.workspace_id = ${workspaceId}`,
);

/** The agent that answers in the workspace. */
export const FIND_ANSWERING = query<{ workspaceId: string }>()(
  "procedures.answering",
  "checked",
  ({ workspaceId }) => sql`
    select a.id from workspace w cross join lateral (${ANSWERING}) a
    where w.tenant_id = ${TENANT} and w.id = ${workspaceId}`,
);

interface Named {
  workspaceId: string;
  agentId: string;
  tools: readonly string[];
  entries: readonly string[];
}
/** What a procedure names and the workspace does not have. Tools and entries that are locked stay until the transaction ends. */
export const FIND_UNKNOWN = query<Named, { agent: boolean; tools: string[]; entries: string[] }>()(
  "procedures.unknown",
  "checked",
  ({ workspaceId, agentId, tools, entries }) => sql`
    select exists (
        select from agent a
        where a.tenant_id = ${TENANT} and a.id = ${agentId} and (a.kind = 'platform' or exists (
          select from agent_workspace p
          where p.tenant_id = ${TENANT} and p.agent_id = a.id and p.workspace_id = ${workspaceId}
        ))
      ) as agent,
      array(
        select n.name from unnest(${tools}::text[]) n (name)
        where not exists (
          select from tool t where t.tenant_id = ${TENANT} and t.workspace_id = ${workspaceId} and t.name = n.name
        )
      ) as tools,
      array(
        select n.id::text from unnest(${entries}::uuid[]) n (id)
        where not exists (
          select from kb_entry e where e.tenant_id = ${TENANT} and e.workspace_id = ${workspaceId} and e.id = n.id
            and e.status = 'approved'
        )
      ) as entries`,
);

interface Tried {
  workspaceId: string;
  agentId: string;
  primaryLanguage: string;
  steps: Step[];
  today: string;
  tools: { name: string; changes: boolean; publicFields: string[] }[];
  entries: Record<string, string>;
}
/** What a try needs to know. @param steps JSON: those that are not saved yet, or null */
export const GET_TRIED = query<{ id: string; steps: string | null }, Tried>()(
  "procedures.tried",
  "restricted",
  ({ id, steps }) => sql`
    select r.workspace_id as "workspaceId", r.agent_id as "agentId", w.primary_language as "primaryLanguage", v.steps,
      to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD') as today,
      (
        select coalesce(json_agg(json_build_object('name', t.name, 'changes', t.effect = 'write',
          'publicFields', t.public_fields)), '[]')
        from tool t where t.tenant_id = ${TENANT} and t.workspace_id = r.workspace_id
      ) as tools,
      ${entriesOf(sql`r.workspace_id`)} as entries
    from procedure r
      join workspace w on w.tenant_id = ${TENANT} and w.id = r.workspace_id
      cross join lateral (
        select coalesce(${steps}::jsonb, v.steps) as steps from procedure_version v
        where v.tenant_id = ${TENANT} and v.procedure_id = r.id and v.version = r.version
      ) v
    where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}`,
);
