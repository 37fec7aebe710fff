import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from "@nestjs/common";
import { CurrentMember, ReadersOnly } from "../../auth/access/access.js";
import type { MemberCaller } from "../../platform/caller/caller.js";
import type { Json, Ok, Page } from "../../platform/http/json.js";
import { Answers, AnswersOk, AnswersPage } from "../../platform/http/openapi.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { IdPipe } from "../../platform/http/validation.js";
import { CreateViewDto, UpdateViewDto, ViewDto } from "./views.dto.js";
import { ViewsService } from "./views.service.js";

@Controller("api/views")
export class ViewsController {
  constructor(private readonly views: ViewsService) {}

  /** List saved views. Shared ones come first, then your own. */
  @Get()
  @ReadersOnly()
  @AnswersPage(ViewDto)
  list(@CurrentMember() caller: MemberCaller, @Query() query: PagingDto): Promise<Json<Page<ViewDto>>> {
    return this.views.list(caller, query);
  }

  /**
   * Save a view. It is a filter of the conversation list with a name. You have at most 50 of your own. Owners and admins share
   * views with everybody, at most 100.
   */
  @Post()
  @ReadersOnly()
  @Answers(ViewDto, { status: 201 })
  create(@CurrentMember() caller: MemberCaller, @Body() body: CreateViewDto): Promise<Json<ViewDto>> {
    return this.views.create(caller, body);
  }

  /** Change a view. It is one of your own, or, if you are an owner or admin, a shared one. */
  @Patch(":id")
  @ReadersOnly()
  @Answers(ViewDto)
  update(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateViewDto,
  ): Promise<Json<ViewDto>> {
    return this.views.update(caller, id, body);
  }

  /** Delete a view. It is one of your own, or, if you are an owner or admin, a shared one. */
  @Delete(":id")
  @ReadersOnly()
  @AnswersOk()
  delete(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.views.delete(caller, id);
  }
}
