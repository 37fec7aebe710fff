import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsInt, IsString, IsUUID, Length, Max, Min } from "class-validator";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { CONVERSATION_STATUSES, type ConversationStatus } from "../lifecycle/lifecycle.js";
import { ConversationDto } from "../conversations.dto.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";

const SNIPPET_FIELDS = namedEnum("SnippetField", "Where the words were found.", ["subject", "contact", "message"]);

export class SearchConversationsDto {
  /**
   * 1 to 400 characters. Only the first 12 words count. Every word must be found, in any order, as the beginning of a
   * word. A word of up to three letters must match a whole word, unless it is the last one. Accents and case make no
   * difference. There are no operators.
   */
  @ApiProperty({ example: "retrun label" })
  @Trimmed()
  @IsString()
  @Length(1, 400)
  query: string;

  /** Only this workspace. 404 if you have no access to it. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** Only conversations with this status. */
  @ApiProperty({ enum: CONVERSATION_STATUSES, required: false })
  @Optional()
  @IsIn(CONVERSATION_STATUSES)
  status?: ConversationStatus;

  /** How many conversations a page has at most, 1 to 100. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number = 25;

  /** The `nextCursor` of the previous page. Use it with the same query and filters. */
  @Optional()
  @IsString()
  @Length(1, 2_000)
  cursor?: string;
}

@ApiSchema({ description: "A part of an extract, which matches the query or not." })
export class SnippetPartDto {
  /** The text of this part, with its spaces. */
  text: string;
  /** Whether this part matches the query. Highlight it. */
  match: boolean;
}

/**
 * An extract of about 200 characters, as plain text in parts. Join the parts to get the text. It contains no HTML.
 */
@ApiSchema({
  description:
    "An extract of about 200 characters, as plain text in parts. Join the parts to get the text. It contains no HTML.",
})
export class SnippetDto {
  @ApiProperty({ enum: SNIPPET_FIELDS })
  field: (typeof SNIPPET_FIELDS)[number];
  /** The id of the message, if the text was found in one. Otherwise null. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  messageId: string | null;
  /** The extract, in order. */
  @ApiProperty({ type: [SnippetPartDto] })
  parts: SnippetPartDto[];
}

@ApiSchema({ description: "A conversation that a search found, with the places that match." })
export class FoundConversationDto {
  conversation: ConversationDto;
  /**
   * Where the words were found: the subject, the contact's name, email or phone, and the newest message that contains
   * them.
   */
  @ApiProperty({ type: [SnippetDto] })
  snippets: SnippetDto[];
}
