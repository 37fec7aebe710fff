import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsOptional, IsString, IsUUID, Length, Matches } from "class-validator";
import { DEMANDED_LEVELS, type DemandedLevel } from "../../conversations/assurance-level.js";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { Optional } from "../../platform/http/validation.js";
import { PENDING_ACTION_STATUSES, type PendingActionStatus } from "../tools/tool.entity.js";

/** Why an action was not carried out, or is not known to be. */
const FAILURE_CODES = namedEnum("PendingActionFailure", "Why a pending action failed.", {
  failed: "the tool refused it or has a fault",
  unknown: "the answer was lost, so nobody knows whether it was done. It is not repeated",
  denied: "it was not allowed any more when it was to be carried out",
  changed: "the tool, the arguments, the contact or the policies changed after the approval",
});
export type FailureCode = (typeof FAILURE_CODES)[number];

@ApiSchema({ description: "What came of an approved call." })
export class PendingActionResultDto {
  /** Null if the tool has done it. */
  @ApiProperty({ enum: FAILURE_CODES, nullable: true })
  code: FailureCode | null;
  /** What happened, for people to read. Null if the tool has done it. */
  @ApiProperty({ type: String, nullable: true })
  message: string | null;
  /** What the tool answered: any JSON. Null if it has not done it. */
  @ApiProperty({ type: "object", additionalProperties: true, nullable: true })
  value: unknown;
}

@ApiSchema({ description: "A call of a tool that a person has to approve." })
export class PendingActionDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  /** The agent that asks. */
  @ApiProperty({ format: "uuid" })
  agentId: string;
  /** The tool that it wants to use. */
  @ApiProperty({ example: "refund_order" })
  tool: string;
  /** What the tool gets. */
  @ApiProperty({ type: "object", additionalProperties: true, example: { orderId: "#W1234567", amount: 30 } })
  arguments: object;
  /** Covers the tool and its version, the arguments, the contact, the conversation and the policies. Name it to approve. */
  argumentsHash: string;
  /** Why a person is asked: the policy, guardrail or circuit breaker. Decided anew when `argumentsHash` changes. */
  @ApiProperty({ example: "Refunds above 20: amount is greater than 20" })
  guardrail: string;
  /** The policies behind `guardrail`, the deciding one first. Empty if a guardrail, a circuit breaker or a tool's answer is. */
  @ApiProperty({ type: [String], format: "uuid" })
  policyEntryIds: string[];
  /** The contact's message that the agent was answering. Null once the agent's activity is gone. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  messageId: string | null;
  /** How well the contact's identity must be proven, also when it is carried out. Null: it need not be. */
  @ApiProperty({ enum: DEMANDED_LEVELS, nullable: true })
  requiredAssuranceLevel: DemandedLevel | null;
  @ApiProperty({ enum: PENDING_ACTION_STATUSES })
  status: PendingActionStatus;
  /** Until then it can be approved. */
  @ApiProperty({ format: "date-time" })
  expiresAt: string;
  /** The key or member that approved or rejected it. Null until then. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  decidedBy: string | null;
  /** Null until then. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  decidedAt: string | null;
  /** Why it was rejected. Null if not given. */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;
  /** What came of it. Null until it was carried out. */
  @ApiProperty({ type: PendingActionResultDto, nullable: true })
  result: PendingActionResultDto | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class ListPendingActionsDto extends PagingDto {
  /** Only this workspace. 404 if you have no access to it. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** Only actions of this conversation. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  conversationId?: string;

  /** Only actions with this status. */
  @ApiProperty({ enum: PENDING_ACTION_STATUSES, required: false })
  @Optional()
  @IsIn(PENDING_ACTION_STATUSES)
  status?: PendingActionStatus;
}

export class ApprovePendingActionDto {
  /** The `argumentsHash` of the action that you have looked at. 409 if it has changed since. */
  @ApiProperty({ example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" })
  @Matches(/^[0-9a-f]{64}$/, { message: "argumentsHash must be 64 hexadecimal digits" })
  argumentsHash: string;
}

export class RejectPendingActionDto {
  /** The reason, for your colleagues, 1 to 2,000 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "The order was delivered" })
  @IsOptional()
  @IsString()
  @Length(1, 2_000)
  reason?: string | null;
}
