import { Body, Controller, HttpCode, Post } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Page } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { AnswersPage } from "../../platform/http/openapi.js";
import { FoundConversationDto, SearchConversationsDto } from "./search.dto.js";
import { SearchService } from "./search.service.js";

@OperationGroup("conversations")
@Controller("api/conversations")
export class SearchController {
  constructor(private readonly conversations: SearchService) {}

  /**
   * Search conversations by what was written, and by whom. The search covers their messages (notes included),
   * subjects and contacts. Searching by contacts needs the scope `contacts:read` or a session. Matches in the subject
   * or contact come first, then matches in one message, then conversations that have the words in different places.
   * If little is found, words with one typo match too. Within each group, the most recent activity comes first. The
   * search covers the 1,000 newest messages and the 200 newest subjects and contacts that match.
   */
  @Post("search")
  @HttpCode(200)
  @RequireScope("conversations:read")
  @AnswersPage(FoundConversationDto)
  search(
    @CurrentCaller() caller: Caller,
    @Body() body: SearchConversationsDto,
  ): Promise<Json<Page<FoundConversationDto>>> {
    return this.conversations.search(caller, body);
  }
}
