import { applyDecorators } from "@nestjs/common";
import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from "class-validator";
import { namedEnum } from "../platform/enums/named-enum.js";
import { AttachmentDto } from "./attachments/attachments.dto.js";
import { Instant, Optional } from "../platform/http/validation.js";
import { PagingDto } from "../platform/http/paging.dto.js";
import {
  AUTHENTICATION_CHECKERS,
  AUTHENTICATION_RESULTS,
  AUTHOR_TYPES,
  BODY_FORMATS,
  type BodyFormat,
  DELIVERY_STATUSES,
  MESSAGE_DIRECTIONS,
  type MessageAuthentication,
  type MessageEntity,
} from "./conversation.entity.js";
import { type Then, THENS } from "./lifecycle/lifecycle.js";
import { MAX_ATTACHMENTS, MAX_BODY } from "./message-limits.js";
import { type Quote, QUOTES } from "./quote.js";
import { MailAddresses } from "./participants/addresses.js";
import { SENDER_PROOFS, type SenderProof } from "./sender-proof.js";

const SORT_ORDERS = namedEnum("SortOrder", "The order of a list.", { asc: "oldest first", desc: "newest first" });
const MAX_CITATIONS = 20;
const MAX_HOLD_SECONDS = 60;
const MAX_MENTIONS = 50;
export const MAX_SEQUENCE = 2_147_483_647;

/** Ids of the caller's own uploads that do not belong to a message yet. */
export const AttachmentIds = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: "array",
      items: { type: "string", format: "uuid" },
      maxItems: MAX_ATTACHMENTS,
      uniqueItems: true,
      required: false,
    }),
    Optional(),
    IsArray(),
    ArrayMaxSize(MAX_ATTACHMENTS),
    ArrayUnique((id) => String(id).toLowerCase()),
    IsUUID(undefined, { each: true }),
  );

/** Ids of members. */
const Mentions = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: "array",
      items: { type: "string", format: "uuid" },
      maxItems: MAX_MENTIONS,
      uniqueItems: true,
      required: false,
    }),
    Optional(),
    IsArray(),
    ArrayMaxSize(MAX_MENTIONS),
    ArrayUnique((id) => String(id).toLowerCase()),
    IsUUID(undefined, { each: true }),
  );

/** The version of a draft. */
const DraftUpdatedAt = (): PropertyDecorator =>
  applyDecorators(ApiProperty({ format: "date-time", required: false }), Optional(), Instant());

@ApiSchema({ description: "A knowledge base entry that an answer is based on." })
export class CitationDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  kbEntryId: string;
  /** How much the answer is based on the entry, 0 to 1. You can use the `confidence` of a search. */
  @ApiProperty({ minimum: 0, maximum: 1, example: 0.93 })
  @IsNumber()
  @Min(0)
  @Max(1)
  score: number;
}

/** Whether a mail comes from the domain of its sender. */
@ApiSchema({ description: "Whether the sender of an email is proven, and how." })
export class MessageAuthenticationDto implements MessageAuthentication {
  /**
   * `pass`: the domain signed the mail, or the receiving mail server says that it comes from there. `fail`: the domain asks
   * receivers to refuse mail like this, so it may be forged. It is in a conversation of its own, and its contact has no
   * email address. `none`: nobody can tell.
   */
  @ApiProperty({ enum: AUTHENTICATION_RESULTS })
  result: MessageAuthentication["result"];
  /** The result of SPF, as the receiving mail server recorded it. Null if unknown. */
  @ApiProperty({ type: String, nullable: true, example: "pass" })
  spf: string | null;
  /** The result of DKIM: `pass`, or another value of RFC 8601. Null if unknown. */
  @ApiProperty({ type: String, nullable: true, example: "pass" })
  dkim: string | null;
  /** The result of DMARC: `pass`, or another value of RFC 8601. Null if unknown. */
  @ApiProperty({ type: String, nullable: true, example: "pass" })
  dmarc: string | null;
  /** Who found out: Parley itself, or the mail server that received the mail. */
  @ApiProperty({ enum: AUTHENTICATION_CHECKERS })
  checkedBy: MessageAuthentication["checkedBy"];
  /** The address that the mail gives as its sender. */
  @ApiProperty({ example: "ada@example.com" })
  from: string;
}

