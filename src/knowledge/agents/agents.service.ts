import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { In, Not } from "typeorm";
import { v7 as uuid } from "uuid";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok, type Page } from "../../platform/http/json.js";
import type { PagingDto } from "../../platform/http/paging.dto.js";
import { AgentEntity, AgentInstructionsEntity, AgentWorkspaceEntity, type Guardrail } from "./agent.entity.js";
import type {
  AgentDto,
  CreateAgentDto,
  GuardrailDto,
  SetInstructionsDto,
  InstructionVersionDto,
  UpdateAgentDto,
} from "./agents.dto.js";
import { type AgentState, ASSIGN, FIND_STATE, GET_AGENT, LIST_AGENTS, LIST_INSTRUCTIONS } from "./agents.queries.js";

@Injectable()
export class AgentsService {
  constructor(private readonly db: Database) {}

  /** Platform agents first. */
  list(caller: Caller): Promise<Json<AgentDto[]>> {
    return this.db.read(caller, LIST_AGENTS, {});
  }

  get(caller: Caller, id: string): Promise<Json<AgentDto>> {
    return this.db.read(caller, GET_AGENT, { id });
  }

  /** Newest first. */
  versions(caller: Caller, id: string, { limit = 25, cursor }: PagingDto): Promise<Json<Page<InstructionVersionDto>>> {
    return this.db.page(caller, LIST_INSTRUCTIONS, { id }, { limit, cursor });
  }

  /** @throws NotFoundException: the caller has no access to one of the workspaces */
  create(
    caller: Caller,
    {
      name,
      role,
      status,
      workspaceIds,
      instructions,
      tools = [],
      guardrails = [],
      unsupportedSentences,
      wording,
    }: CreateAgentDto,
  ): Promise<Json<AgentDto>> {
    assertTools(tools, guardrails);
    return this.db.transaction(caller, async (tx) => {
      const id = uuid();
      const values = {
        name,
        role,
        status,
        instructions,
        tools,
        guardrails: guardrails.map(stored),
        unsupportedSentences,
        wording,
      };
      await tx.insert(AgentEntity, { id, kind: "custom", ...values });
      await tx.insert(AgentInstructionsEntity, { agentId: id, version: 1, instructions, changedBy: callerId(caller) });
      await this.assignWorkspaces(tx, id, workspaceIds);
      return (await tx.read(GET_AGENT, { id })).created();
    });
  }

  /** @throws NotFoundException, ConflictException */
  update(
    caller: Caller,
    id: string,
    { name, role, status, workspaceIds, tools, guardrails, unsupportedSentences, wording }: UpdateAgentDto,
  ): Promise<Json<AgentDto>> {
    return this.db.transaction(caller, async (tx) => {
      const agent = await this.lock(tx, id);
      assertTools(tools ?? agent.tools, guardrails ?? agent.guardrails);
      const values = { name, role, status, tools, guardrails: guardrails?.map(stored), unsupportedSentences, wording };
      await tx.update(AgentEntity, { id }, { ...given(values), updatedAt: () => "now()" });
      if (workspaceIds) await this.assignWorkspaces(tx, id, workspaceIds);
      return tx.read(GET_AGENT, { id });
    });
  }

  /**
   * Writes new instructions. The same instructions make no new version. @throws NotFoundException, ConflictException
   */
  instruct(caller: Caller, id: string, { instructions, reason }: SetInstructionsDto): Promise<Json<AgentDto>> {
    return this.db.transaction(caller, async (tx) => {
      const before = await this.lock(tx, id);
      if (before.instructions !== instructions) {
        const version = before.instructionsVersion + 1;
        await tx.update(AgentEntity, { id }, { instructions, instructionsVersion: version, updatedAt: () => "now()" });
        await tx.insert(AgentInstructionsEntity, {
          agentId: id,
          version,
          instructions,
          changedBy: callerId(caller),
          reason: reason ?? null,
        });
      }
      return tx.read(GET_AGENT, { id });
    });
  }

  /** @throws NotFoundException, ConflictException */
  remove(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await this.lock(tx, id);
      await tx.delete(AgentEntity, { id });
      return ok();
    });
  }

  /** Locks the agent. @throws NotFoundException, ConflictException: the caller may not change it */
  private async lock(tx: Tx, id: string): Promise<AgentState> {
    // Lock first: a statement sees what was committed when it began, and the workspaces may change while this one waits.
    await tx.findOne(AgentEntity, { id }, { lock: "update" });
    const [agent] = await tx.query(FIND_STATE, { id });
    if (!agent) throw notFound();
    if (agent.kind === "platform")
      throw new ConflictException("Platform agents are read-only: make an agent of your own instead");
    if (agent.beyondReach)
      throw new ConflictException("The agent also works in workspaces that you cannot reach, so you cannot change it");
    return agent;
  }

  /** @throws NotFoundException unless the caller has access to each workspace */
  private async assignWorkspaces(tx: Tx, id: string, workspaceIds: readonly string[]): Promise<void> {
    await tx.delete(AgentWorkspaceEntity, { agentId: id, workspaceId: Not(In([...workspaceIds])) });
    const [{ reached }] = (await tx.query(ASSIGN, { id, workspaceIds })) as [{ reached: number }];
    if (reached !== new Set(workspaceIds.map((one) => one.toLowerCase())).size) throw notFound();
  }
}

const stored = ({ name, tools, effect, conditions, requiredAssuranceLevel }: GuardrailDto): Guardrail => ({
  name,
  tools,
  effect,
  conditions,
  requiredAssuranceLevel,
});

const given = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

/** @throws BadRequestException: a guardrail is about a tool that the agent does not have */
function assertTools(tools: readonly string[], guardrails: readonly Guardrail[]): void {
  for (const { name, tools: guarded } of guardrails) {
    const unknown = guarded.filter((tool) => !tools.includes(tool));
    if (unknown.length)
      throw new BadRequestException(
        `guardrails: ${name} is about ${unknown.join(", ")}, which is not among the agent's tools`,
      );
  }
}
