import { ApiProperty } from "@nestjs/swagger";
import { IsIn } from "class-validator";
import { PagingDto } from "../http/paging.dto.js";
import { Optional } from "../http/validation.js";

/** A message that would have left for the outside. */
export class CapturedMessageDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The kind of channel. */
  @ApiProperty({ example: "email" })
  channel: string;
  /** Address of the recipient. */
  to: string;
  subject: string;
  body: string;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}

const STATUSES = ["queued", "sent", "dead"] as const;
export type OutboxStatus = (typeof STATUSES)[number];

/** A message on its way to the outside. */
export class OutboundMessageDto {
  /** Of a conversation's message, that message's id. */
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The kind of channel. */
  @ApiProperty({ example: "email" })
  channel: string;
  /** The channel that it leaves through; null for a mail of the service's own, such as an invitation. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  channelId: string | null;
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  conversationId: string | null;
  /** Address of the recipient; null once it was sent. */
  @ApiProperty({ type: String, nullable: true })
  to: string | null;
  @ApiProperty({ type: String, nullable: true })
  subject: string | null;
  /** How often it was tried. */
  attempts: number;
  /** What stood against it at the last attempt. */
  @ApiProperty({ type: String, nullable: true })
  lastError: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  sentAt: string | null;
}

export class OutboxMessageDto extends OutboundMessageDto {
  /** `queued`: it waits to be sent, or to be tried again. `dead`: it was given up. */
  @ApiProperty({ enum: STATUSES })
  status: OutboxStatus;
}

export class ListOutboxDto extends PagingDto {
  @ApiProperty({ enum: STATUSES, required: false, default: "dead" })
  @Optional()
  @IsIn(STATUSES)
  status?: OutboxStatus = "dead";
}
