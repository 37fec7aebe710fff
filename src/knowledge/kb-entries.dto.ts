import { ApiProperty, PartialType, PickType } from '@nestjs/swagger';
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

export class EditKbEntryDto extends PartialType(PickType(CreateKbEntryDto, ['question', 'answer'] as const), { skipNullProperties: false }) {
  /** Other ways to ask the same, at most 200; they replace those there are. */
  @Optional() @IsArray() @ArrayMaxSize(200) @IsString({ each: true }) @Length(1, 2_000, { each: true })
  alternateQuestions?: string[];

  /** At most 50, each 1 to 100 characters; they replace those there are. */
  @Optional() @IsArray() @ArrayMaxSize(50) @ArrayUnique() @IsString({ each: true }) @Length(1, 100, { each: true })
  labels?: string[];

  /** From then on the entry is no longer used. ISO 8601; null for no end. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, required: false })
  @IsOptional() @Instant()
  validUntil?: string | null;

  /** Why it is changed, 1 to 2,000 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: 'The tariff has changed' })
  @IsOptional() @Trimmed() @IsString() @Length(1, 2_000)
  reason?: string | null;
}

export class KbEntryVersionDto {
  /** 1, 2, 3 … */
  version: number;
  question: string;
  answer: string;
  alternateQuestions: string[];
  labels: string[];
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  validUntil: string | null;
  /** The key or member that wrote it; null where that is not known. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  changedBy: string | null;
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;
}

export class SearchDto {
  /** The question as it is put, at most 500 characters. Without it nothing is found. */
  @ApiProperty({ required: false, example: 'when will my parcel be here' })
  @Optional() @IsString() @Length(0, 500)
  q?: string;

  /** How many entries at the most, 1 to 50. */
  @Optional() @Type(() => Number) @IsNumber({ maxDecimalPlaces: 0 }) @Min(1) @Max(50)
  limit?: number = 5;
}

export class KbHitDto {
  entry: KbEntryDto;
  /** How probable it is that the entry answers the question, 0 to 1: of answers at 0.9, nine in ten are right. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  confidence: number;
}

export class SimilarDto {
  entry: KbEntryDto;
  /** How much alike the nearest of their questions are, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  likeness: number;
  /** `duplicate`: the answers say much the same; `contradiction`: they do not. */
  @ApiProperty({ enum: ['duplicate', 'contradiction'] })
  kind: 'duplicate' | 'contradiction';
}

/** An entry that is asked for in nearly the same words as a new one. */
export class LikelySameDto extends PickType(SimilarDto, ['likeness', 'kind'] as const) {
  @ApiProperty({ format: 'uuid' })
  kbEntryId: string;
  question: string;
}

export class KbEntryCreatedDto extends KbEntryDto {
  /** Likely duplicates and contradictions among the approved and pending entries of the workspace, the likest first, to be looked at; nothing is refused for them. */
  @ApiProperty({ type: [LikelySameDto] })
  similar: LikelySameDto[];
}

export class ImportDto {
  /** `csv` with a header line, or a JSON object a line. */
  @ApiProperty({ enum: ['csv', 'ndjson'] })
  @IsIn(['csv', 'ndjson'])
  format: 'csv' | 'ndjson';

  /**
   * At most 10,000 lines. Fields: question, answer, alternateQuestions, language, labels, validUntil, status. In CSV several
   * values of one field are separated by `|`, or they are a JSON array.
   */
  @ApiProperty({ example: 'question,answer\nHow long does delivery take?,Two days.' })
  @IsString() @Length(1, 1_000_000)
  content: string;
}

export class ExportKbEntriesDto {
  @ApiProperty({ enum: ['csv', 'ndjson'], required: false, default: 'ndjson' })
  @Optional() @IsIn(['csv', 'ndjson'])
  format?: 'csv' | 'ndjson' = 'ndjson';

  @ApiProperty({ enum: KB_STATUSES, required: false })
  @Optional() @IsIn(KB_STATUSES)
  status?: KbStatus;

  /** The `nextCursor` of the part before, with the same status. */
  @Optional() @IsString() @Length(1, 2_000)
  cursor?: string;
}

export class KbExportDto {
  @ApiProperty({ enum: ['csv', 'ndjson'] })
  format: 'csv' | 'ndjson';
  /** The entries, newest first, in the form that an import takes. */
  content: string;
  /** Missing in the last part. */
  nextCursor?: string;
}

export class ImportErrorDto {
  /** The line of the content on which the entry begins, from 1. */
  line: number;
  error: string;
}

export class ImportHintDto extends LikelySameDto {
  /** The line of the content on which the entry begins, from 1. */
  line: number;
}

export class ImportReportDto {
  imported: number;
  failed: number;
  errors: ImportErrorDto[];
  /** Imported lines that likely duplicate or contradict an entry that was there, or a line before; a thousand at most. Of more than 1,000 lines only those are named that repeat a line before. */
  @ApiProperty({ type: [ImportHintDto] })
  similar: ImportHintDto[];
}
