import { ApiProperty, ApiPropertyOptional, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
  ValidateNested,
} from "class-validator";
import { DEMANDED_LEVELS, type DemandedLevel } from "../../conversations/assurance-level.js";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import type { Condition } from "../policies/conditions.js";
import { A_CONDITION, IsCondition, ToolNames } from "../policies/policy-entries.dto.js";
import {
  AGENT_KINDS,
  AGENT_STATUSES,
  type AgentKind,
  type AgentStatus,
  type Guardrail,
  UNSUPPORTED_SENTENCES,
  type UnsupportedSentences,
  type Wording,
  WORDINGS,
} from "./agent.entity.js";

const HELD_BACK = namedEnum("GuardrailEffect", "What a guardrail does when it applies.", [
  "deny",
  "require_approval",
  "escalate",
]);

@ApiSchema({ description: "A rule of one agent that holds some of its actions back." })
export class GuardrailDto implements Guardrail {
  /** 1 to 100 characters. Unique among the agent's guardrails. */
  @ApiProperty({ example: "Large refunds" })
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name: string;

  /** The agent's tools that the guardrail is about. An empty list means all of them. */
  @ApiProperty({ type: [String], required: false, default: [] })
  @Optional()
  @ToolNames()
  tools: string[] = [];

  /** What happens when one of the tools is to be used and the conditions are met. */
  @ApiProperty({ enum: HELD_BACK })
  @IsIn(HELD_BACK)
  effect: Guardrail["effect"];

  /** When the guardrail applies, written like the conditions of a policy. Null means always. */
  @ApiPropertyOptional({ ...A_CONDITION, default: null })
  @IsOptional()
  @IsCondition()
  @IsObject()
  conditions: Condition | null = null;

  /** How well the contact's identity must be proven. Null: the guardrail does not ask for it. */
  @ApiProperty({ enum: DEMANDED_LEVELS, nullable: true, required: false, default: null })
  @IsOptional()
  @IsIn(DEMANDED_LEVELS)
  requiredAssuranceLevel: DemandedLevel | null = null;
}

@ApiSchema({ description: "A definition of the assistant." })
export class AgentDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** Platform agents are the same for all tenants and read-only. */
  @ApiProperty({ enum: AGENT_KINDS })
  kind: AgentKind;
  name: string;
  /** What the agent is for. Agents with the role `assistant` answer contacts. */
  @ApiProperty({ example: "assistant" })
  role: string;
  @ApiProperty({ enum: AGENT_STATUSES })
  status: AgentStatus;
  /**
   * The workspaces where a custom agent works, as far as you have access to them. A platform agent works in every
   * workspace and lists none.
   */
  @ApiProperty({ type: [String] })
  workspaceIds: string[];
  /**
   * The workspaces where a circuit breaker has paused the agent, as far as you have access to them. The pause ends
   * when the breaker is resolved and does not depend on `status`.
   */
  @ApiProperty({ type: [String] })
  pausedIn: string[];
  /** What the agent is told to do. */
  instructions: string;
  /** 1, 2, 3 … */
  instructionsVersion: number;
  /** The names of the tools that the agent may use. */
  tools: string[];
  /** What holds some of its actions back. */
  guardrails: GuardrailDto[];
  /** What happens if a language model writes a sentence that rests on no entry and on no tool's answer. */
  @ApiProperty({ enum: UNSUPPORTED_SENTENCES })
  unsupportedSentences: UnsupportedSentences;
  /** Whose words a language model answers in. With `own`, some sentences that say something false are sent. */
  @ApiProperty({ enum: WORDINGS })
  wording: Wording;
}

const byName = (guardrail: GuardrailDto): unknown => (guardrail as GuardrailDto | null)?.name;

export class CreateAgentDto {
  /** 1 to 100 characters. */
  @ApiProperty({ example: "Returns desk" })
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name: string;

  /** The agent's role: small letters, digits, `-` and `_`, at most 50. */
  @ApiProperty({ required: false, default: "assistant" })
  @Optional()
  @Matches(/^[a-z][a-z0-9_-]{0,49}$/, { message: "role must be small letters, digits, - and _, at most 50 characters" })
  role?: string = "assistant";

