import { Controller, Get, Query, UseGuards } from "@nestjs/common";
import type { ApiKey } from "./api-key.entity.js";
import { ApiKeyGuard, CurrentKey, RequireScope } from "./api-key.guard.js";
import { type ConversationsPage, ListConversationsDto } from "./conversations.dto.js";
import { ConversationsService } from "./conversations.service.js";

@Controller("api/conversations")
@UseGuards(ApiKeyGuard)
export class ConversationsController {
  constructor(private readonly conversations: ConversationsService) {}

  @Get()
  @RequireScope("conversations:read")
  list(@CurrentKey() key: ApiKey, @Query() query: ListConversationsDto): Promise<ConversationsPage> {
    return this.conversations.list(key, query);
  }
}
