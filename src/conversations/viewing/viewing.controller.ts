import { Body, Controller, Get, Param, Put } from "@nestjs/common";
import { CurrentMember, ReadersOnly } from "../../auth/access/access.js";
import type { MemberCaller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { AnswersList, AnswersOk } from "../../platform/http/openapi.js";
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
  @AnswersList(ViewerDto)
  listViewers(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<ViewerDto[]>> {
    return this.viewing.list(caller, id);
  }
}
