import { ApiProperty, ApiPropertyOptional, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsNumber,
  IsObject,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from "class-validator";
import type { Step } from "../../assistant/procedures/definition.js";
import { PROCEDURE_STATUSES, type ProcedureStatus } from "../../assistant/procedures/procedure.entity.js";
import { IsSteps, ProcedureStartDto, ProcedureStepDto } from "../../assistant/procedures/procedures.dto.js";
import { GuardrailDto } from "../../knowledge/agents/agents.dto.js";
import { ToolNames } from "../../knowledge/policies/policy-entries.dto.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";

const MAX_DRAFT_ENTRIES = 50;
const MAX_DRAFT_PROCEDURES = 20;
const MAX_QUESTIONS = 200;

@ApiSchema({ description: "An entry that is new, changes or ends." })
export class DraftEntryDto {
  /** The entry that changes, approved or pending. Without it: a new one, with `question` and `answer`. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  kbEntryId?: string;

  /** Whether it is no longer in use. Otherwise it is approved, with these texts. */
  @ApiProperty({ required: false, default: false })
  @Optional()
  @IsBoolean()
  ends?: boolean = false;

  /** 1 to 2,000 characters. */
  @Optional()
  @IsString()
  @Length(1, 2_000)
  question?: string;

  /** 1 to 20,000 characters. */
  @Optional()
  @IsString()
  @Length(1, 20_000)
  answer?: string;

  /** Other ways to ask the same question, at most 200. */
  @ApiProperty({ type: [String], required: false, maxItems: MAX_QUESTIONS })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_QUESTIONS)
  @IsString({ each: true })
  @Length(1, 2_000, { each: true })
  alternateQuestions?: string[];

  /** ISO 639-1. */
  @ApiProperty({ required: false, example: "en" })
  @Optional()
  @Matches(/^[a-z]{2}$/, { message: "language must be two small letters of ISO 639-1" })
  language?: string;
}

@ApiSchema({ description: "Thresholds that change." })
export class DraftSettingsDto {
  /** As in the settings: 0 to 1. */
  @Optional()
  @IsNumber()
  @Min(0)
  @Max(1)
  answerConfidence?: number;

  /** As in the settings: 0 to 1. */
  @Optional()
  @IsNumber()
  @Min(0)
  @Max(1)
  margin?: number;

  /** As in the settings: 0 to 1. */
  @Optional()
  @IsNumber()
  @Min(0)
  @Max(1)
  clarifyConfidence?: number;
}

@ApiSchema({ description: "What changes about the agent." })
export class DraftAgentDto {
  /** 1 to 100 characters. */
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name?: string;

  /** The names of the tools that it may use, at most 100. */
  @ApiProperty({ type: [String], required: false })
  @Optional()
  @ToolNames()
  tools?: string[];

  /** What holds some of its actions back, at most 50. */
  @ApiProperty({ type: [GuardrailDto], required: false, maxItems: 50 })
  @Optional()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => GuardrailDto)
  @ArrayMaxSize(50)
  @IsArray()
  guardrails?: GuardrailDto[];
}

@ApiSchema({ description: "A procedure that is new or changes." })
export class DraftProcedureDto {
  /** The procedure that changes. Without it: a new one, with `startsWith` and `steps`. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  procedureId?: string;

  /** 1 to 100 characters. */
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name?: string;

  /** Default: as it is, and `active` for a new one. */
  @ApiProperty({ enum: PROCEDURE_STATUSES, required: false })
  @Optional()
  @IsIn(PROCEDURE_STATUSES)
  status?: ProcedureStatus;

  /** What lets it begin. */
  @ApiPropertyOptional({ type: ProcedureStartDto })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => ProcedureStartDto)
  startsWith?: ProcedureStartDto;

  /** All steps, as for a new procedure. */
  @ApiPropertyOptional({ type: [ProcedureStepDto], minItems: 1, maxItems: 50 })
  @Optional()
  @IsSteps()
  steps?: Step[];
}

@ApiSchema({ description: "What would be in use. What it does not name stays as it is." })
export class AssistantDraftDto {
  /** Entries that are new, change or end, at most 50. */
  @ApiProperty({ type: [DraftEntryDto], required: false, maxItems: MAX_DRAFT_ENTRIES })
  @Optional()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => DraftEntryDto)
  @ArrayMaxSize(MAX_DRAFT_ENTRIES)
  @ArrayUnique((entry?: DraftEntryDto) => entry?.kbEntryId ?? Symbol("new"))
  @IsArray()
  entries?: DraftEntryDto[];

  /** When the assistant answers, asks back or hands over. */
  @ApiPropertyOptional({ type: DraftSettingsDto })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => DraftSettingsDto)
  settings?: DraftSettingsDto;

  /** The agent that answers in the workspace. */
  @ApiPropertyOptional({ type: DraftAgentDto })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => DraftAgentDto)
  agent?: DraftAgentDto;

  /** Procedures of that agent that are new or change, at most 20. */
  @ApiProperty({ type: [DraftProcedureDto], required: false, maxItems: MAX_DRAFT_PROCEDURES })
  @Optional()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => DraftProcedureDto)
  @ArrayMaxSize(MAX_DRAFT_PROCEDURES)
  @IsArray()
  procedures?: DraftProcedureDto[];
}
