import { ApiProperty, ApiPropertyOptional, ApiSchema } from "@nestjs/swagger";
import { Transform, Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
  ValidateNested,
} from "class-validator";
import { CreateContactDto } from "../contacts/contacts.dto.js";
import { E164, toE164 } from "../contacts/phone.js";
import { namedEnum } from "../platform/enums/named-enum.js";
import { PagingDto } from "../platform/http/paging.dto.js";
import { Instant, Optional, Several } from "../platform/http/validation.js";
import { CHANNEL_TYPES, type ChannelType } from "../workspaces/channel.entity.js";
import { ASSURANCE_LEVELS } from "./assurance-level.js";
import {
  BODY_FORMATS,
  type BodyFormat,
  type ConversationEntity,
  PRIORITIES,
  type Priority,
} from "./conversation.entity.js";
import {
  CONVERSATION_STATUSES,
  type ConversationStatus,
  HANDLING_MODES,
  type Resolution,
  RESOLUTIONS,
} from "./lifecycle/lifecycle.js";
import { MAX_BODY } from "./message-limits.js";
import { AttachmentIds, RecipientsDto, SentMessageDto } from "./messages.dto.js";
import { SENDER_PROOFS, type SenderProof } from "./sender-proof.js";

export const SORTS = namedEnum("ConversationSort", "The order of a list of conversations.", {
  recent: "newest activity first",
  waiting: "who has waited longest first",
});
export type Sort = (typeof SORTS)[number];

@ApiSchema({ description: "A conversation between a contact and your side." })
export class ConversationDto {
  /** The conversation's own id. */
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The workspace that it is in. */
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  /** The brand of the workspace. */
  @ApiProperty({ format: "uuid" })
  brandId: string;
  /** The channel that it came through. */
  @ApiProperty({ format: "uuid" })
  channelId: string;
  @ApiProperty({ enum: CHANNEL_TYPES })
  channelType: ChannelType;
  /** The person who wrote, or whom you wrote to. */
  @ApiProperty({ format: "uuid" })
  contactId: string;
  /** The account that the contact belongs to. Null if there is none. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  accountId: string | null;
  /** Your own id for the conversation, unique per workspace. Null if not given. */
  @ApiProperty({ type: String, nullable: true })
  externalId: string | null;
  /** Its subject. Null if it has none. */
  @ApiProperty({ type: String, nullable: true })
  subject: string | null;
  @ApiProperty({ enum: CONVERSATION_STATUSES })
  status: ConversationStatus;
  /** Who answers. This is independent of the status. */
  @ApiProperty({ enum: HANDLING_MODES })
  handlingMode: ConversationEntity["handlingMode"];
  /** The member who handles it. Null if nobody is assigned. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  assigneeId: string | null;
  @ApiProperty({ enum: PRIORITIES })
  priority: Priority;
  /** Names of labels: those of `GET /api/labels`, and any others that you gave it. */
  labels: string[];
  /** ISO 639-1. Null if unknown. */
  @ApiProperty({ type: String, nullable: true })
  language: string | null;
  /** What the conversation is about, for the next person who handles it. Null if nobody wrote it. */
  @ApiProperty({ type: String, nullable: true })
  summary: string | null;
  /** Inbound and outbound messages; notes are not counted. */
  messageCount: number;
  /** Inbound messages since your side last answered, resolved or marked the conversation as read. Opening it changes nothing. */
  unreadCount: number;
  /**
   * The first 200 characters or less of the newest message that is not a note. What Parley says by itself does not count, such as
   * that a colleague takes over, or a survey. Null if there is none.
   */
  @ApiProperty({ type: String, nullable: true })
  lastMessagePreview: string | null;
  /** Changes whenever this object changes. Lists are ordered by it. */
  @ApiProperty({ format: "date-time" })
  lastActivityAt: string;
  /**
   * Since when the contact has been waiting for an answer. Null if the contact is not waiting, for example in a
   * resolved conversation.
   */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  waitingSince: string | null;
  /** When your side first wrote to the contact. Null until then. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  firstReplyAt: string | null;
  /** When the conversation opens by itself. Null if it is not snoozed. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  snoozedUntil: string | null;
  /** When it was resolved. Null if it is not resolved. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  resolvedAt: string | null;
  /** The key or member that resolved it. Null if it is not resolved. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  resolvedBy: string | null;
  /** How it ended. Null if it is not resolved, or if that was not given. */
  @ApiProperty({ enum: RESOLUTIONS, nullable: true, type: String })
  resolution: Resolution | null;
  /** How well the contact's identity is proven. */
  @ApiProperty({ enum: ASSURANCE_LEVELS })
  assuranceLevel: ConversationEntity["assuranceLevel"];
  /** What proves that the messages are from the contact: the weakest proof among them. Null until the contact has written. */
  @ApiProperty({ enum: SENDER_PROOFS, nullable: true, type: String })
  senderProof: SenderProof | null;
  /** The contact's newest rating, on the scale of the survey they answered. Null without one. */
  @ApiProperty({ type: Number, nullable: true })
  csatScore: number | null;
  /** Actions of the assistant that wait for a person's approval. */
  pendingActionCount: number;
  /** Attention items of the conversation that are open. */
  openAttentionCount: number;
  /**
   * The conversation that this one continues, if the contact wrote again more than 7 days after that one was resolved.
   * Otherwise null.
   */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  previousConversationId: string | null;
  /** Any data that you keep about the conversation. */
  @ApiProperty({ type: "object", additionalProperties: true })
  metadata: object;
  /** When it began. */
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  /** When it last changed. */
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class ListConversationsDto extends PagingDto {
  /** Only this workspace. 404 if you have no access to it. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /**
   * `recent`: newest activity first. `waiting`: only conversations with a contact who waits for an answer
   * (`waitingSince`), who has waited longest first.
   */
  @ApiProperty({ enum: SORTS, required: false, default: "recent" })
  @Optional()
  @IsIn(SORTS)
  sort?: Sort = "recent";

  /** One of these statuses. Repeat the parameter, or separate several with commas. */
  @ApiProperty({ enum: CONVERSATION_STATUSES, isArray: true, required: false })
  @Optional()
  @Several()
  @IsIn(CONVERSATION_STATUSES, { each: true })
  status?: ConversationStatus[];

  /** A member's id, or `none` for conversations without an assignee. */
  @ApiProperty({ type: String, required: false })
  @Optional()
  @Matches(/^(none|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/, {
    message: "assigneeId must be a UUID or none",
  })
  assigneeId?: string;

  /** `true`: only conversations with unread messages (`unreadCount` above 0). `false`: only those without. */
  @ApiProperty({ type: Boolean, required: false })
  @Optional()
  @Transform(({ value }: { value: unknown }) => (value === "true" ? true : value === "false" ? false : value))
  @IsBoolean()
  unread?: boolean;

  /** Only conversations that the assistant or a human handles. */
  @ApiProperty({ enum: HANDLING_MODES, required: false })
  @Optional()
  @IsIn(HANDLING_MODES)
  handlingMode?: ConversationEntity["handlingMode"];

  /** Only conversations of channels of this type. */
  @ApiProperty({ enum: CHANNEL_TYPES, required: false })
  @Optional()
  @IsIn(CHANNEL_TYPES)
  channelType?: ChannelType;

  /** Only conversations of this contact. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  contactId?: string;

  /** Only conversations with exactly this label. Case matters. */
  @Optional()
  @IsString()
  @Length(1, 100)
  label?: string;

  /**
   * Only conversations whose `lastActivityAt` is at or after this time, ISO 8601. It does not change the order.
   */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  updatedSince?: string;

  /** Only the conversation with this `externalId`. */
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

  /** The contact. Or give `contact` instead. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  contactId?: string;

  /**
   * A contact to create. If a contact with this `externalId` exists within your reach, that contact is used, unchanged.
   * If it is out of reach, a new contact without `externalId` is created. Emails and phone numbers alone never match an
   * existing contact.
   */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => CreateContactDto)
  contact?: CreateContactDto;

  /**
   * Your own id for the conversation, 1 to 255 characters. If the workspace already has it, you get the existing
   * conversation, unchanged.
   */
  @ApiProperty({ type: String, nullable: true, required: false, example: "ticket-1001" })
  @IsOptional()
  @IsString()
  @Length(1, 255)
  externalId?: string | null;

  /** 1 to 500 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Where is my order?" })
  @IsOptional()
  @IsString()
  @Length(1, 500)
  subject?: string | null;

  /**
   * For a call: the caller's number with country code, or null if it is withheld. Wrong answers to verification
   * questions are counted per number.
   */
  @ApiProperty({ type: String, nullable: true, required: false, example: "+4930901820" })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === "string" ? (toE164(value) ?? value) : value))
  @Matches(E164, { message: "callerId must be a whole phone number with country code, such as +4930901820" })
  callerId?: string | null;

  /** Any data that you keep about the conversation, as a JSON object. */
  @ApiPropertyOptional({ type: "object", additionalProperties: true, example: { source: "shop" } })
  @Optional()
  @IsObject()
  metadata?: object = {};

  /** The contact's first message. */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => SentMessageDto)
  message?: SentMessageDto;
}

