import { ApiProperty, ApiPropertyOptional, ApiSchema } from "@nestjs/swagger";
import { IsObject, IsUUID, Matches } from "class-validator";
import { DEMANDED_LEVELS, type DemandedLevel } from "../../conversations/assurance-level.js";
import { Optional } from "../../platform/http/validation.js";
import { TOOL, TOOL_MESSAGE } from "./policy-entries.dto.js";
import { type Effect, EFFECTS } from "./policy-entry.entity.js";

export class EvaluatePolicyDto {
  /** The tool that is to be used. */
  @ApiProperty({ example: "offer-refund" })
  @Matches(TOOL, { message: `tool ${TOOL_MESSAGE}` })
  tool: string;

  /** The agent that wants to use the tool. 404 unless it works in the workspace. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  agentId?: string;

  /** The data that the conditions are checked against: any JSON object. It is not stored. */
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

@ApiSchema({ description: "A rule that was considered, and why it applies or not." })
export class ConsideredRuleDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The policy's title. */
  title: string;
  /** The rule in words. */
  rule: string;
  /** What the policy does when it applies. */
  @ApiProperty({ enum: EFFECTS })
  effect: Effect;
  /** 0 to 1,000. The highest decides. */
  priority: number;
  /** How well the contact's identity must be proven. Null: the rule does not ask for it. */
  @ApiProperty({ enum: DEMANDED_LEVELS, nullable: true })
  requiredAssuranceLevel: DemandedLevel | null;
  /**
   * The comparisons that decided whether the rule applies, as sentences. They name fields and the values in the rule,
   * never the values in the context.
   */
  @ApiProperty({ type: [String], example: ["order.total is greater than 100"] })
  why: string[];
}

@ApiSchema({ description: "What the rules require of an action, and why." })
export class PolicyEvaluationDto {
  /** The effect. `require_approval`: a person has to approve. `escalate`: a person has to take over. */
  @ApiProperty({ enum: EFFECTS })
  effect: Effect;
  /** The highest level that any applying rule requires, even if another rule decided the effect. Null if none does. */
  @ApiProperty({ enum: DEMANDED_LEVELS, nullable: true })
  requiredAssuranceLevel: DemandedLevel | null;
  /**
   * The rule that decided. Null if no rule applies, or if a circuit breaker or a paused agent led to a stricter
   * effect.
   */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  decidedBy: string | null;
  /** The decision in a sentence. */
  reason: string;
  /** The tripped circuit breakers that block the agent or the tool. */
  @ApiProperty({ type: [String], format: "uuid" })
  circuitBreakers: string[];
  /** Highest priority first. Among equal priorities, strictest first. */
  applying: ConsideredRuleDto[];
  /**
   * Rules about the tool whose conditions are not met, and rules that would allow the use but whose conditions have
   * an unknown result.
   */
  notApplying: ConsideredRuleDto[];
}
