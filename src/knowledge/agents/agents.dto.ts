import { ApiProperty, ApiPropertyOptional } from "@nestjs/swagger";
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
import { Optional, Trimmed } from "../../platform/http/validation.js";
import type { Condition } from "../policies/conditions.js";
import { A_CONDITION, IsCondition, ToolNames } from "../policies/policy-entries.dto.js";
import { DEMANDED_LEVELS, type DemandedLevel } from "../policies/policy-entry.entity.js";
import { AGENT_KINDS, AGENT_STATUSES, type AgentKind, type AgentStatus, type Guardrail } from "./agent.entity.js";

const HELD_BACK = ["deny", "require_approval", "escalate"] as const;

export class GuardrailDto implements Guardrail {
  /** 1 to 100 characters, unlike the agent's other guardrails. */
  @ApiProperty({ example: "Large refunds" })
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name: string;

  /** Which of the agent's tools it is about; none: all of them. */
  @ApiProperty({ type: [String], required: false, default: [] })
  @Optional()
  @ToolNames()
  tools: string[] = [];

  /** What becomes of a use of the tools, where the conditions hold. */
  @ApiProperty({ enum: HELD_BACK })
  @IsIn(HELD_BACK)
  effect: Guardrail["effect"];

  /** When it applies, in the language of the policies; null: always. */
  @ApiPropertyOptional({ ...A_CONDITION, default: null })
  @IsOptional()
  @IsCondition()
  @IsObject()
  conditions: Condition | null = null;

  /** How sure it has to be who the contact is. */
  @ApiProperty({ enum: DEMANDED_LEVELS, nullable: true, required: false, default: null })
  @IsOptional()
  @IsIn(DEMANDED_LEVELS)
  requiredAssuranceLevel: DemandedLevel | null = null;
}

export class AgentDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The platform's agents are the same for everybody and read-only. */
  @ApiProperty({ enum: AGENT_KINDS })
  kind: AgentKind;
  name: string;
  @ApiProperty({ example: "assistant" })
  role: string;
  @ApiProperty({ enum: AGENT_STATUSES })
  status: AgentStatus;
  /** Where a custom agent works, as far as you reach. A platform agent works in every workspace and names none. */
  @ApiProperty({ type: [String] })
  workspaceIds: string[];
  /** Where, as far as you reach, a circuit breaker has paused it until that is resolved, whatever its `status`. */
  @ApiProperty({ type: [String] })
  pausedIn: string[];
  instructions: string;
  /** 1, 2, 3 … */
  instructionsVersion: number;
  tools: string[];
  guardrails: GuardrailDto[];
}

const byName = (guardrail: GuardrailDto): unknown => (guardrail as GuardrailDto | null)?.name;

export class CreateAgentDto {
  /** 1 to 100 characters. */
  @ApiProperty({ example: "Returns desk" })
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name: string;

  /** What it is for: small letters, digits, `-` and `_`, at most 50. */
  @ApiProperty({ required: false, default: "assistant" })
  @Optional()
  @Matches(/^[a-z][a-z0-9_-]{0,49}$/, { message: "role must be small letters, digits, - and _, at most 50 characters" })
  role?: string = "assistant";

  @ApiProperty({ enum: AGENT_STATUSES, required: false, default: "active" })
  @Optional()
  @IsIn(AGENT_STATUSES)
  status?: AgentStatus = "active";

  /** Where it works, 1 to 1,000 workspaces. */
  @ApiProperty({ type: [String], format: "uuid" })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_000)
  @ArrayUnique()
  @IsUUID(undefined, { each: true })
  workspaceIds: string[];

  /** What it is told to do, 1 to 50,000 characters. */
  @ApiProperty({ example: "Help with returns. Hand over whatever else is asked for." })
  @Trimmed()
  @IsString()
  @Length(1, 50_000)
  instructions: string;

  /** What it may use, by name, at most 100. */
  @ApiProperty({ type: [String], required: false, default: [], example: ["offer-refund"] })
  @Optional()
  @ToolNames()
  tools?: string[] = [];

  /** What holds it back, at most 50, each with a name of its own. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique(byName, { message: "each of guardrails must have a name of its own" })
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => GuardrailDto)
  guardrails?: GuardrailDto[] = [];
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

  @ApiProperty({ enum: AGENT_STATUSES, required: false })
  @Optional()
  @IsIn(AGENT_STATUSES)
  status?: AgentStatus;

  /** Where it works, 1 to 1,000 workspaces; they replace those there are. */
  @ApiProperty({ type: [String], format: "uuid", required: false })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_000)
  @ArrayUnique()
  @IsUUID(undefined, { each: true })
  workspaceIds?: string[];

  /** At most 100; they replace those there are. */
  @ApiProperty({ type: [String], required: false })
  @Optional()
  @ToolNames()
  tools?: string[];

  /** At most 50, each with a name of its own; they replace those there are. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique(byName, { message: "each of guardrails must have a name of its own" })
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => GuardrailDto)
  guardrails?: GuardrailDto[];
}

export class InstructDto {
  /** 1 to 50,000 characters. */
  @ApiProperty({ example: "Help with returns and refunds." })
  @Trimmed()
  @IsString()
  @Length(1, 50_000)
  instructions: string;

  /** Why they are changed, 1 to 2,000 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Refunds came along" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 2_000)
  reason?: string | null;
}

export class InstructionsVersionDto {
  /** 1, 2, 3 … */
  version: number;
  instructions: string;
  /** The key or member that wrote it; null for the platform's. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  changedBy: string | null;
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}
