import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsUUID, Matches } from "class-validator";
import { Optional } from "../../platform/http/validation.js";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Messages between contacts and you. Internal notes do not count. */
@ApiSchema({ description: "How many messages there were." })
export class MessageCountDto {
  /** Messages from contacts. */
  inbound: number;
  /** Messages to contacts. */
  outbound: number;
  /** Inbound and outbound messages together. */
  total: number;
}

/** Tokens of the assistant's language model. Without a model there are none. */
@ApiSchema({ description: "How many tokens a language model used." })
export class TokenCountDto {
  /** Tokens that the model read. */
  input: number;
  /** Tokens that it wrote. */
  output: number;
  /** Both together. */
  total: number;
}

@ApiSchema({ description: "How many messages there were on one day." })
export class DayConsumptionDto {
  /** From midnight to midnight, UTC. */
  @ApiProperty({ format: "date", example: "2026-01-31" })
  day: string;
  /** How many messages there were on this day. */
  messages: MessageCountDto;
  /** How many tokens the assistant used on this day. */
  tokens: TokenCountDto;
}

@ApiSchema({ description: "How many messages a workspace had." })
export class WorkspaceConsumptionDto {
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  /** How many messages the workspace had. */
  messages: MessageCountDto;
  /** How many tokens the assistant used in the workspace. */
  tokens: TokenCountDto;
}

@ApiSchema({ description: "How many messages there were, by day and by workspace." })
export class ConsumptionDto {
  /** First day of the period, UTC. */
  @ApiProperty({ format: "date" })
  from: string;
  /** Last day of the period, UTC. */
  @ApiProperty({ format: "date" })
  to: string;
  /** For all workspaces in the request. Callers with access to the whole organisation also see deleted workspaces. */
  messages: MessageCountDto;
  /** The same for the tokens that the assistant used. */
  tokens: TokenCountDto;
  /** Every day from `from` to `to`. */
  days: DayConsumptionDto[];
  /** Each workspace with a message in this period, the one with the most messages first. */
  workspaces: WorkspaceConsumptionDto[];
}

@ApiSchema({ description: "How many messages a conversation had, by day." })
export class ConversationConsumptionDto {
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  /** How many messages the conversation had. */
  messages: MessageCountDto;
  /** How many tokens the assistant used for it, as far as its activity is kept. */
  tokens: TokenCountDto;
  /** The days with messages or tokens, oldest first. */
  days: DayConsumptionDto[];
}

export class ConsumptionQueryDto {
  /** First day, UTC. Default: the first day of this month. */
  @ApiProperty({ format: "date", required: false })
  @Optional()
  @Matches(DAY, { message: "from must be a day, such as 2026-01-31" })
  from?: string;

  /** Last day, UTC. The period has at most 366 days. Default: today. */
  @ApiProperty({ format: "date", required: false })
  @Optional()
  @Matches(DAY, { message: "to must be a day, such as 2026-01-31" })
  to?: string;

  /** Only this workspace. 404 if you have no access to it. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;
}
