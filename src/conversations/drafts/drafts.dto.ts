import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsBoolean, IsInt, IsOptional, IsString, MaxLength, Max, Min } from "class-validator";
import { Instant, Optional } from "../../platform/http/validation.js";
import { AttachmentDto } from "../attachments/attachments.dto.js";
import { MAX_BODY } from "../message-limits.js";
import { AttachmentIds, MAX_SEQUENCE } from "../messages.dto.js";

export class SaveDraftDto {
  /** Up to 100,000 characters; it may be empty. */
  @ApiProperty({ example: "It left our warehouse" })
  @IsString()
  @MaxLength(MAX_BODY)
  body: string;

  /** Whether it is to become a note. */
  @ApiProperty({ required: false, default: false })
  @Optional()
  @IsBoolean()
  isNote?: boolean = false;

  /** Your own uploads that are not part of a message yet, at most 20, in this order. They are kept as long as the draft. */
  @AttachmentIds()
  attachmentIds?: string[];

  /** The `sequence` of the newest message that you had read. Send the reply with it as `ifLastSequence`. */
  @ApiProperty({ type: "integer", minimum: 0, maximum: MAX_SEQUENCE, required: false, nullable: true, example: 41 })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_SEQUENCE)
  basedOnSequence?: number | null;

  /**
   * The `updatedAt` of the draft that you replace, or null if there was none. If the draft is another one by now, the
   * answer is 409 and nothing changes. Without this field the last write wins.
   */
  @ApiProperty({ type: String, format: "date-time", nullable: true, required: false })
  @IsOptional()
  @Instant()
  ifUpdatedAt?: string | null;
}

@ApiSchema({ description: "What you have written in a conversation and not sent yet. Nobody else can read it." })
export class DraftDto {
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  /** Empty if there is no draft. */
  @ApiProperty({ example: "It left our warehouse" })
  body: string;
  /** Whether it is to become a note. */
  isNote: boolean;
  @ApiProperty({ type: [AttachmentDto] })
  attachments: AttachmentDto[];
  /** The `sequence` of the newest message that you had read. Null if not given. */
  @ApiProperty({ type: "integer", nullable: true, example: 41 })
  basedOnSequence: number | null;
  /** Null if there is no draft. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  updatedAt: string | null;
}
