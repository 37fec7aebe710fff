import { Body, Controller, Get, Param, Patch, Post, Query } from "@nestjs/common";
import { CurrentCaller, DeskMembersOnly, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Page } from "../../platform/http/json.js";
import { Answers, AnswersPage } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { IdPipe } from "../../platform/http/validation.js";
import { CaseDto, CaseEventDto, CreateCaseDto, ListCasesDto, UpdateCaseDto } from "./cases.dto.js";
import { CasesService } from "./cases.service.js";

@Tag("Cases", ["cases", "caseTypes"], {
  order: 50,
  description: "Matters that outlast one conversation, with a number, a type, fields and a due date.",
})
@Controller("api/cases")
export class CasesController {
  constructor(private readonly cases: CasesService) {}

  /** List cases, newest first. With `q`, only those that have the words, or the number. */
  @Get()
  @RequireScope("cases:read")
  @AnswersPage(CaseDto)
  list(@CurrentCaller() caller: Caller, @Query() query: ListCasesDto): Promise<Json<Page<CaseDto>>> {
    return this.cases.list(caller, query);
  }

  /** Open a case. It gets the workspace's next number. */
  @Post()
  @DeskMembersOnly()
  @Answers(CaseDto, { status: 201 })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateCaseDto): Promise<Json<CaseDto>> {
    return this.cases.create(caller, body);
  }

  /** Read one case. */
  @Get(":id")
  @RequireScope("cases:read")
  @Answers(CaseDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<CaseDto>> {
    return this.cases.get(caller, id);
  }

  /** Change a case. Each value that changes becomes an event. A value that stays the same does not. */
  @Patch(":id")
  @DeskMembersOnly()
  @Answers(CaseDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateCaseDto,
  ): Promise<Json<CaseDto>> {
    return this.cases.update(caller, id, body);
  }

  /** List what happened to a case, oldest first. */
  @Get(":id/events")
  @RequireScope("cases:read")
  @AnswersPage(CaseEventDto)
  listEvents(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Query() query: PagingDto,
  ): Promise<Json<Page<CaseEventDto>>> {
    return this.cases.events(caller, id, query);
  }
}
