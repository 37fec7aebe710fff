import { ApiProperty, ApiPropertyOptional } from "@nestjs/swagger";
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
} from "class-validator";
import { ActorDto } from "../../audit/audit-log.dto.js";
import { AsIs } from "../../contacts/contacts.dto.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { Instant, Optional, Trimmed } from "../../platform/http/validation.js";
import {
  CASE_EVENT_TYPES,
  CASE_PRIORITIES,
  CASE_STATUSES,
  type CaseEventType,
  type CasePriority,
  type CaseStatus,
  type FieldValue,
} from "./case.entity.js";

const MAX_CONVERSATIONS = 100;

export class CaseDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  /** 1, 2, 3 … in the workspace, without gaps. */
  number: number;
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  typeId: string | null;
  /** Empty once its contact was erased. */
  title: string;
  @ApiProperty({ enum: CASE_STATUSES })
  status: CaseStatus;
  @ApiProperty({ enum: CASE_PRIORITIES })
  priority: CasePriority;
  /** Those that it is about, oldest first. */
  @ApiProperty({ type: [String] })
  conversationIds: string[];
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  contactId: string | null;
  /** The contact's account. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  accountId: string | null;
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  assigneeId: string | null;
  /** By the keys of the type's fields. */
  @ApiProperty({ type: "object", additionalProperties: true })
  fields: Record<string, FieldValue>;
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  dueAt: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class CaseEventDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  caseId: string;
  @ApiProperty({ enum: CASE_EVENT_TYPES })
  type: CaseEventType;
  actor: ActorDto;
  /** What it was before: a status, a priority, a title, an id or a time. */
  @ApiProperty({ type: String, nullable: true })
  from: string | null;
  /** What it is since; of `fields`, the keys of those that changed. */
  @ApiProperty({ oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }, { type: "null" }] })
  to: string | string[] | null;
  @ApiProperty({ format: "date-time" })
  occurredAt: string;
}

export class CreateCaseDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  workspaceId: string;

  /** 1 to 500 characters. */
  @ApiProperty({ example: "The parcel arrived damaged" })
  @Trimmed()
  @IsString()
  @Length(1, 500)
  title: string;

  /** A case without a type has no fields. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  typeId?: string | null;

  @ApiProperty({ enum: CASE_PRIORITIES, required: false, default: "none" })
  @Optional()
  @IsIn(CASE_PRIORITIES)
  priority?: CasePriority = "none";

  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  contactId?: string | null;

  /** An owner, an admin, or an agent who is assigned to the workspace. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  assigneeId?: string | null;

  /** Conversations of the workspace, at most 100. */
  @ApiProperty({ type: [String], format: "uuid", required: false })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_CONVERSATIONS)
  @ArrayUnique()
  @IsUUID(undefined, { each: true })
  conversationIds?: string[] = [];

  /** By the keys of the type's fields. */
  @ApiPropertyOptional({ type: "object", additionalProperties: true, example: { orderNumber: "A-1017" } })
  @Optional()
  @AsIs()
  @IsObject()
  fields?: Record<string, unknown> = {};

  @ApiProperty({ type: String, format: "date-time", nullable: true, required: false })
  @IsOptional()
  @Instant()
  dueAt?: string | null;
}

export class UpdateCaseDto {
  /** 1 to 500 characters. */
  @ApiProperty({ required: false })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 500)
  title?: string;

  /** From `resolved` only back to `in_progress`, and from nowhere back to `submitted` (409). */
  @ApiProperty({ enum: CASE_STATUSES, required: false })
  @Optional()
  @IsIn(CASE_STATUSES)
  status?: CaseStatus;

  @ApiProperty({ enum: CASE_PRIORITIES, required: false })
  @Optional()
  @IsIn(CASE_PRIORITIES)
  priority?: CasePriority;

  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  contactId?: string | null;

  /** An owner, an admin, or an agent who is assigned to the workspace. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  assigneeId?: string | null;

  /** All of them anew. */
  @ApiProperty({ type: [String], format: "uuid", required: false })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_CONVERSATIONS)
  @ArrayUnique()
  @IsUUID(undefined, { each: true })
  conversationIds?: string[];

  /** Those that change; null takes a value away. */
  @ApiPropertyOptional({ type: "object", additionalProperties: true, example: { orderNumber: null } })
  @Optional()
  @AsIs()
  @IsObject()
  fields?: Record<string, unknown>;

  @ApiProperty({ type: String, format: "date-time", nullable: true, required: false })
  @IsOptional()
  @Instant()
  dueAt?: string | null;
}

export class ListCasesDto extends PagingDto {
  /** Only of this workspace; 404 where it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  @ApiProperty({ enum: CASE_STATUSES, required: false })
  @Optional()
  @IsIn(CASE_STATUSES)
  status?: CaseStatus;

  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  assigneeId?: string;

  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  contactId?: string;

  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  conversationId?: string;
}
