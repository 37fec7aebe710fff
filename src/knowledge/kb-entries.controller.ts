import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentCaller, RequireScope } from '../auth/access/access.js';
import type { Caller } from '../caller/caller.js';
import type { Json, Ok, Page } from '../http/json.js';
import { Answers, AnswersList, AnswersOk, AnswersPage } from '../http/openapi.js';
import { IdPipe } from '../http/validation.js';
import { CreateKbEntryDto, KbEntryDto, ListKbEntriesDto, PendingDto, RejectDto } from './kb-entries.dto.js';
import { KbEntriesService } from './kb-entries.service.js';

@ApiTags('Knowledge base')
@Controller('api')
export class KbEntriesController {
  constructor(private readonly entries: KbEntriesService) {}

  /** List the knowledge base entries of a workspace, newest first. */
  @Get('workspaces/:workspaceId/kb-entries') @RequireScope('kb:read') @AnswersPage(KbEntryDto)
  list(@CurrentCaller() caller: Caller, @Param('workspaceId', IdPipe) workspaceId: string, @Query() query: ListKbEntriesDto): Promise<Json<Page<KbEntryDto>>> {
    return this.entries.list(caller, workspaceId, query);
  }

  /** List the entries that wait for approval, oldest first. */
  @Get('workspaces/:workspaceId/kb-entries/pending') @RequireScope('kb:read') @AnswersList(KbEntryDto)
  pending(@CurrentCaller() caller: Caller, @Param('workspaceId', IdPipe) workspaceId: string, @Query() query: PendingDto): Promise<Json<KbEntryDto[]>> {
    return this.entries.pending(caller, workspaceId, query);
  }

  /** Read one entry. */
  @Get('kb-entries/:id') @RequireScope('kb:read') @Answers(KbEntryDto)
  get(@CurrentCaller() caller: Caller, @Param('id', IdPipe) id: string): Promise<Json<KbEntryDto>> {
    return this.entries.get(caller, id);
  }

  /** Create an entry, approved or pending. */
  @Post('workspaces/:workspaceId/kb-entries') @RequireScope('kb:write') @Answers(KbEntryDto, { status: 201 })
  create(@CurrentCaller() caller: Caller, @Param('workspaceId', IdPipe) workspaceId: string, @Body() body: CreateKbEntryDto): Promise<Json<KbEntryDto>> {
    return this.entries.create(caller, workspaceId, body);
  }

  /** Approve a pending entry. Of several at once one wins; an entry that is no longer pending is 409 and stays as it is. */
  @Post('kb-entries/:id/approve') @HttpCode(200) @RequireScope('kb:write') @AnswersOk('Approved')
  approve(@CurrentCaller() caller: Caller, @Param('id', IdPipe) id: string): Promise<Json<Ok>> {
    return this.entries.approve(caller, id);
  }

  /** Reject a pending entry, with a reason if you like. */
  @Post('kb-entries/:id/reject') @HttpCode(200) @RequireScope('kb:write') @AnswersOk('Rejected')
  reject(@CurrentCaller() caller: Caller, @Param('id', IdPipe) id: string, @Body() body: RejectDto): Promise<Json<Ok>> {
    return this.entries.reject(caller, id, body);
  }
}