  /** A paused agent does not answer. */
  @ApiProperty({ enum: AGENT_STATUSES, required: false, default: "active" })
  @Optional()
  @IsIn(AGENT_STATUSES)
  status?: AgentStatus = "active";

  /** The workspaces where the agent works, 1 to 1,000. */
  @ApiProperty({ type: [String], format: "uuid" })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_000)
  @ArrayUnique()
  @IsUUID(undefined, { each: true })
  workspaceIds: string[];

  /** The agent's instructions, 1 to 50,000 characters. */
  @ApiProperty({ example: "Help with returns. Hand over whatever else is asked for." })
  @Trimmed()
  @IsString()
  @Length(1, 50_000)
  instructions: string;

  /** The names of the tools that the agent may use, at most 100. */
  @ApiProperty({ type: [String], required: false, default: [], example: ["offer-refund"] })
  @Optional()
  @ToolNames()
  tools?: string[] = [];

  /** The agent's guardrails, at most 50, each with a different name. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique(byName, { message: "each of guardrails must have a name of its own" })
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => GuardrailDto)
  guardrails?: GuardrailDto[] = [];

  /** What happens to sentences that rest on nothing. */
  @ApiProperty({ enum: UNSUPPORTED_SENTENCES, required: false, default: "cut" })
  @Optional()
  @IsIn(UNSUPPORTED_SENTENCES)
  unsupportedSentences?: UnsupportedSentences = "cut";

  /** Whose words a language model answers in. */
  @ApiProperty({ enum: WORDINGS, required: false, default: "quotes" })
  @Optional()
  @IsIn(WORDINGS)
  wording?: Wording = "quotes";
}

export class UpdateAgentDto {
  /** 1 to 100 characters. */
  @ApiProperty({ required: false })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name?: string;

  /** Small letters, digits, `-` and `_`, at most 50. */
  @ApiProperty({ required: false })
  @Optional()
  @Matches(/^[a-z][a-z0-9_-]{0,49}$/, { message: "role must be small letters, digits, - and _, at most 50 characters" })
  role?: string;

  /** A paused agent does not answer. */
  @ApiProperty({ enum: AGENT_STATUSES, required: false })
  @Optional()
  @IsIn(AGENT_STATUSES)
  status?: AgentStatus;

  /** The workspaces where the agent works, 1 to 1,000. Replaces the existing list. */
  @ApiProperty({ type: [String], format: "uuid", required: false })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_000)
  @ArrayUnique()
  @IsUUID(undefined, { each: true })
  workspaceIds?: string[];

  /** At most 100. Replaces the existing list. */
  @ApiProperty({ type: [String], required: false })
  @Optional()
  @ToolNames()
  tools?: string[];

  /** At most 50, each with a different name. Replaces the existing list. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique(byName, { message: "each of guardrails must have a name of its own" })
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => GuardrailDto)
  guardrails?: GuardrailDto[];

  /** What happens to sentences that rest on nothing. */
  @ApiProperty({ enum: UNSUPPORTED_SENTENCES, required: false })
  @Optional()
  @IsIn(UNSUPPORTED_SENTENCES)
  unsupportedSentences?: UnsupportedSentences;

  /** Whose words a language model answers in. */
  @ApiProperty({ enum: WORDINGS, required: false })
  @Optional()
  @IsIn(WORDINGS)
  wording?: Wording;
}

export class SetInstructionsDto {
  /** 1 to 50,000 characters. */
  @ApiProperty({ example: "Help with returns and refunds." })
  @Trimmed()
  @IsString()
  @Length(1, 50_000)
  instructions: string;

  /** Why the instructions change, 1 to 2,000 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Refunds came along" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 2_000)
  reason?: string | null;
}

@ApiSchema({ description: "An agent's instructions as they were after one edit." })
export class InstructionVersionDto {
  /** 1, 2, 3 … */
  version: number;
  /** What the agent was told to do. */
  instructions: string;
  /** The key or member that wrote the version. Null for platform agents. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  changedBy: string | null;
  /** Why the instructions changed. Null if not given. */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}
