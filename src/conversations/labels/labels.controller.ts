import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from "@nestjs/common";
import { AdminsOnly, CurrentCaller, RequireScope } from "../../auth/access/access.js";
import { OneRead } from "../../auth/access/known-polls.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Ok, Page } from "../../platform/http/json.js";
import { Answers, AnswersOk, AnswersPage } from "../../platform/http/openapi.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { IdPipe } from "../../platform/http/validation.js";
import { CreateLabelDto, LabelDto, UpdateLabelDto } from "./labels.dto.js";
import { LabelsService } from "./labels.service.js";

@Controller("api/labels")
export class LabelsController {
  constructor(private readonly labels: LabelsService) {}

  /** List the labels, by name. Conversations can have other labels too, which nobody has defined. */
  @Get()
  @RequireScope("conversations:read")
  @OneRead()
  @AnswersPage(LabelDto)
  list(@CurrentCaller() caller: Caller, @Query() query: PagingDto): Promise<Json<Page<LabelDto>>> {
    return this.labels.list(caller, query);
  }

  /** Define a label. It is offered to everyone in the tenant. If one has the name, the answer is 409. */
  @Post()
  @RequireScope("conversations:write")
  @Answers(LabelDto, { status: 201 })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateLabelDto): Promise<Json<LabelDto>> {
    return this.labels.create(caller, body);
  }

  /** Change the colour of a label. */
  @Patch(":id")
  @AdminsOnly()
  @Answers(LabelDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateLabelDto,
  ): Promise<Json<LabelDto>> {
    return this.labels.update(caller, id, body);
  }

  /** Delete a label. It is no longer offered. Conversations that have it keep its name, and are still listed by it. */
  @Delete(":id")
  @AdminsOnly()
  @AnswersOk("Deleted")
  delete(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.labels.delete(caller, id);
  }
}
