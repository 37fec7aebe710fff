import { Controller, Delete, Get, Param, Query } from "@nestjs/common";
import type { MemberCaller } from "../../platform/caller/caller.js";
import type { Json, Ok, Page } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { AnswersOk, AnswersPage } from "../../platform/http/openapi.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { IdPipe } from "../../platform/http/validation.js";
import { BeforeSecondFactor, CurrentMember, MembersOnly } from "../access/access.js";
import { OwnSessionDto } from "./own-sessions.dto.js";
import { OwnSessionsService } from "./own-sessions.service.js";

@OperationGroup("me")
@Controller("api/me/sessions")
export class OwnSessionsController {
  constructor(private readonly sessions: OwnSessionsService) {}

  /** List your sessions on both sides. The most recently used one comes first. */
  @Get()
  @MembersOnly()
  @BeforeSecondFactor()
  @AnswersPage(OwnSessionDto)
  listSessions(@CurrentMember() caller: MemberCaller, @Query() query: PagingDto): Promise<Json<Page<OwnSessionDto>>> {
    return this.sessions.list(caller, query);
  }

  /** End all your sessions but this one. Every process refuses them within a second. */
  @Delete()
  @MembersOnly()
  @BeforeSecondFactor()
  @AnswersOk()
  endOtherSessions(@CurrentMember() caller: MemberCaller): Promise<Json<Ok>> {
    return this.sessions.endOthers(caller);
  }

  /** End one of your sessions. Every process refuses it within a second. */
  @Delete(":id")
  @MembersOnly()
  @BeforeSecondFactor()
  @AnswersOk()
  endSession(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.sessions.end(caller, id);
  }
}
