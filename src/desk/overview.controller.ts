import { Controller, Get, Param, Query } from "@nestjs/common";
import { CurrentMember, ReadersOnly } from "../auth/access/access.js";
import type { MemberCaller } from "../platform/caller/caller.js";
import { roleMissing } from "../auth/access/role-missing.js";
import { DESK } from "../platform/caller/scope.js";
import type { Json } from "../platform/http/json.js";
import { OperationGroup } from "../platform/http/operation-id.js";
import { Answers } from "../platform/http/openapi.js";
import { IdPipe } from "../platform/http/validation.js";
import { OverviewDto, OverviewQueryDto } from "./overview.dto.js";
import { OverviewService } from "./overview.service.js";

@OperationGroup("conversations")
@Controller("api/conversations/:id")
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  /**
   * Read what a screen shows of a conversation. You get it in one request. Each part is what its own operation answers:
   * the newest 50 messages, newest first; the first 10 cases of the conversation, and the first 10 cases and conversations
   * of the contact; the contact's first 10 bookings from a week ago on. Observers have no drafts (403 if they ask for one).
   */
  @Get("overview")
  @ReadersOnly()
  @Answers(OverviewDto)
  getOverview(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Query() { parts }: OverviewQueryDto,
  ): Promise<Json<OverviewDto>> {
    if (parts?.includes("draft") && !DESK.includes(caller.role)) throw roleMissing(DESK);
    return this.overview.get(caller, id, parts);
  }
}
