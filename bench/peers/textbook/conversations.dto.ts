import { Type } from "class-transformer";
import { IsInt, IsOptional, IsString, Max, Min } from "class-validator";
import type { Conversation } from "./conversation.entity.js";

export class ListConversationsDto {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit = 25;

  @IsOptional()
  @IsString()
  cursor?: string;
}

export class ConversationsPage {
  data: Conversation[];
  nextCursor?: string;

  constructor(page: ConversationsPage) {
    Object.assign(this, page);
  }
}
