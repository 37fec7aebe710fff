import { Body, Controller, Delete, Get, Param, Patch, Post, Put } from "@nestjs/common";
import { ApiTags } from "@nestjs/swagger";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { Answers, AnswersList, AnswersOk } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { AgentDto, CreateAgentDto, InstructDto, InstructionsVersionDto, UpdateAgentDto } from "./agents.dto.js";
import { AgentsService } from "./agents.service.js";

@ApiTags("Agents")
@Controller("api/agents")
export class AgentsController {
  constructor(private readonly agents: AgentsService) {}

  /** List the agents of the workspaces that you reach, the platform's first. */
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

  /** Every version of an agent's instructions, the newest first, with who wrote each and why. */
  @Get(":id/instructions/versions")
  @RequireScope("agents:read")
  @AnswersList(InstructionsVersionDto)
  versions(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<InstructionsVersionDto[]>> {
    return this.agents.versions(caller, id);
  }

  /** Make an agent of your own. */
  @Post()
  @RequireScope("agents:write")
  @Answers(AgentDto, { status: 201 })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateAgentDto): Promise<Json<AgentDto>> {
    return this.agents.create(caller, body);
  }

  /** Change an agent, or pause it. The platform's are read-only: 409; so is one that also works where you do not reach. */
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

  /** Tell an agent what to do, as its next version. The same instructions again change nothing. */
  @Put(":id/instructions")
  @RequireScope("agents:write")
  @Answers(AgentDto)
  instruct(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: InstructDto,
  ): Promise<Json<AgentDto>> {
    return this.agents.instruct(caller, id, body);
  }

  /** Delete an agent of your own, with its versions. */
  @Delete(":id")
  @RequireScope("agents:write")
  @AnswersOk("Deleted")
  remove(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.agents.remove(caller, id);
  }
}
