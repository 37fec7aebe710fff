import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsIn, IsObject, IsOptional, IsString, IsUUID, Length, Matches, ValidateNested } from 'class-validator';
import { AsIs, CreateContactDto } from '../contacts/contacts.dto.js';
import { E164, toE164 } from '../contacts/phone.js';
import { PagingDto } from '../http/paging.dto.js';
import { Instant, Optional, Trimmed } from '../http/validation.js';
import { CHANNEL_TYPES, type ChannelType } from '../workspaces/workspace.entity.js';
import { CONVERSATION_STATUSES, type ConversationEntity, type ConversationStatus } from './conversation.entity.js';
import { SentMessageDto } from './messages.dto.js';

export class ConversationDto {
  @ApiProperty({ format: 'uuid' })
  id: string;
  @ApiProperty({ format: 'uuid' })
  workspaceId: string;
  @ApiProperty({ format: 'uuid' })
  brandId: string;
  @ApiProperty({ format: 'uuid' })
  channelId: string;
  @ApiProperty({ enum: CHANNEL_TYPES })
  channelType: ChannelType;
  @ApiProperty({ format: 'uuid' })
  contactId: string;
  /** The account that the contact belongs to. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  accountId: string | null;
  /** Your own id of the conversation; unique per workspace. */
  @ApiProperty({ type: String, nullable: true })
  externalId: string | null;
  @ApiProperty({ type: String, nullable: true })
  subject: string | null;
  @ApiProperty({ enum: CONVERSATION_STATUSES })
  status: ConversationStatus;
  /** Who answers, independent of the status. */
  @ApiProperty({ enum: ['assistant', 'human'] })
  handlingMode: ConversationEntity['handlingMode'];
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  assigneeId: string | null;
  @ApiProperty({ enum: ['none', 'low', 'medium', 'high', 'urgent'] })
  priority: ConversationEntity['priority'];
  labels: string[];
  /** ISO 639-1. */
  @ApiProperty({ type: String, nullable: true })
  language: string | null;
  @ApiProperty({ type: String, nullable: true })
  summary: string | null;
  /** Inbound and outbound messages; notes are not counted. */
  messageCount: number;
  /** Inbound messages since somebody of ours answered. */
  unreadCount: number;
  /** The beginning, at most 200 characters, of the newest message that is no note. */
  @ApiProperty({ type: String, nullable: true })
  lastMessagePreview: string | null;
  /** Moves with every change that shows in this object; lists are ordered by it. */
  @ApiProperty({ format: 'date-time' })
  lastActivityAt: string;
  /** Since when the contact waits for an answer; null while nobody waits. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  waitingSince: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  firstReplyAt: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  snoozedUntil: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  resolvedAt: string | null;
  /** The key or member that resolved it. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  resolvedBy: string | null;
  @ApiProperty({ enum: ['answered', 'escalated', 'abandoned', 'duplicate', 'spam'], nullable: true, type: String })
  resolution: ConversationEntity['resolution'];
  /** How well it is proven who the contact is. */
  @ApiProperty({ enum: ['none', 'identified', 'high-assurance'] })
  assuranceLevel: ConversationEntity['assuranceLevel'];
  @ApiProperty({ type: Number, nullable: true })
  csatScore: number | null;
  pendingActionCount: number;
  openAttentionCount: number;
  /** The conversation that this one continues, where a contact wrote again more than 7 days after it was resolved. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  previousConversationId: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true })
  metadata: object;
  @ApiProperty({ format: 'date-time' })
  createdAt: string;
  @ApiProperty({ format: 'date-time' })
  updatedAt: string;
}

export class ListConversationsDto extends PagingDto {
  /** Only of this workspace; 404 where it is out of reach. */
  @ApiProperty({ format: 'uuid', required: false })
  @Optional() @IsUUID()
  workspaceId?: string;

  @ApiProperty({ enum: CONVERSATION_STATUSES, required: false })
  @Optional() @IsIn(CONVERSATION_STATUSES)
  status?: ConversationStatus;

  @ApiProperty({ format: 'uuid', required: false })
  @Optional() @IsUUID()
  assigneeId?: string;

  @ApiProperty({ format: 'uuid', required: false })
  @Optional() @IsUUID()
  contactId?: string;

  @Optional() @IsString() @Length(1, 100)
  label?: string;

  /** Only what has changed at or after this time, ISO 8601. */
  @ApiProperty({ format: 'date-time', required: false })
  @Optional() @Instant()
  updatedSince?: string;

  /** Only the conversation with this id of yours. */
  @Optional() @IsString() @Length(1, 255)
  externalId?: string;
}

export class StartConversationDto {
  @ApiProperty({ format: 'uuid' })
  @IsUUID()
  workspaceId: string;

  /** A channel of the workspace. Default: its API channel. */
  @ApiProperty({ format: 'uuid', required: false })
  @Optional() @IsUUID()
  channelId?: string;

  /** The contact; or give `contact`. */
  @ApiProperty({ format: 'uuid', required: false })
  @Optional() @IsUUID()
  contactId?: string;

  /** A contact to make. One whose `externalId` exists is that contact, unchanged; emails and phones never match by themselves. */
  @Optional() @IsObject() @ValidateNested() @Type(() => CreateContactDto)
  contact?: CreateContactDto;

  /** Your own id of the conversation, 1 to 255 characters; a repeat in the workspace gives the existing one, unchanged. */
  @ApiProperty({ type: String, nullable: true, required: false, example: 'ticket-1001' })
  @IsOptional() @IsString() @Length(1, 255)
  externalId?: string | null;

  /** 1 to 500 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: 'Where is my order?' })
  @IsOptional() @Trimmed() @IsString() @Length(1, 500)
  subject?: string | null;

  /** Of a call: the number that it came from, with country code. Null where it is withheld. Wrong answers to verification questions are counted by it. */
  @ApiProperty({ type: String, nullable: true, required: false, example: '+4930901820' })
  @IsOptional() @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? toE164(value) ?? value : value))
  @Matches(E164, { message: 'callerId must be a whole phone number with country code, such as +4930901820' })
  callerId?: string | null;

  /** Whatever you keep about the conversation, as a JSON object. */
  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { source: 'shop' } })
  @Optional() @AsIs() @IsObject()
  metadata?: object = {};

  /** The contact's first message. */
  @Optional() @IsObject() @ValidateNested() @Type(() => SentMessageDto)
  message?: SentMessageDto;
}
