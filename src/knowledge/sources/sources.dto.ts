import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsString, IsUUID, Length } from "class-validator";
import { Optional } from "../../platform/http/validation.js";
import {
  SOURCE_KINDS,
  SOURCE_SCHEDULES,
  SOURCE_STATUSES,
  type SourceKind,
  type SourceSchedule,
  type SourceStatus,
} from "./source.entity.js";
import { SOURCE_ERROR_CODES, type SourceErrorCode } from "./source-problem.js";

@ApiSchema({ description: "A website, a file or a help centre whose text is proposed as entries." })
export class SourceDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  @ApiProperty({ enum: SOURCE_KINDS })
  kind: SourceKind;
  /** The address that it is read from. Null for a file. */
  @ApiProperty({ type: String, nullable: true })
  url: string | null;
  /** The name of the file. Null for an address. */
  @ApiProperty({ type: String, nullable: true })
  fileName: string | null;
  /** How often it is read again by itself. */
  @ApiProperty({ enum: SOURCE_SCHEDULES })
  schedule: SourceSchedule;
  @ApiProperty({ enum: SOURCE_STATUSES })
  status: SourceStatus;
  /** When it was last read. Null if it was not yet. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  lastReadAt: string | null;
  /** How many pages the last reading read, or said that they have not changed. */
  pages: number;
  /** How many pages the last reading could not read. */
  failedPages: number;
  /** How many questions with answers are known from it. */
  found: number;
  /** How many of its proposals wait for a review. */
  proposed: number;
  /** Why it was not read, or only in part, and what you can do. Null if all of it was read. */
  @ApiProperty({ type: String, nullable: true })
  error: string | null;
  /** What `error` says, for programs. Null with it. */
  @ApiProperty({ enum: SOURCE_ERROR_CODES, nullable: true })
  errorCode: SourceErrorCode | null;
  /** The number in `error`: a status, pages or megabytes. Null if there is none. */
  @ApiProperty({ type: "integer", nullable: true })
  errorValue: number | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class CreateSourceDto {
  @ApiProperty({ enum: SOURCE_KINDS })
  @IsIn(SOURCE_KINDS)
  kind: SourceKind;

  /**
   * An https address of at most 2,000 characters. Of a website, its pages below this address are read; it may also be a sitemap. Of a
   * help centre, it is where its API lists the articles. Not for a file.
   */
  @ApiProperty({ required: false, example: "https://example.com/help/" })
  @Optional()
  @IsString()
  @Length(1, 2_000)
  url?: string;

  /** A file that you uploaded with `POST /api/attachments` in the last 24 hours, instead of an address. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  attachmentId?: string;

  /** How often it is read again by itself. A file never is. */
  @ApiProperty({ enum: SOURCE_SCHEDULES, required: false, default: "never" })
  @Optional()
  @IsIn(SOURCE_SCHEDULES)
  schedule?: SourceSchedule = "never";
}

export class UpdateSourceDto {
  /** How often it is read again by itself. A file never is. */
  @ApiProperty({ enum: SOURCE_SCHEDULES, required: false })
  @Optional()
  @IsIn(SOURCE_SCHEDULES)
  schedule?: SourceSchedule;

  /** A newer version of the file. It is read at once. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  attachmentId?: string;
}
