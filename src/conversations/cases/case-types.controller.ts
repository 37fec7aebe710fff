import { Body, Controller, Get, Param, Patch, Post } from "@nestjs/common";
import { AdminsOnly, CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { Answers, AnswersList } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { CaseTypeDto, CreateCaseTypeDto, UpdateCaseTypeDto } from "./case-types.dto.js";
import { CaseTypesService } from "./case-types.service.js";

@Controller("api/case-types")
export class CaseTypesController {
  constructor(private readonly types: CaseTypesService) {}

  /** List the case types, by key. */
  @Get()
  @RequireScope("cases:read")
  @AnswersList(CaseTypeDto)
  list(@CurrentCaller() caller: Caller): Promise<Json<CaseTypeDto[]>> {
    return this.types.list(caller);
  }

  /** Create a case type with its fields. */
  @Post()
  @AdminsOnly()
  @Answers(CaseTypeDto, { status: 201 })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateCaseTypeDto): Promise<Json<CaseTypeDto>> {
    return this.types.create(caller, body);
  }

  /** Change a case type. */
  @Patch(":id")
  @AdminsOnly()
  @Answers(CaseTypeDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateCaseTypeDto,
  ): Promise<Json<CaseTypeDto>> {
    return this.types.update(caller, id, body);
  }
}