/** A conversation that your side starts, with its first message. */
export class ComposeConversationDto extends RecipientsDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  workspaceId: string;

  /** The contact to write to. */
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
  @IsString()
  @Length(1, 500)
  subject?: string | null;

  /** 1 to 100,000 characters. */
  @ApiProperty({ example: "Your parcel will come a day later than we said." })
  @IsString()
  @Length(1, MAX_BODY)
  body: string;

  /** How `body` is written. */
  @ApiProperty({ enum: BODY_FORMATS, required: false, default: "text" })
  @Optional()
  @IsIn(BODY_FORMATS)
  bodyFormat?: BodyFormat = "text";

  /** Files of the message: your own uploads that are not part of a message yet, at most 20, in this order. */
  @AttachmentIds()
  attachmentIds?: string[];
}

/** So many labels a conversation has at most. */
export const MAX_LABELS = 50;

/** Only the given fields change. A given value replaces the old one. */
export class UpdateConversationDto {
  /** 1 to 500 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Where is my order?" })
  @IsOptional()
  @IsString()
  @Length(1, 500)
  subject?: string | null;

  @ApiProperty({ enum: PRIORITIES, required: false })
  @Optional()
  @IsIn(PRIORITIES)
  priority?: Priority;

  /** Replaces all labels. At most 50, each 1 to 100 characters. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_LABELS)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  labels?: string[];

  /** ISO 639-1. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "en" })
  @IsOptional()
  @Matches(/^[a-z]{2}$/, { message: "language must be two small letters of ISO 639-1" })
  language?: string | null;

  /** What the conversation is about, 1 to 5,000 characters, for the next person who handles it. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "The parcel is late; a refund was offered." })
  @IsOptional()
  @IsString()
  @Length(1, 5_000)
  summary?: string | null;

  /** Any data that you keep about the conversation, as a JSON object. Replaces the old object. */
  @ApiPropertyOptional({ type: "object", additionalProperties: true, example: { source: "shop" } })
  @Optional()
  @IsObject()
  metadata?: object;
}
