import { Body, Controller, Get, HttpCode, Param, Post, Query } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers, AnswersOk, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { GetSuggestionsDto, RecordSuggestionOutcomeDto, SuggestionsDto } from "./suggestions.dto.js";
import { SuggestionsService } from "./suggestions.service.js";

@OperationGroup("conversations")
@Controller("api")
export class SuggestionsController {
  constructor(private readonly suggestions: SuggestionsService) {}

  /**
   * Read what you could answer. You get the approved entries of the workspace that fit what the contact wrote since the last
   * reply, at most three. Nothing is sent. A key needs `kb:read` too. Reply with the entry in `citations`, and the outcome of
   * its suggestion is recorded with the reply.
   */
  @Get("conversations/:id/suggestions")
  @RequireScope("conversations:read")
  @Answers(SuggestionsDto)
  getSuggestions(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Query() { draft }: GetSuggestionsDto,
  ): Promise<Json<SuggestionsDto>> {
    return this.suggestions.get(caller, id, draft);
  }

  /**
   * Record what was made of a suggestion. A reply that cites the entry has recorded it already. `used` and `edited` count an
   * answer in the entry's `usage`. The first outcome stays: another one is 409.
   */
  @Post("suggestions/:id/outcome")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk()
  @Fails(409)
  recordSuggestionOutcome(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() { outcome }: RecordSuggestionOutcomeDto,
  ): Promise<Json<Ok>> {
    return this.suggestions.end(caller, id, outcome);
  }
}
