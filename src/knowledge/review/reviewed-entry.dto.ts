import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Max,
  Min,
  ValidateNested,
} from "class-validator";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { Instant, Optional } from "../../platform/http/validation.js";
import { ENTRY_SOURCES, ENTRY_STATUSES, type EntrySource, type EntryStatus } from "./reviewed-entry.entity.js";

const NEW_ENTRY_STATUSES = namedEnum("NewEntryStatus", "Whether a new entry is in use at once.", {
  approved: "in use at once",
  pending: "waits for a review",
});
export const SIMILARITY_KINDS = namedEnum("SimilarityKind", "How two entries are similar.", {
  duplicate: "they say the same",
  contradiction: "they contradict each other",
});
/** As large as PostgreSQL's integer. */
const MAX_VERSION = 2_147_483_647;
export type SimilarityKind = (typeof SIMILARITY_KINDS)[number];

@ApiSchema({ description: "A message that an entry was learned from." })
export class EntryEvidenceDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  conversationId: string;
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  messageId: string;
}

@ApiSchema({ description: "How often an entry was used." })
export class EntryUsageDto {
  /** How often a search found the entry, or an evaluation applied it. */
  retrieved: number;
  /** How often an answer was based on it. */
  answered: number;
  /** How often such an answer helped. */
  helpful: number;
}

/** Fields of every entry that is proposed, reviewed, used and archived. */
export class ReviewedEntryDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  @ApiProperty({ enum: ENTRY_STATUSES })
  status: EntryStatus;
  /** Where the entry comes from. */
  @ApiProperty({ enum: ENTRY_SOURCES })
  source: EntrySource;
  /** How sure the author of the proposal is, 0 to 1. 0.9 and above is high. Missing if not given. */
  confidence?: number;
  /** The messages that it was learned from. */
  evidence: EntryEvidenceDto[];
  /** How many messages are in `evidence`. */
  evidenceCount: number;
  /** The entry that was nearly the same when this one was created. Null if there was none. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  duplicateOfId: string | null;
  /** The key or member that approved or rejected it. Null if it was not reviewed. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  reviewedBy: string | null;
  /** When it was approved or rejected. Null if it was not reviewed. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  reviewedAt: string | null;
  /** Why it was rejected. Null if it was not, or if no reason was given. */
  @ApiProperty({ type: String, nullable: true })
  rejectionReason: string | null;
  /** The entry is not used from this time on. Null: it has no end. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  validUntil: string | null;
  /** How often the entry was used. */
  usage: EntryUsageDto;
  /** 1, 2, 3 …: each edit counts one up. */
  version: number;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

/** Fields that every version of an entry has besides its content. */
export class EntryVersionDto {
  /** 1, 2, 3 … */
  version: number;
  /** The entry was not to be used from this time on. Null: it had no end. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  validUntil: string | null;
  /** The key or member that wrote it. Null if unknown. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  changedBy: string | null;
  /** Why the entry was changed. Null if no reason was given. */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;
}

export class NewEntryDto {
  /** The entry is not used from this time on. ISO 8601. */
  @ApiProperty({ type: String, format: "date-time", nullable: true, required: false })
  @IsOptional()
  @Instant()
  validUntil?: string | null;

  /** A pending entry waits for approval. */
  @ApiProperty({ enum: NEW_ENTRY_STATUSES, required: false, default: "approved" })
  @Optional()
  @IsIn(NEW_ENTRY_STATUSES)
  status?: (typeof NEW_ENTRY_STATUSES)[number] = "approved";

  /** 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1, required: false, example: 0.93 })
  @Optional()
  @IsNumber()
  @Min(0)
  @Max(1)
  confidence?: number;

  /** The messages that it was learned from, at most 100. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => EntryEvidenceDto)
  evidence?: EntryEvidenceDto[] = [];
}

export class EditEntryDto {
  /** The entry is not used from this time on. ISO 8601. Null for no end. */
  @ApiProperty({ type: String, format: "date-time", nullable: true, required: false })
  @IsOptional()
  @Instant()
  validUntil?: string | null;

  /** Why the entry is changed, 1 to 2,000 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "The tariff has changed" })
  @IsOptional()
  @IsString()
  @Length(1, 2_000)
  reason?: string | null;

  /** The `version` that you have read. 409 if it is another one by now. Without it the last edit wins. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(MAX_VERSION)
  ifVersion?: number;
}

export class ListEntriesDto extends PagingDto {
  /** Only entries with this status. */
  @ApiProperty({ enum: ENTRY_STATUSES, required: false })
  @Optional()
  @IsIn(ENTRY_STATUSES)
  status?: EntryStatus;
}

export class PendingDto {
  /** How many entries at most, 1 to 1,000. */
  @Optional()
  @Type(() => Number)
  @IsNumber({ maxDecimalPlaces: 0 })
  @Min(1)
  @Max(1_000)
  limit?: number = 500;
}

export class ApproveEntryDto {
  /** The `version` that you have read. 409 if it is another one by now. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(MAX_VERSION)
  ifVersion?: number;
}

export class RejectEntryDto extends ApproveEntryDto {
  /** The reason, 1 to 2,000 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Outdated since the new tariff" })
  @IsOptional()
  @IsString()
  @Length(1, 2_000)
  reason?: string | null;
}

export class SearchDto {
  /** The question as the contact asks it, at most 500 characters. Without it, the result is empty. */
  @ApiProperty({ required: false, example: "when will my parcel be here" })
  @Optional()
  @IsString()
  @Length(0, 500)
  q?: string;

  /** How many entries a page has at most, 1 to 100. A search finds at most 24 entries, or this many if that is more. */
  @Optional()
  @Type(() => Number)
  @IsNumber({ maxDecimalPlaces: 0 })
  @Min(1)
  @Max(100)
  limit?: number = 5;

  /** The `nextCursor` of the previous page. Use it with the same question. */
  @Optional()
  @IsString()
  @Length(1, 2_000)
  cursor?: string;
}
