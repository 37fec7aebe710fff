import { Body, Controller, Get, Param, Put } from "@nestjs/common";
import { ApiTags } from "@nestjs/swagger";
import { CurrentMember, ReadersOnly } from "../../auth/access/access.js";
import type { MemberCaller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { AnswersList, AnswersOk } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { ViewerDto, ViewingDto } from "./viewing.dto.js";
import { ViewingService } from "./viewing.service.js";

@ApiTags("Conversations")
@Controller("api/conversations/:id")
export class ViewingController {
  constructor(private readonly viewing: ViewingService) {}

  /**
   * Say that you look at a conversation, type a reply in it, or have left it. It lasts 20 seconds, so say it again every
   * 10. If you have a conversation open twice, the last request counts. Observers cannot be `typing` (403).
   */
  @Put("viewing")
  @ReadersOnly()
  @AnswersOk()
  set(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() { state }: ViewingDto,
  ): Promise<Json<Ok>> {
    return this.viewing.set(caller, id, state);
  }

  /** List the other members who look at a conversation or type in it, by name. */
  @Get("viewers")
  @ReadersOnly()
  @AnswersList(ViewerDto)
  list(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<ViewerDto[]>> {
    return this.viewing.list(caller, id);
  }
}