@ApiSchema({ description: "Who wrote an inbound message." })
export class MessageAuthorDto {
  /** Null if nobody is known to be the author. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  contactId: string | null;
  /** The address that a mail gives as its sender. Null for others. */
  @ApiProperty({ type: String, nullable: true })
  address: string | null;
}

@ApiSchema({ description: "A message of a conversation, or an internal note." })
export class MessageDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  /** Counts 1, 2, 3 … in the order of arrival, without gaps, notes included. */
  sequence: number;
  /** From the contact, to the contact, or an internal note. */
  @ApiProperty({ enum: MESSAGE_DIRECTIONS })
  direction: MessageEntity["direction"];
  @ApiProperty({ enum: AUTHOR_TYPES })
  authorType: MessageEntity["authorType"];
  /** The contact, member, API key or agent. Null if Parley itself wrote it. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  authorId: string | null;
  /** The text. Empty after it was removed. */
  body: string;
  @ApiProperty({ enum: BODY_FORMATS })
  bodyFormat: MessageEntity["bodyFormat"];
  /** The files of the message, in their order. */
  @ApiProperty({ type: [AttachmentDto] })
  attachments: AttachmentDto[];
  /** The message came with formatting: read it from `GET /api/messages/{id}/html`. */
  htmlAvailable: boolean;
  /** The members whom a note names. */
  @ApiProperty({ type: [String], format: "uuid" })
  mentions: string[];
  /** Your own id for the message, unique in the conversation. Null if not given. */
  @ApiProperty({ type: String, nullable: true })
  externalId: string | null;
  /** The `clientMessageId` of the reply. Null if not given. */
  @ApiProperty({ type: String, nullable: true })
  clientMessageId: string | null;
  /** `held`: the reply can be cancelled. `cancelled`: it never left. It stays as an internal message. */
  @ApiProperty({ enum: DELIVERY_STATUSES })
  deliveryStatus: MessageEntity["deliveryStatus"];
  /** The reply does not leave before. Null unless `deliveryStatus` is `held`. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  heldUntil: string | null;
  /** The knowledge base entries that the answer is based on. */
  citations: CitationDto[];
  /** The assistant's confidence, 0 to 1. Null if not given. */
  @ApiProperty({ type: Number, nullable: true })
  confidence: number | null;
  /** Whether a mail comes from the domain of its sender. Null for messages that are not mails. */
  @ApiProperty({ type: MessageAuthenticationDto, nullable: true })
  authentication: MessageAuthenticationDto | null;
  /** What proves that the message is from the contact, as in a conversation. Null for messages that are not inbound. */
  @ApiProperty({ enum: SENDER_PROOFS, nullable: true, type: String })
  senderProof: SenderProof | null;
  /** Whom a mail names besides your mailboxes. Empty for a mail of yours to the contact. */
  @ApiProperty({ type: [String] })
  to: string[];
  /** Who is in copy. */
  @ApiProperty({ type: [String] })
  cc: string[];
  /** Who got a mail of yours without the others knowing. */
  @ApiProperty({ type: [String] })
  bcc: string[];
  /** Who wrote it: the contact, or a participant. Null for messages that are not inbound. */
  @ApiProperty({ type: MessageAuthorDto, nullable: true })
  authoredBy: MessageAuthorDto | null;
  /** When the text was removed. Null if it was not. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  redactedAt: string | null;
  /**
   * When the message was sent, as given by the sender. The order and the activity time use the time of arrival
   * instead.
   */
  @ApiProperty({ format: "date-time" })
  occurredAt: string;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}

export class ListMessagesDto extends PagingDto {
  /** Oldest first, or newest first. */
  @ApiProperty({ enum: SORT_ORDERS, required: false, default: "asc" })
  @Optional()
  @IsIn(SORT_ORDERS)
  order?: (typeof SORT_ORDERS)[number] = "asc";

  /** Only the message with this `externalId`. */
  @Optional()
  @IsString()
  @Length(1, 255)
  externalId?: string;

  /** Only the message with this id. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  id?: string;
}

const MAX_REFERENCES = 50;
const MESSAGE_ID = /^<[\x21-\x3b\x3d\x3f-\x7e]{1,253}>$/;
const A_MESSAGE_ID = { message: "$property must be a Message-ID with its angle brackets, such as <1@example.com>" };

@ApiSchema({
  description: "What the header of an imported mail says. Answers to the mails that it names find their conversation.",
})
export class MailHeaderDto {
  /** Its `Message-ID`. Becomes the message's `externalId`. */
  @ApiProperty({ required: false, example: "<81@old.example.com>" })
  @Optional()
  @IsString()
  @Matches(MESSAGE_ID, A_MESSAGE_ID)
  messageId?: string;

