import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsArray, IsIn, IsNumber, IsOptional, IsString, IsUUID, Length, Matches, Max, Min, ValidateNested } from 'class-validator';
import { PagingDto } from '../http/paging.dto.js';
import { Instant, Optional, Trimmed } from '../http/validation.js';
import { KB_STATUSES, type KbEntryEntity, type KbStatus } from './kb-entry.entity.js';

export class EvidenceDto {
  @ApiProperty({ format: 'uuid' })
  @IsUUID()
  conversationId: string;
  @ApiProperty({ format: 'uuid' })
  @IsUUID()
  messageId: string;
}

export class UsageDto {
  /** How often search found it. */
  retrieved: number;
  /** How often an answer rested on it. */
  answered: number;
  /** How often such an answer helped. */
  helpful: number;
}

export class KbEntryDto {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ format: 'uuid' })
  workspaceId: string;
  @ApiProperty({ enum: KB_STATUSES })
  status: KbStatus;
  question: string;
  answer: string;
  alternateQuestions: string[];
  /** ISO 639-1. */
  language: string;
  labels: string[];
  @ApiProperty({ enum: ['manual', 'learning', 'import'] })
  source: KbEntryEntity['source'];
  /** How sure whoever proposed it is, 0 to 1; 0.9 and above is high. Missing where nobody said. */
  confidence?: number;
  /** The messages that it was learned from. */
  evidence: EvidenceDto[];
  evidenceCount: number;
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  duplicateOfId: string | null;
  /** The key or member that approved or rejected it. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  reviewedBy: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  reviewedAt: string | null;
  @ApiProperty({ type: String, nullable: true })
  rejectionReason: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  validUntil: string | null;
  usage: UsageDto;
  version: number;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;
}

export class CreateKbEntryDto {
  /** 1 to 2,000 characters. */
  @ApiProperty({ example: 'How long does delivery take?' })
  @Trimmed() @IsString() @Length(1, 2_000)
  question: string;

  /** 1 to 20,000 characters. */
  @ApiProperty({ example: 'Two to three working days.' })
  @Trimmed() @IsString() @Length(1, 20_000)
  answer: string;

  /** Other ways to ask the same, at most 200. */
  @Optional() @IsArray() @ArrayMaxSize(200) @IsString({ each: true }) @Length(1, 2_000, { each: true })
  alternateQuestions?: string[] = [];

  /** ISO 639-1. Default: the workspace's primary language. */
  @ApiProperty({ example: 'en', required: false })
  @Optional() @Matches(/^[a-z]{2}$/, { message: 'language must be two small letters of ISO 639-1' })
  language?: string;

  /** At most 50, each 1 to 100 characters. */
  @Optional() @IsArray() @ArrayMaxSize(50) @ArrayUnique() @IsString({ each: true }) @Length(1, 100, { each: true })
  labels?: string[] = [];

  /** From then on the entry is no longer used. ISO 8601. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, required: false })
  @IsOptional() @Instant()
  validUntil?: string | null;

  /** A pending entry waits for approval. */
  @ApiProperty({ enum: ['approved', 'pending'], required: false, default: 'approved' })
  @Optional() @IsIn(['approved', 'pending'])
  status?: 'approved' | 'pending' = 'approved';

  /** 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1, required: false, example: 0.93 })
  @Optional() @IsNumber() @Min(0) @Max(1)
  confidence?: number;

  /** The messages that it was learned from, at most 100. */
  @Optional() @IsArray() @ArrayMaxSize(100) @ValidateNested({ each: true }) @Type(() => EvidenceDto)
  evidence?: EvidenceDto[] = [];
}

export class ListKbEntriesDto extends PagingDto {
  @ApiProperty({ enum: KB_STATUSES, required: false })
  @Optional() @IsIn(KB_STATUSES)
  status?: KbStatus;
}

export class PendingDto {
  /** How many entries at the most, 1 to 1,000. */
  @Optional() @Type(() => Number) @IsNumber({ maxDecimalPlaces: 0 }) @Min(1) @Max(1_000)
  limit?: number = 500;
}

export class RejectDto {
  /** Why, 1 to 2,000 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: 'Outdated since the new tariff' })
  @IsOptional() @Trimmed() @IsString() @Length(1, 2_000)
  reason?: string | null;
}
