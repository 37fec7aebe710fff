import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Ok, Page } from "../../platform/http/json.js";
import { Answers, AnswersList, AnswersOk, AnswersPage, Fails } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { IdPipe } from "../../platform/http/validation.js";
import { AgentDto, CreateAgentDto, SetInstructionsDto, InstructionVersionDto, UpdateAgentDto } from "./agents.dto.js";
import { AgentsService } from "./agents.service.js";

@Tag("Agents", ["agents"], {
  order: 110,
  description: "Definitions of the assistant: its instructions, tools and guardrails.",
})
@Controller("api/agents")
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  /** List the agents, platform agents first. You see those of the workspaces that you have access to. */
  @Get()
  @RequireScope("agents:read")
  @AnswersList(AgentDto)
  list(@CurrentCaller() caller: Caller): Promise<Json<AgentDto[]>> {
    return this.agents.list(caller);
  }

  /** Read one agent. */
  @Get(":id")
  @RequireScope("agents:read")
  @Answers(AgentDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<AgentDto>> {
    return this.agents.get(caller, id);
  }

  /** List the versions of an agent's instructions. The newest comes first. Each has its author and reason. */
  @Get(":id/instructions/versions")
  @RequireScope("agents:read")
  @AnswersPage(InstructionVersionDto)
  listInstructionVersions(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Query() query: PagingDto,
  ): Promise<Json<Page<InstructionVersionDto>>> {
    return this.agents.versions(caller, id, query);
  }

  /** Create a custom agent. */
  @Post()
  @RequireScope("agents:write")
  @Answers(AgentDto, { status: 201 })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateAgentDto): Promise<Json<AgentDto>> {
    return this.agents.create(caller, body);
  }

  /**
   * Change or pause an agent. Platform agents are read-only: 409. An agent that also works in a workspace that you
   * have no access to is 409 too.
   */
  @Patch(":id")
  @RequireScope("agents:write")
  @Answers(AgentDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateAgentDto,
  ): Promise<Json<AgentDto>> {
    return this.agents.update(caller, id, body);
  }

  /** Write the next version of an agent's instructions. If the instructions are the same, nothing changes. */
  @Put(":id/instructions")
  @RequireScope("agents:write")
  @Answers(AgentDto)
  @Fails(409)
  setInstructions(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: SetInstructionsDto,
  ): Promise<Json<AgentDto>> {
    return this.agents.instruct(caller, id, body);
  }

  /** Delete a custom agent with its versions. */
  @Delete(":id")
  @RequireScope("agents:write")
  @AnswersOk("Deleted")
  @Fails(409)
  delete(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.agents.remove(caller, id);
  }
}