  /** Its `In-Reply-To`. */
  @ApiProperty({ required: false, example: "<80@old.example.com>" })
  @Optional()
  @IsString()
  @Matches(MESSAGE_ID, A_MESSAGE_ID)
  inReplyTo?: string;

  /** Its `References`, at most 50. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_REFERENCES)
  @IsString({ each: true })
  @Matches(MESSAGE_ID, { ...A_MESSAGE_ID, each: true })
  references?: string[];
}

/** For imports into a conversation by mail. */
const MailHeader = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ type: MailHeaderDto, required: false }),
    Optional(),
    IsObject(),
    ValidateNested(),
    Type(() => MailHeaderDto),
  );

/** A message from the contact. */
@ApiSchema({ description: "The first message of a conversation that you start." })
export class SentMessageDto {
  /** 1 to 100,000 characters. */
  @ApiProperty({ example: "Hello, where is my order?" })
  @IsString()
  @Length(1, MAX_BODY)
  body: string;

  /** How `body` is written. */
  @ApiProperty({ enum: BODY_FORMATS, required: false, default: "text" })
  @Optional()
  @IsIn(BODY_FORMATS)
  bodyFormat?: BodyFormat = "text";

  /**
   * Your own id for the message, 1 to 255 characters. If the conversation already has it, you get the existing
   * message.
   */
  @ApiProperty({ type: String, nullable: true, required: false, example: "mail-81" })
  @IsOptional()
  @IsString()
  @Length(1, 255)
  externalId?: string | null;

  /** Files of the message: your own uploads that are not part of a message yet, at most 20, in this order. */
  @AttachmentIds()
  attachmentIds?: string[];

  /** When the message was sent, ISO 8601. Use it for imports. Default: now. */
  @ApiProperty({ type: String, format: "date-time", nullable: true, required: false })
  @IsOptional()
  @Instant()
  occurredAt?: string | null;

  /** For imports into a conversation by mail: what the mail's header says. */
  @MailHeader()
  mail?: MailHeaderDto;
}

/** Whom a mail goes to. */
export class RecipientsDto {
  /** For mail: whom it goes to. Default: the contact. */
  @MailAddresses()
  to?: string[];

  /** For mail: who gets a copy. They become participants. Default of a reply: all participants. `[]`: nobody. */
  @MailAddresses()
  cc?: string[];

  /** For mail: who gets a copy that the others do not see. */
  @MailAddresses()
  bcc?: string[];
}

export class SendReplyDto extends RecipientsDto {
  /** 1 to 100,000 characters. */
  @ApiProperty({ example: "It left our warehouse this morning." })
  @IsString()
  @Length(1, MAX_BODY)
  body: string;

  /** How `body` is written. */
  @ApiProperty({ enum: BODY_FORMATS, required: false, default: "text" })
  @Optional()
  @IsIn(BODY_FORMATS)
  bodyFormat?: BodyFormat = "text";

  /**
   * Your own id for the reply, 1 to 255 characters. If the conversation already has it, you get the existing message.
   */
  @ApiProperty({ type: String, nullable: true, required: false, example: "reply-1" })
  @IsOptional()
  @IsString()
  @Length(1, 255)
  clientMessageId?: string | null;

  /** For mail: its subject, 1 to 500 characters. It stays in the thread. Default: that of the conversation. */
  @ApiProperty({ required: false })
  @Optional()
  @IsString()
  @Length(1, 500)
  @Matches(/^[^\r\n]*$/, { message: "subject must be one line" })
  subject?: string;

  /** Files of the reply: your own uploads that are not part of a message yet, at most 20, in this order. */
  @AttachmentIds()
  attachmentIds?: string[];

