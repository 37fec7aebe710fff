import { Body, Controller, Get, Param, Put, Query } from "@nestjs/common";
import { CurrentMember, ReadersOnly } from "../../auth/access/access.js";
import type { MemberCaller } from "../../platform/caller/caller.js";
import type { Json, Ok, Page } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { AnswersOk, AnswersPage } from "../../platform/http/openapi.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { IdPipe } from "../../platform/http/validation.js";
import { ViewerDto, SetViewingDto } from "./viewing.dto.js";
import { ViewingService } from "./viewing.service.js";

@OperationGroup("conversations")
@Controller("api/conversations/:id")
export class ViewingController {
  constructor(private readonly viewing: ViewingService) {}

  /**
   * Say that you look at a conversation or type in it. You can also say that you have left it. It lasts 20 seconds,
   * so say it again every 10. If you have a conversation open twice, the last request counts. Observers cannot be
   * `typing` (403).
   */
  @Put("viewing")
  @ReadersOnly()
  @AnswersOk()
  setViewing(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() { state }: SetViewingDto,
  ): Promise<Json<Ok>> {
    return this.viewing.set(caller, id, state);
  }

  /** List who else looks at a conversation. You get the other members who look at it or type in it, by name. */
  @Get("viewers")
  @ReadersOnly()
  @AnswersPage(ViewerDto)
  listViewers(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Query() query: PagingDto,
  ): Promise<Json<Page<ViewerDto>>> {
    return this.viewing.list(caller, id, query);
  }
}
