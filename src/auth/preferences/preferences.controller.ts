import { Body, Controller, Get, Put } from "@nestjs/common";
import type { MemberCaller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers } from "../../platform/http/openapi.js";
import { CurrentMember, MembersOnly } from "../access/access.js";
import { PreferencesDto } from "./preferences.dto.js";
import { PreferencesService } from "./preferences.service.js";

@OperationGroup("me")
@Controller("api/me/preferences")
export class PreferencesController {
  constructor(private readonly preferences: PreferencesService) {}

  /** Read how you want the dashboard. What you have not set has its default. It is the same on both sides. */
  @Get()
  @MembersOnly()
  @Answers(PreferencesDto)
  getPreferences(@CurrentMember() caller: MemberCaller): Promise<Json<PreferencesDto>> {
    return this.preferences.get(caller);
  }

  /** Set how you want the dashboard. This replaces everything: what you leave out gets its default. */
  @Put()
  @MembersOnly()
  @Answers(PreferencesDto)
  setPreferences(
    @CurrentMember() caller: MemberCaller,
    @Body() preferences: PreferencesDto,
  ): Promise<Json<PreferencesDto>> {
    return this.preferences.put(caller, preferences);
  }
}
