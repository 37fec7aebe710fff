import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn } from "class-validator";
import { namedEnum } from "../enums/named-enum.js";
import { PagingDto } from "../http/paging.dto.js";
import { Optional } from "../http/validation.js";

/** A message of the test side, which was not sent. */
@ApiSchema({ description: "A message that the test side would have sent." })
export class CapturedMessageDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The type of the channel. */
  @ApiProperty({ example: "email" })
  channel: string;
  /** Address of the recipient. */
  to: string;
  /** Empty for channels without subjects. */
  subject: string;
  /** The text that would have been sent. */
  body: string;
  /** The same as HTML, of mails to contacts. Null for others. */
  @ApiProperty({ type: String, nullable: true })
  html: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}

const STATUSES = namedEnum("OutboxStatus", "How far an outgoing message got.", {
  queued: "is sent, or sent again, later",
  sent: "sent",
  dead: "no further attempt is made",
});
export type OutboxStatus = (typeof STATUSES)[number];

/** An outgoing message. */
export class OutboundMessageDto {
  /** For a message in a conversation: the id of that message. */
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The type of the channel. */
  @ApiProperty({ example: "email" })
  channel: string;
  /** The channel that sends it; null for the service's own mail, such as an invitation. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  channelId: string | null;
  /** The conversation of the message. Null for the service's own mail. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  conversationId: string | null;
  /** Address of the recipient; null once the message was sent. */
  @ApiProperty({ type: String, nullable: true })
  to: string | null;
  /** Empty for channels without subjects; null once the message was sent. */
  @ApiProperty({ type: String, nullable: true })
  subject: string | null;
  /** How many attempts to send it there were. */
  attempts: number;
  /** Why the last attempt failed. Null if none did, or after the message was sent. */
  @ApiProperty({ type: String, nullable: true })
  lastError: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  /** When it was handed to the channel. Null if it was not sent. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  sentAt: string | null;
}

@ApiSchema({ description: "A message that is to be sent, without its text." })
export class OutboxMessageDto extends OutboundMessageDto {
  /** `queued`: waits for its first or next attempt. `dead`: all attempts failed, and there are no more until you retry it. */
  @ApiProperty({ enum: STATUSES })
  status: OutboxStatus;
}

export class ListOutboxDto extends PagingDto {
  /** Only messages with this status. */
  @ApiProperty({ enum: STATUSES, required: false, default: "dead" })
  @Optional()
  @IsIn(STATUSES)
  status?: OutboxStatus = "dead";
}