  /**
   * The knowledge base entries of the workspace that the answer is based on, at most 20. They must be approved, or
   * archived since. Each entry counts the answer in `usage.answered`.
   */
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_CITATIONS)
  @ArrayUnique((citation: CitationDto | null) => String(citation?.kbEntryId).toLowerCase())
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => CitationDto)
  citations?: CitationDto[];

  /**
   * Keep the assistant in the conversation. Otherwise the reply takes over. With `agentId` the assistant always keeps
   * it.
   */
  @ApiProperty({ required: false, default: false })
  @Optional()
  @IsBoolean()
  keepAssistant?: boolean;

  /**
   * For API keys: the agent that answers. 409 if the agent is paused, the workspace's assistant is off, or a human
   * handles the conversation.
   */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  agentId?: string;

  /**
   * The `sequence` of the newest message that you have read. If the conversation has a newer message from the contact
   * or a newer reply, the answer is 409 with its sequence, and nothing is written. Notes and messages of the system do
   * not count.
   */
  @ApiProperty({ type: "integer", minimum: 0, maximum: MAX_SEQUENCE, required: false, example: 41 })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(MAX_SEQUENCE)
  ifLastSequence?: number;

  /** For members: the `updatedAt` of the draft that this was. The draft is deleted with it, unless it has changed since. */
  @DraftUpdatedAt()
  draftUpdatedAt?: string;

  /**
   * For how many seconds you can still cancel the reply, with `POST /api/messages/{id}/cancel`. It leaves after that. For
   * channels that send: mail and SMS. On others it is 400.
   */
  @ApiProperty({ type: "integer", minimum: 0, maximum: MAX_HOLD_SECONDS, required: false, default: 0, example: 10 })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(MAX_HOLD_SECONDS)
  holdSeconds?: number;

  /** What a mail repeats below the text. Default: as its mailbox has it, and `none` if `to` is given. Other channels repeat nothing. */
  @ApiProperty({ enum: QUOTES, required: false })
  @Optional()
  @IsIn(QUOTES)
  quote?: Quote;

  /**
   * What becomes of the conversation. `pending`: it waits for the contact. `resolve`: it is resolved. `snooze`: it is snoozed
   * until `snoozeUntil`. Default: its status stays.
   */
  @ApiProperty({ enum: THENS, required: false })
  @Optional()
  @IsIn(THENS)
  then?: Then;

  /** With `then: snooze`: when the conversation opens again by itself, to the minute. ISO 8601, in the future. */
  @ApiProperty({ type: String, format: "date-time", required: false, example: "2030-01-07T08:00:00Z" })
  @Optional()
  @Instant()
  snoozeUntil?: string;
}

export class AddNoteDto {
  /** 1 to 100,000 characters. The contact never sees it. */
  @ApiProperty({ example: "Called the warehouse: parcel 4711." })
  @IsString()
  @Length(1, MAX_BODY)
  body: string;

  /** Files of the note: your own uploads that are not part of a message yet, at most 20, in this order. */
  @AttachmentIds()
  attachmentIds?: string[];

  /**
   * The members whom you name in it, at most 50. Events of the note name them, so that they can be told. They must have
   * access to the conversation.
   */
  @Mentions()
  mentions?: string[];

  /** Your own id for the note, 1 to 255 characters. If the conversation already has it, you get the existing note. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @IsString()
  @Length(1, 255)
  externalId?: string | null;

  /** For imports into a conversation by mail: what the header of your side's mail says, which this note stands for. */
  @MailHeader()
  mail?: MailHeaderDto;

  /** For members: the `updatedAt` of the draft that this was. The draft is deleted with it, unless it has changed since. */
  @DraftUpdatedAt()
  draftUpdatedAt?: string;
}

@ApiSchema({ description: "The reply was taken, and is sent." })
export class ReplySentDto {
  @ApiProperty({ enum: [true] })
  ok: true;
  @ApiProperty({ format: "uuid" })
  messageId: string;
}

/** A reply that was cancelled, for the composer to go on with. */
@ApiSchema({ description: "A reply that was cancelled, to go on with." })
export class CancelledReplyDto {
  @ApiProperty({ enum: [true] })
  ok: true;
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  /** The text, as it was written. */
  body: string;
  @ApiProperty({ enum: BODY_FORMATS })
  bodyFormat: MessageEntity["bodyFormat"];
  /** They are uploads again: whoever uploaded them can attach them to another message. */
  @ApiProperty({ type: [AttachmentDto] })
  attachments: AttachmentDto[];
  /** As they were given. */
  @ApiProperty({ type: [String] })
  to: string[];
  /** As they were given. */
  @ApiProperty({ type: [String] })
  cc: string[];
  /** As they were given. */
  @ApiProperty({ type: [String] })
  bcc: string[];
  /** Null if it had none of its own. */
  @ApiProperty({ type: String, nullable: true })
  subject: string | null;
}
