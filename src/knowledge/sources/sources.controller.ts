import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { Answers, AnswersList, AnswersOk } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { IdPipe } from "../../platform/http/validation.js";
import { CreateSourceDto, SourceDto, UpdateSourceDto } from "./sources.dto.js";
import { SourcesService } from "./sources.service.js";

@Tag("Sources", ["sources"], {
  order: 91,
  description: "Websites, files and help centres whose text is proposed as knowledge base entries.",
})
@Controller("api")
export class SourcesController {
  constructor(private readonly sources: SourcesService) {}

  /** List the sources of a workspace, newest first. A workspace has at most 100. */
  @Get("workspaces/:workspaceId/sources")
  @RequireScope("kb:read")
  @AnswersList(SourceDto)
  list(@CurrentCaller() caller: Caller, @Param("workspaceId", IdPipe) workspaceId: string): Promise<Json<SourceDto[]>> {
    return this.sources.list(caller, workspaceId);
  }

  /** Read one source. */
  @Get("sources/:id")
  @RequireScope("kb:read")
  @Answers(SourceDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<SourceDto>> {
    return this.sources.get(caller, id);
  }

  /**
   * Add a source. It is read soon. What it says is proposed as pending entries with `readFrom`; nothing is in use before
   * somebody approves it.
   */
  @Post("workspaces/:workspaceId/sources")
  @RequireScope("kb:write")
  @Answers(SourceDto, { status: 201 })
  create(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: CreateSourceDto,
  ): Promise<Json<SourceDto>> {
    return this.sources.create(caller, workspaceId, body);
  }

  /** Change the schedule of a source, or its file. To read another address, add another source. */
  @Patch("sources/:id")
  @RequireScope("kb:write")
  @Answers(SourceDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateSourceDto,
  ): Promise<Json<SourceDto>> {
    return this.sources.update(caller, id, body);
  }

  /** Delete a source, with its proposals that wait. Entries that were approved stay. */
  @Delete("sources/:id")
  @RequireScope("kb:write")
  @AnswersOk("Deleted")
  delete(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.sources.delete(caller, id);
  }

  /**
   * Read a source again, soon. What changed there is proposed as an edit, and what is gone as an end. A source that waits or
   * is being read is 409.
   */
  @Post("sources/:id/read")
  @HttpCode(200)
  @RequireScope("kb:write")
  @Answers(SourceDto)
  read(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<SourceDto>> {
    return this.sources.read(caller, id);
  }
}
