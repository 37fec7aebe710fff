import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsOptional, IsString, Length } from "class-validator";
import { PagingDto } from "../platform/http/paging.dto.js";
import { Instant, Optional } from "../platform/http/validation.js";
import { DELIVERY_STATUSES, type DeliveryStatus, ENDPOINT_STATUSES, type EndpointStatus } from "./webhook.entity.js";
import { DELIVERED_EVENTS, WEBHOOK_EVENTS, type WebhookEventType } from "./webhook-events.js";

export class CreateWebhookEndpointDto {
  /** Where events are sent: an https address on the public internet. */
  @ApiProperty({ example: "https://hooks.example.com/parley" })
  @IsString()
  @Length(1, 2_000)
  url: string;

  /** Which events it gets. At least one. */
  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @ArrayMaxSize(WEBHOOK_EVENTS.length)
  @IsIn(WEBHOOK_EVENTS, { each: true })
  events: WebhookEventType[];

  /** What the endpoint is for, 1 to 200 characters. */
  @ApiProperty({ type: String, required: false, nullable: true })
  @IsOptional()
  @IsString()
  @Length(1, 200)
  description?: string | null;
}

export class UpdateWebhookEndpointDto {
  /** Where events are sent, also those that are waiting. */
  @Optional()
  @IsString()
  @Length(1, 2_000)
  url?: string;

  /** Replaces the events. At least one. */
  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true, required: false })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @ArrayMaxSize(WEBHOOK_EVENTS.length)
  @IsIn(WEBHOOK_EVENTS, { each: true })
  events?: WebhookEventType[];

  /** What the endpoint is for, 1 to 200 characters; null removes it. */
  @ApiProperty({ type: String, required: false, nullable: true })
  @IsOptional()
  @IsString()
  @Length(1, 200)
  description?: string | null;

  /** A disabled endpoint gets nothing. Once it is active again, it gets what happens from then on. */
  @ApiProperty({ enum: ENDPOINT_STATUSES, required: false })
  @Optional()
  @IsIn(ENDPOINT_STATUSES)
  status?: EndpointStatus;
}

@ApiSchema({ description: "A URL of yours that events are sent to." })
export class WebhookEndpointDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** Where events are sent. */
  @ApiProperty({ example: "https://hooks.example.com/parley" })
  url: string;
  /** What the endpoint is for. Null if not given. */
  @ApiProperty({ type: String, nullable: true })
  description: string | null;
  /** Which events it gets. */
  @ApiProperty({ enum: WEBHOOK_EVENTS, isArray: true })
  events: WebhookEventType[];
  @ApiProperty({ enum: ENDPOINT_STATUSES })
  status: EndpointStatus;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

@ApiSchema({ description: "An endpoint with its secret, which is shown this once." })
export class NewWebhookEndpointDto extends WebhookEndpointDto {
  /** Signs what is sent. It is in this answer and is never shown again. */
  @ApiProperty({ example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=" })
  secret: string;
}

@ApiSchema({ description: "One attempt to deliver an event, and what your server answered." })
export class WebhookAttemptDto {
  /** When the attempt began. */
  @ApiProperty({ format: "date-time" })
  at: string;
  /** Milliseconds until the answer was read, or until the attempt failed. */
  durationMs: number;
  /** The HTTP status; null if there was no answer. */
  @ApiProperty({ type: Number, nullable: true })
  responseStatus: number | null;
  /** The first 2 kB of the answer, without control characters; null if there was none. */
  @ApiProperty({ type: String, nullable: true })
  response: string | null;
  /** Why it failed; null if it did not. */
  @ApiProperty({ type: String, nullable: true })
  error: string | null;
}

@ApiSchema({ description: "An event on its way to an endpoint." })
export class WebhookDeliveryDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  endpointId: string;
  /** The `id` of the payload. */
  @ApiProperty({ format: "uuid" })
  eventId: string;
  @ApiProperty({ enum: DELIVERED_EVENTS })
  type: (typeof DELIVERED_EVENTS)[number];
  /** `captured`: on the test side nothing leaves; `GET /api/captured-messages` has it. */
  @ApiProperty({ enum: DELIVERY_STATUSES })
  status: DeliveryStatus;
  /** The newest twenty, oldest first. */
  @ApiProperty({ type: [WebhookAttemptDto] })
  attempts: WebhookAttemptDto[];
  /** Null unless the delivery is queued. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  nextAttemptAt: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}

export class ListWebhookDeliveriesDto extends PagingDto {
  /** Only deliveries with this status. */
  @ApiProperty({ enum: DELIVERY_STATUSES, required: false })
  @Optional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;
}

export class RedeliverSinceDto {
  /** Failed deliveries that were made at this time or later. ISO 8601. */
  @ApiProperty({ format: "date-time" })
  @Instant()
  since: string;
}

@ApiSchema({ description: "How many deliveries are sent again." })
export class RedeliveredDto {
  /** How many were queued again, 500 at most, the oldest first. Ask again until it is 0. */
  redelivered: number;
}
