import { ApiProperty } from "@nestjs/swagger";
import { IsIn, IsInt, IsString, IsUUID, Length, Max, Min } from "class-validator";
import { CONVERSATION_STATUSES, type ConversationStatus } from "../conversation.entity.js";
import { ConversationDto } from "../conversations.dto.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";

export class SearchConversationsDto {
  /**
   * 1 to 400 characters, of which the first 12 words count. Every word must be found, in any order, as the beginning of a
   * word (words of up to three letters, unless the last one, as whole words); accents and case make no difference. Nothing
   * in it is an operator.
   */
  @ApiProperty({ example: "retrun label" })
  @Trimmed()
  @IsString()
  @Length(1, 400)
  query: string;

  /** Only of this workspace; 404 where it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  @ApiProperty({ enum: CONVERSATION_STATUSES, required: false })
  @Optional()
  @IsIn(CONVERSATION_STATUSES)
  status?: ConversationStatus;

  /** How many conversations a page holds at the most, 1 to 100. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number = 25;

  /** The `nextCursor` of the page before, with the same query and filters. */
  @Optional()
  @IsString()
  @Length(1, 2_000)
  cursor?: string;
}

export class SnippetPartDto {
  text: string;
  /** What was found: show it marked. */
  match: boolean;
}

/** An extract, of about 200 characters, as plain text in parts: put together they are the text, and nothing in it is HTML. */
export class SnippetDto {
  @ApiProperty({ enum: ["subject", "contact", "message"] })
  field: "subject" | "contact" | "message";
  /** Of a message: its id. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  messageId: string | null;
  @ApiProperty({ type: [SnippetPartDto] })
  parts: SnippetPartDto[];
}

export class FoundConversationDto {
  conversation: ConversationDto;
  /** Where it was found: the subject, the contact's name, email or phone, and the newest message that holds the words. */
  @ApiProperty({ type: [SnippetDto] })
  snippets: SnippetDto[];
}
