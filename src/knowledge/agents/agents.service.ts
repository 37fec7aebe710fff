import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { REACHABLE } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import type { Guardrail } from "./agent.entity.js";
import type {
  AgentDto,
  CreateAgentDto,
  GuardrailDto,
  InstructDto,
  InstructionsVersionDto,
  UpdateAgentDto,
} from "./agents.dto.js";
import { GET_AGENT, INSTRUCTIONS, LIST_AGENTS, STATE_OF_AGENT } from "./agents.queries.js";

@Injectable()
export class AgentsService {
  constructor(private readonly db: Database) {}

  /** The platform's first. */
  list(caller: Caller): Promise<Json<AgentDto[]>> {
    return this.db.read(caller, LIST_AGENTS, {});
  }

  get(caller: Caller, id: string): Promise<Json<AgentDto>> {
    return this.db.read(caller, GET_AGENT, { id });
  }

  /** The newest first. */
  versions(caller: Caller, id: string): Promise<Json<InstructionsVersionDto[]>> {
    return this.db.read(caller, INSTRUCTIONS, { id });
  }

  /** @throws NotFoundException: a workspace that is not there for the caller */
  create(
    caller: Caller,
    { name, role, status, workspaceIds, instructions, tools = [], guardrails = [] }: CreateAgentDto,
  ): Promise<Json<AgentDto>> {
    assertTools(tools, guardrails);
    return this.db.transaction(caller, async (tx) => {
      const id = uuid();
      await tx.query(
        `with added as (
          insert into agent (tenant_id, id, kind, name, role, status, instructions, tools, guardrails)
          values (:tenant, :id, 'custom', :name, :role, :status, :instructions, :tools::text[], :guardrails::jsonb) returning *
        ) insert into agent_instructions (tenant_id, agent_id, version, instructions, changed_by) select tenant_id, id, 1, instructions, :by from added`,
        { id, name, role, status, instructions, tools, guardrails: stored(guardrails), by: callerId(caller) },
      );
      await this.place(tx, id, workspaceIds);
      return (await tx.read(GET_AGENT, { id })).created();
    });
  }

  /** @throws NotFoundException, ConflictException */
  update(
    caller: Caller,
    id: string,
    { name, role, status, workspaceIds, tools, guardrails }: UpdateAgentDto,
  ): Promise<Json<AgentDto>> {
    return this.db.transaction(caller, async (tx) => {
      const agent = await this.hold(tx, id);
      assertTools(tools ?? agent.tools, guardrails ?? agent.guardrails);
      await tx.query(
        `update agent set name = coalesce(:name, name), role = coalesce(:role, role), status = coalesce(:status, status), tools = coalesce(:tools::text[], tools),
        guardrails = coalesce(:guardrails::jsonb, guardrails), updated_at = now() where tenant_id = :tenant and id = :id`,
        { id, name, role, status, tools, guardrails: guardrails && stored(guardrails) },
      );
      if (workspaceIds) await this.place(tx, id, workspaceIds);
      return tx.read(GET_AGENT, { id });
    });
  }

  /** The same instructions again are no new version. @throws NotFoundException, ConflictException */
  instruct(caller: Caller, id: string, { instructions, reason }: InstructDto): Promise<Json<AgentDto>> {
    return this.db.transaction(caller, async (tx) => {
      const before = await this.hold(tx, id);
      if (before.instructions !== instructions) {
        await tx.query(
          `with changed as (
            update agent set instructions = :instructions, instructions_version = instructions_version + 1, updated_at = now() where tenant_id = :tenant and id = :id returning *
          ) insert into agent_instructions (tenant_id, agent_id, version, instructions, changed_by, reason) select tenant_id, id, instructions_version, instructions, :by, :reason from changed`,
          { id, instructions, reason: reason ?? null, by: callerId(caller) },
        );
      }
      return tx.read(GET_AGENT, { id });
    });
  }

  /** @throws NotFoundException, ConflictException */
  remove(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await this.hold(tx, id);
      await tx.query("delete from agent where tenant_id = :tenant and id = :id", { id });
      return ok();
    });
  }

  /** Nobody changes it until the end of the transaction. @throws NotFoundException, ConflictException: it is not the caller's to change */
  private async hold(tx: Tx, id: string): Promise<Held> {
    // Held first: where it works may have changed while it was waited for, and a statement sees what was when it began.
    await tx.query("select from agent where tenant_id = :tenant and id = :id for update", { id });
    const [agent] = await tx.query<Held>(STATE_OF_AGENT, { id });
    if (!agent) throw notFound();
    if (agent.kind === "platform")
      throw new ConflictException("Platform agents are read-only: make an agent of your own instead");
    if (agent.beyond)
      throw new ConflictException(
        "The agent also works in workspaces that you do not reach: only who reaches all of them changes it",
      );
    return agent;
  }

  /** @throws NotFoundException unless the caller reaches each workspace */
  private async place(tx: Tx, id: string, workspaceIds: readonly string[]): Promise<void> {
    await tx.query(
      "delete from agent_workspace where tenant_id = :tenant and agent_id = :id and workspace_id <> all(:workspaceIds::uuid[])",
      { id, workspaceIds },
    );
    const [{ reached }] = (await tx.query<{ reached: number }>(
      `with reached as (select w.tenant_id, w.id from workspace w where w.id = any(:workspaceIds::uuid[]) and ${REACHABLE}
      ), placed as (insert into agent_workspace (tenant_id, agent_id, workspace_id) select tenant_id, :id::uuid, id from reached on conflict do nothing)
      select count(*)::int as reached from reached`,
      { id, workspaceIds },
    )) as [{ reached: number }];
    if (reached !== new Set(workspaceIds.map((one) => one.toLowerCase())).size) throw notFound();
  }
}

interface Held {
  kind: string;
  tools: string[];
  guardrails: Guardrail[];
  instructions: string;
  beyond: boolean;
}

const stored = (guardrails: readonly GuardrailDto[]): string =>
  JSON.stringify(
    guardrails.map(({ name, tools, effect, conditions, requiredAssuranceLevel }) => ({
      name,
      tools,
      effect,
      conditions,
      requiredAssuranceLevel,
    })),
  );

/** @throws BadRequestException: a guardrail about a tool that the agent has not got guards nothing */
function assertTools(tools: readonly string[], guardrails: readonly Guardrail[]): void {
  for (const { name, tools: guarded } of guardrails) {
    const unknown = guarded.filter((tool) => !tools.includes(tool));
    if (unknown.length)
      throw new BadRequestException(
        `guardrails: ${name} is about ${unknown.join(", ")}, which is not among the agent's tools`,
      );
  }
}
