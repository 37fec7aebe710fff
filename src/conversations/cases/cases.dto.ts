import { ApiProperty, ApiPropertyOptional, ApiSchema } from "@nestjs/swagger";
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
import { AuditActorDto } from "../../audit/audit-log.dto.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { Instant, Optional, Trimmed } from "../../platform/http/validation.js";
import { PRIORITIES, type Priority } from "../conversation.entity.js";
import {
  CASE_EVENT_TYPES,
  CASE_STATUSES,
  type CaseEventType,
  type CaseStatus,
  type FieldValue,
} from "./case.entity.js";

const MAX_CONVERSATIONS = 100;

@ApiSchema({ description: "A matter that outlasts one conversation." })
export class CaseDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  /** Counts 1, 2, 3 … within the workspace, without gaps. */
  number: number;
  /** The case type, which defines the fields. Null for a case without fields. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  typeId: string | null;
  /** Empty after the contact was erased. */
  title: string;
  @ApiProperty({ enum: CASE_STATUSES })
  status: CaseStatus;
  @ApiProperty({ enum: PRIORITIES })
  priority: Priority;
  /** The conversations that the case is about, oldest first. */
  @ApiProperty({ type: [String] })
  conversationIds: string[];
  /** The contact that the case is about. Null if there is none, or after the contact was erased. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  contactId: string | null;
  /** The contact's account. Null if there is none. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  accountId: string | null;
  /** The member who works on it. Null if nobody is assigned. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  assigneeId: string | null;
  /** Values by field key, as the case type defines them. */
  @ApiProperty({ type: "object", additionalProperties: true })
  fields: Record<string, FieldValue>;
  /** When it should be done. Null if there is no such time. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  dueAt: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

@ApiSchema({ description: "One change to a case." })
export class CaseEventDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  caseId: string;
  @ApiProperty({ enum: CASE_EVENT_TYPES })
  type: CaseEventType;
  actor: AuditActorDto;
  /** The old value: a status, a priority, a title, an id or a time. Null if there was none, or after the contact was erased. */
  @ApiProperty({ type: String, nullable: true })
  from: string | null;
  /** The new value. For `fields`, the keys of the fields that changed. Null if there is none, or after the contact was erased. */
  @ApiProperty({ oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }, { type: "null" }] })
  to: string | string[] | null;
  /** When it happened. */
  @ApiProperty({ format: "date-time" })
  occurredAt: string;
}

export class CreateCaseDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  workspaceId: string;

  /** 1 to 500 characters. */
  @ApiProperty({ example: "The parcel arrived damaged" })
  @IsString()
  @Length(1, 500)
  title: string;

  /** A case without a type has no fields. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  typeId?: string | null;

  /** How urgent the case is. */
  @ApiProperty({ enum: PRIORITIES, required: false, default: "none" })
  @Optional()
  @IsIn(PRIORITIES)
  priority?: Priority = "none";

  /** The contact that the case is about. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  contactId?: string | null;

  /** An owner, an admin, or an agent who is assigned to the workspace. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  assigneeId?: string | null;

  /** Conversations in the workspace, at most 100. */
  @ApiProperty({ type: [String], format: "uuid", required: false })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_CONVERSATIONS)
  @ArrayUnique()
  @IsUUID(undefined, { each: true })
  conversationIds?: string[] = [];

  /** Values by field key, as the case type defines them. */
  @ApiPropertyOptional({ type: "object", additionalProperties: true, example: { orderNumber: "A-1017" } })
  @Optional()
  @IsObject()
  fields?: Record<string, unknown> = {};

  /** When it should be done. ISO 8601. */
  @ApiProperty({ type: String, format: "date-time", nullable: true, required: false })
  @IsOptional()
  @Instant()
  dueAt?: string | null;
}

export class UpdateCaseDto {
  /** 1 to 500 characters. */
  @ApiProperty({ required: false })
  @Optional()
  @IsString()
  @Length(1, 500)
  title?: string;

  /** A `resolved` case can only go back to `in_progress`, and no case can go back to `submitted` (409). */
  @ApiProperty({ enum: CASE_STATUSES, required: false })
  @Optional()
  @IsIn(CASE_STATUSES)
  status?: CaseStatus;

  @ApiProperty({ enum: PRIORITIES, required: false })
  @Optional()
  @IsIn(PRIORITIES)
  priority?: Priority;

  /** The contact that the case is about. Null removes it. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  contactId?: string | null;

  /** An owner, an admin, or an agent who is assigned to the workspace. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  assigneeId?: string | null;

  /** Replaces the whole list. At most 100. */
  @ApiProperty({ type: [String], format: "uuid", required: false })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_CONVERSATIONS)
  @ArrayUnique()
  @IsUUID(undefined, { each: true })
  conversationIds?: string[];

  /** Only the fields to change. Null removes a value. */
  @ApiPropertyOptional({ type: "object", additionalProperties: true, example: { orderNumber: null } })
  @Optional()
  @IsObject()
  fields?: Record<string, unknown>;

  /** When it should be done. ISO 8601. Null removes it. */
  @ApiProperty({ type: String, format: "date-time", nullable: true, required: false })
  @IsOptional()
  @Instant()
  dueAt?: string | null;
}

export class ListCasesDto extends PagingDto {
  /** Only this workspace. 404 if you have no access to it. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** Only cases with this status. */
  @ApiProperty({ enum: CASE_STATUSES, required: false })
  @Optional()
  @IsIn(CASE_STATUSES)
  status?: CaseStatus;

  /** Only cases that are assigned to this member. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  assigneeId?: string;

  /** Only cases about this contact. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  contactId?: string;

  /** Only cases about this conversation. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  conversationId?: string;

  /**
   * Only cases with these words in the title or the fields, or with this number, such as `17` or `#17`. 1 to 200
   * characters. Every word must be found, in any order, as the beginning of a word. A word of up to three letters must
   * match a whole word, unless it is the last one, and so must a number of up to three figures. Accents and case make no
   * difference. Only the first 12 words count.
   */
  @ApiProperty({ required: false, example: "damaged parcel" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  q?: string;
}
