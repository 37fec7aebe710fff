import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from "@nestjs/common";
import type { MemberCaller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { Answers, AnswersList, AnswersOk, Fails } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { IdPipe } from "../../platform/http/validation.js";
import { AdminsOnly, CurrentMember, MembersOnly, RecentSignIn } from "../access/access.js";
import { CreateMemberDto, MemberDto, UpdateMemberDto } from "./members.dto.js";
import { MembersService } from "./members.service.js";

@Tag("Members", ["members"], { order: 210, description: "The people on your side, their roles and their workspaces." })
@Controller("api/members")
export class MembersController {
  constructor(private readonly members: MembersService) {}

  /** List the members, oldest first. */
  @Get()
  @MembersOnly()
  @AnswersList(MemberDto)
  list(@CurrentMember() caller: MemberCaller): Promise<Json<MemberDto[]>> {
    return this.members.list(caller);
  }

  /** Add a member. Without a password, an invitation is mailed; on the test side the mail is captured. */
  @Post()
  @AdminsOnly()
  @RecentSignIn()
  @Answers(MemberDto, { status: 201 })
  create(@CurrentMember() caller: MemberCaller, @Body() body: CreateMemberDto): Promise<Json<MemberDto>> {
    return this.members.create(caller, body);
  }

  /**
   * Mail a new invitation to a member. The member has not accepted one yet. The previous invitation becomes invalid.
   */
  @Post(":id/invite")
  @HttpCode(200)
  @AdminsOnly()
  @RecentSignIn()
  @AnswersOk()
  invite(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.members.inviteAgain(caller, id);
  }

  /**
   * Change a member's name, role, status or workspaces. The workspaces are those of this side. A new role takes
   * effect on every process within a second.
   */
  @Patch(":id")
  @AdminsOnly()
  @RecentSignIn()
  @Answers(MemberDto)
  update(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateMemberDto,
  ): Promise<Json<MemberDto>> {
    return this.members.update(caller, id, body);
  }

  /**
   * Remove a member. Their sessions end within a second, and shortly after they are unassigned from unresolved
   * conversations on both sides. API keys that they created stay valid.
   */
  @Delete(":id")
  @AdminsOnly()
  @RecentSignIn()
  @AnswersOk()
  @Fails(409)
  delete(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.members.remove(caller, id);
  }

  /** End all sessions of a member. Every process refuses them within a second. Only an owner can end an owner's. */
  @Delete(":id/sessions")
  @AdminsOnly()
  @RecentSignIn()
  @AnswersOk()
  endSessions(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.members.endSessions(caller, id);
  }

  /**
   * Remove all second factors of a member. This is for a member who lost theirs. The recovery codes go too, and the
   * member is told by mail. Only an owner can remove an owner's.
   */
  @Delete(":id/second-factors")
  @AdminsOnly()
  @RecentSignIn()
  @AnswersOk()
  @Fails(409)
  removeSecondFactors(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.members.removeSecondFactors(caller, id);
  }
}
