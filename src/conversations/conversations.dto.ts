import { ApiProperty, ApiPropertyOptional } from "@nestjs/swagger";
import { Transform, Type } from "class-transformer";
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
  Matches,
  ValidateNested,
} from "class-validator";
import { AsIs, CreateContactDto } from "../contacts/contacts.dto.js";
import { E164, toE164 } from "../contacts/phone.js";
import { PagingDto } from "../platform/http/paging.dto.js";
import { Instant, Optional, Trimmed } from "../platform/http/validation.js";
import { CHANNEL_TYPES, type ChannelType } from "../workspaces/channel.entity.js";
import {
  CONVERSATION_STATUSES,
  type ConversationEntity,
  type ConversationStatus,
  PRIORITIES,
  type Priority,
  RESOLUTIONS,
  type Resolution,
} from "./conversation.entity.js";
import { AttachmentIds, MAX_BODY, SentMessageDto } from "./messages.dto.js";

export class ConversationDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  @ApiProperty({ format: "uuid" })
  brandId: string;
  @ApiProperty({ format: "uuid" })
  channelId: string;
  @ApiProperty({ enum: CHANNEL_TYPES })
  channelType: ChannelType;
  @ApiProperty({ format: "uuid" })
  contactId: string;
  /** The account that the contact belongs to. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  accountId: string | null;
  /** Your own id of the conversation; unique per workspace. */
  @ApiProperty({ type: String, nullable: true })
  externalId: string | null;
  @ApiProperty({ type: String, nullable: true })
  subject: string | null;
  @ApiProperty({ enum: CONVERSATION_STATUSES })
  status: ConversationStatus;
  /** Who answers, independent of the status. */
  @ApiProperty({ enum: ["assistant", "human"] })
  handlingMode: ConversationEntity["handlingMode"];
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  assigneeId: string | null;
  @ApiProperty({ enum: PRIORITIES })
  priority: Priority;
  labels: string[];
  /** ISO 639-1. */
  @ApiProperty({ type: String, nullable: true })
  language: string | null;
  @ApiProperty({ type: String, nullable: true })
  summary: string | null;
  /** Inbound and outbound messages; notes are not counted. */
  messageCount: number;
  /** Inbound messages since somebody of ours answered or read. */
  unreadCount: number;
  /** The beginning, at most 200 characters, of the newest message that is no note. */
  @ApiProperty({ type: String, nullable: true })
  lastMessagePreview: string | null;
  /** Moves with every change that shows in this object; lists are ordered by it. */
  @ApiProperty({ format: "date-time" })
  lastActivityAt: string;
  /** Since when the contact waits for an answer; null while nobody waits, as in a resolved conversation. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  waitingSince: string | null;
  /** When somebody of ours first wrote to the contact. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  firstReplyAt: string | null;
  /** When it opens by itself. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  snoozedUntil: string | null;
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  resolvedAt: string | null;
  /** The key or member that resolved it. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  resolvedBy: string | null;
  @ApiProperty({ enum: RESOLUTIONS, nullable: true, type: String })
  resolution: Resolution | null;
  /** How well it is proven who the contact is. */
  @ApiProperty({ enum: ["none", "identified", "high-assurance"] })
  assuranceLevel: ConversationEntity["assuranceLevel"];
  /** The contact's newest rating, on the scale on which they were asked. */
  @ApiProperty({ type: Number, nullable: true })
  csatScore: number | null;
  pendingActionCount: number;
  openAttentionCount: number;
  /** The conversation that this one continues, where a contact wrote again more than 7 days after it was resolved. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  previousConversationId: string | null;
  @ApiProperty({ type: "object", additionalProperties: true })
  metadata: object;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class ListConversationsDto extends PagingDto {
  /** Only of this workspace; 404 where it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  @ApiProperty({ enum: CONVERSATION_STATUSES, required: false })
  @Optional()
  @IsIn(CONVERSATION_STATUSES)
  status?: ConversationStatus;

  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  assigneeId?: string;

  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  contactId?: string;

  /** Only conversations with this label, letter by letter. */
  @Optional()
  @IsString()
  @Length(1, 100)
  label?: string;

  /** Only what has changed at or after this time, ISO 8601: those whose `lastActivityAt` is not before it. The order stays newest activity first. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  updatedSince?: string;

  /** Only the conversation with this id of yours. */
  @Optional()
  @IsString()
  @Length(1, 255)
  externalId?: string;
}

export class StartConversationDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  workspaceId: string;

  /** A channel of the workspace. Default: its API channel. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  channelId?: string;

  /** The contact; or give `contact`. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  contactId?: string;

  /** A contact to make. One whose `externalId` exists is that contact, unchanged; emails and phones never match by themselves. */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => CreateContactDto)
  contact?: CreateContactDto;

  /** Your own id of the conversation, 1 to 255 characters; a repeat in the workspace gives the existing one, unchanged. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "ticket-1001" })
  @IsOptional()
  @IsString()
  @Length(1, 255)
  externalId?: string | null;

  /** 1 to 500 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Where is my order?" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 500)
  subject?: string | null;

  /** Of a call: the number that it came from, with country code. Null where it is withheld. Wrong answers to verification questions are counted by it. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "+4930901820" })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === "string" ? (toE164(value) ?? value) : value))
  @Matches(E164, { message: "callerId must be a whole phone number with country code, such as +4930901820" })
  callerId?: string | null;

  /** Whatever you keep about the conversation, as a JSON object. */
  @ApiPropertyOptional({ type: "object", additionalProperties: true, example: { source: "shop" } })
  @Optional()
  @AsIs()
  @IsObject()
  metadata?: object = {};

  /** The contact's first message. */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => SentMessageDto)
  message?: SentMessageDto;
}

/** A conversation that our side begins, with its first message. */
export class ComposeDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  workspaceId: string;

  /** Whom to write to. */
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  contactId: string;

  /** A channel of the workspace. Default: its API channel. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  channelId?: string;

  /** 1 to 500 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Your parcel" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 500)
  subject?: string | null;

  /** 1 to 100,000 characters. */
  @ApiProperty({ example: "Your parcel will come a day later than we said." })
  @IsString()
  @Length(1, MAX_BODY)
  body: string;

  @ApiProperty({ enum: ["text", "markdown"], required: false, default: "text" })
  @Optional()
  @IsIn(["text", "markdown"])
  bodyFormat?: "text" | "markdown" = "text";

  /** Files of the message: your uploads that are part of no message yet, 20 at most, in this order. */
  @AttachmentIds()
  attachmentIds?: string[];
}

/** What is given replaces what was; what is left out stays. */
export class UpdateConversationDto {
  /** 1 to 500 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Where is my order?" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 500)
  subject?: string | null;

  @ApiProperty({ enum: PRIORITIES, required: false })
  @Optional()
  @IsIn(PRIORITIES)
  priority?: Priority;

  /** All of its labels: at most 50, each 1 to 100 characters. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  labels?: string[];

  /** ISO 639-1. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "en" })
  @IsOptional()
  @Matches(/^[a-z]{2}$/, { message: "language must be two small letters of ISO 639-1" })
  language?: string | null;

  /** What it is about, in 1 to 5,000 characters, for whoever takes it up. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "The parcel is late; a refund was offered." })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 5_000)
  summary?: string | null;

  /** Whatever you keep about the conversation, as a whole JSON object. */
  @ApiPropertyOptional({ type: "object", additionalProperties: true, example: { source: "shop" } })
  @Optional()
  @AsIs()
  @IsObject()
  metadata?: object;
}
