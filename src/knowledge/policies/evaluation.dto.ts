import { ApiProperty, ApiPropertyOptional } from "@nestjs/swagger";
import { IsObject, IsUUID, Matches } from "class-validator";
import { Optional } from "../../platform/http/validation.js";
import { TOOL, TOOL_MESSAGE } from "./policy-entries.dto.js";
import { DEMANDED_LEVELS, type DemandedLevel, type Effect, EFFECTS } from "./policy-entry.entity.js";

export class EvaluateDto {
  /** The tool that is to be used. */
  @ApiProperty({ example: "offer-refund" })
  @Matches(TOOL, { message: `tool ${TOOL_MESSAGE}` })
  tool: string;

  /** The agent that wants to use it. 404 unless it works in the workspace. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  agentId?: string;

  /** What the conditions are about: any JSON object. It is not kept. */
  @ApiPropertyOptional({
    type: "object",
    additionalProperties: true,
    default: {},
    example: { order: { total: 120 }, customer: { tier: "gold" } },
  })
  @Optional()
  @IsObject()
  context?: Record<string, unknown> = {};
}

export class ConsideredRuleDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  title: string;
  rule: string;
  @ApiProperty({ enum: EFFECTS })
  effect: Effect;
  priority: number;
  @ApiProperty({ enum: DEMANDED_LEVELS, nullable: true })
  requiredAssuranceLevel: DemandedLevel | null;
  /** The comparisons that made it apply or not, as sentences; they name fields and what they were compared with, never what was found. */
  @ApiProperty({ type: [String], example: ["order.total is greater than 100"] })
  why: string[];
}

export class EvaluationDto {
  /** What is to be done: `require_approval`: a person has to approve; `escalate`: a person has to take over. */
  @ApiProperty({ enum: EFFECTS })
  effect: Effect;
  /** The strongest that any applying rule demands, whatever decided. */
  @ApiProperty({ enum: DEMANDED_LEVELS, nullable: true })
  requiredAssuranceLevel: DemandedLevel | null;
  /** The rule that decided; null where none applies, or something stricter holds the agent or the tool back. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  decidedBy: string | null;
  /** The decision in a sentence. */
  reason: string;
  /** The tripped circuit breakers that hold the agent or the tool back. */
  @ApiProperty({ type: [String], format: "uuid" })
  circuitBreakers: string[];
  /** Highest priority first, the strictest first among equals. */
  applying: ConsideredRuleDto[];
  /** Rules about the tool whose conditions do not hold, and those that would allow, were it known whether they do. */
  notApplying: ConsideredRuleDto[];
}
