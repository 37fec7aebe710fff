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
  ValidateBy,
  ValidateNested,
} from "class-validator";
import { ASSURANCE_LEVELS, type AssuranceLevel } from "../../conversations/assurance-level.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { AssistantDraftDto } from "./draft.dto.js";
import { type Expected, TEST_FAULTS, type TestFault, type TestTurn } from "./expectations.js";
import { PLAYED_OUTCOMES, type PlayedOutcome, type PlayedTurn } from "./play.js";
import type { ToolAnswer } from "./played.js";
import {
  TEST_RUN_CAUSES,
  TEST_RUN_KINDS,
  TEST_RUN_STATUSES,
  type TestRunCause,
  type TestRunKind,
  type TestRunStatus,
} from "./rehearsal.entity.js";

export const MAX_TESTS = 100;
const MAX_TURNS = 20;
const MAX_ANSWERS = 50;
const MAX_ANSWER_BYTES = 16_384;
const ANYTHING = {
  oneOf: [
    { type: "object", additionalProperties: true },
    { type: "array", items: {} },
  ],
};

const IsAnswer = (): PropertyDecorator =>
  ValidateBy({
    name: "isAnswer",
    validator: {
      validate: (value) => value !== undefined && Buffer.byteLength(JSON.stringify(value)) <= MAX_ANSWER_BYTES,
      defaultMessage: () => "answer must be at most 16 KiB of JSON",
    },
  });

@ApiSchema({ description: "What must follow from a turn. What is left out may be anything." })
export class ExpectedDto implements Expected {
  /** What the assistant does. Null: anything. */
  @ApiProperty({ enum: PLAYED_OUTCOMES, nullable: true, required: false, default: null })
  @IsOptional()
  @IsIn(PLAYED_OUTCOMES)
  outcome: PlayedOutcome | null = null;

  /** The entries that it answers with or asks back about, at most 3. */
  @ApiProperty({ type: [String], format: "uuid", required: false, default: [], maxItems: 3 })
  @Optional()
  @IsUUID(undefined, { each: true })
  @ArrayUnique()
  @ArrayMaxSize(3)
  @IsArray()
  kbEntryIds: string[] = [];

  /** A tool that it calls. Null: any, or none. */
  @ApiProperty({ type: String, nullable: true, required: false, default: null, example: "cancel_order" })
  @IsOptional()
  @IsString()
  @Length(1, 100)
  tool: string | null = null;

  /** Words of its reply, whatever the case: 1 to 200 characters. Null: any. */
  @ApiProperty({ type: String, nullable: true, required: false, default: null, example: "five days" })
  @IsOptional()
  @IsString()
  @Length(1, 200)
  contains: string | null = null;
}

@ApiSchema({ description: "What a contact says before they get a reply, and what must follow." })
export class TestTurnDto implements TestTurn {
  /** 1 to 2,000 characters. */
  @ApiProperty({ example: "Where is my parcel?" })
  @IsString()
  @Length(1, 2_000)
  says: string;

  /** What must follow. */
  @ApiPropertyOptional({ type: ExpectedDto })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => ExpectedDto)
  expect: ExpectedDto = new ExpectedDto();
}

@ApiSchema({ description: "What a tool answers. A test calls none." })
export class ToolAnswerDto implements ToolAnswer {
  /** The tool, by its name. Several answers of one are given in turn. */
  @ApiProperty({ example: "get_order" })
  @IsString()
  @Length(1, 100)
  tool: string;

  /** JSON of at most 16 KiB. `{"error": "…"}` is a failure. */
  @ApiProperty({ ...ANYTHING, example: { status: "shipped" } })
  @IsAnswer()
  answer: unknown;
}

@ApiSchema({ description: "An entry that the assistant names." })
export class PlayedEntryDto {
  @ApiProperty({ format: "uuid" })
  kbEntryId: string;
  /** The question of the entry. */
  question: string;
}

@ApiSchema({ description: "What follows from a turn." })
export class PlayedTurnDto implements PlayedTurn {
  @ApiProperty({ enum: PLAYED_OUTCOMES })
  outcome: PlayedOutcome;
  /** The entries that it answers with or asks back about. */
  @ApiProperty({ type: [PlayedEntryDto] })
  entries: PlayedEntryDto[];
  /** What the contact reads. Null: nothing. */
  @ApiProperty({ type: String, nullable: true })
  says: string | null;
  /** Why people take over. Null: they do not. */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;
  /** The procedure that it follows. Null: none. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  procedureId: string | null;
  /** The tools that it calls, by name. */
  tools: string[];
}

@ApiSchema({ description: "What came of a test." })
export class TestResultDto {
  @ApiProperty({ format: "uuid" })
  testId: string;
  /** As it was called then. */
  name: string;
  /** Whether all that must happen does. */
  passed: boolean;
  /** Why it failed, in a sentence. Null: it passed. */
  @ApiProperty({ type: String, nullable: true, example: "Turn 2: expected answered, and it handed_off" })
  reason: string | null;
  /** The turn that failed: 1, 2, 3 … Null: none did. */
  @ApiProperty({ type: Number, nullable: true })
  turn: number | null;
  /** What is wrong with it. Null: nothing. */
  @ApiProperty({ enum: TEST_FAULTS, nullable: true })
  fault: TestFault | null;
  /** What follows from that turn. Null if it was not reached. */
  @ApiProperty({ type: PlayedTurnDto, nullable: true })
  played: PlayedTurnDto | null;
  /** Whether it passes without the draft. Null: the run had no draft. */
  @ApiProperty({ type: Boolean, nullable: true })
  passedBefore: boolean | null;
  /** When it was played. */
  @ApiProperty({ format: "date-time" })
  at: string;
}

@ApiSchema({ description: "A conversation with what the assistant must do in it." })
export class AssistantTestDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  /** Unique in the workspace. */
  name: string;
  /** The conversation that it was saved from, with which it is deleted. Null: it was written. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  conversationId: string | null;
  /** How well the contact has proven who they are. */
  @ApiProperty({ enum: ASSURANCE_LEVELS })
  assuranceLevel: AssuranceLevel;
  @ApiProperty({ type: [TestTurnDto] })
  turns: TestTurnDto[];
  @ApiProperty({ type: [ToolAnswerDto] })
  toolAnswers: ToolAnswerDto[];
  /** What came of it last, against what was in use. Null: it was not run since it was changed. */
  @ApiProperty({ type: TestResultDto, nullable: true })
  lastResult: TestResultDto | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

class AssistantTestFieldsDto {
  /** How well the contact has proven who they are. */
  @ApiProperty({ enum: ASSURANCE_LEVELS, required: false, default: "none" })
  @Optional()
  @IsIn(ASSURANCE_LEVELS)
  assuranceLevel?: AssuranceLevel;

  /** What the contact says, turn by turn: 1 to 20. */
  @ApiPropertyOptional({ type: [TestTurnDto], minItems: 1, maxItems: MAX_TURNS })
  @Optional()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => TestTurnDto)
  @ArrayMaxSize(MAX_TURNS)
  @ArrayMinSize(1)
  @IsArray()
  turns?: TestTurnDto[];

  /** What the tools answer, at most 50. */
  @ApiPropertyOptional({ type: [ToolAnswerDto], maxItems: MAX_ANSWERS })
  @Optional()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ToolAnswerDto)
  @ArrayMaxSize(MAX_ANSWERS)
  @IsArray()
  toolAnswers?: ToolAnswerDto[];
}

export class UpdateAssistantTestDto extends AssistantTestFieldsDto {
  /** 1 to 100 characters. Unique in the workspace. */
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name?: string;
}

export class CreateAssistantTestDto extends AssistantTestFieldsDto {
  /** 1 to 100 characters. Unique in the workspace. */
  @ApiProperty({ example: "A parcel that is late" })
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name: string;

  /**
   * A conversation to save as a test, instead of `turns`: what its contact wrote until people took over, without personal
   * data, and what the assistant did.
   */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  conversationId?: string;
}

export class RunAssistantTestsDto {
  /** The tests that are played, at most 100. Default: all of the workspace. */
  @ApiProperty({ type: [String], format: "uuid", required: false, maxItems: MAX_TESTS })
  @Optional()
  @IsUUID(undefined, { each: true })
  @ArrayUnique()
  @ArrayMaxSize(MAX_TESTS)
  @IsArray()
  testIds?: string[];

  /** Against what. Default: what is in use. */
  @ApiPropertyOptional({ type: AssistantDraftDto })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => AssistantDraftDto)
  draft?: AssistantDraftDto;
}

export class RehearseDto {
  @ApiProperty({ type: AssistantDraftDto })
  @IsObject()
  @ValidateNested()
  @Type(() => AssistantDraftDto)
  draft: AssistantDraftDto;
}

@ApiSchema({ description: "How many conversations change in one way." })
export class RehearsedChangeDto {
  @ApiProperty({ enum: PLAYED_OUTCOMES })
  from: PlayedOutcome;
  /** The same as `from`: with another entry, tool, procedure or in other words. */
  @ApiProperty({ enum: PLAYED_OUTCOMES })
  to: PlayedOutcome;
  /** How many conversations. */
  count: number;
}
@ApiSchema({ description: "What a draft changes about the conversations of the last 30 days." })
export class RehearsedDto {
  /** The beginning of the day 30 days ago, in UTC. */
  @ApiProperty({ format: "date-time" })
  since: string;
  /** In so many something happened since then. */
  found: number;
  /** So many were played: the newest 500 at most, as many as a minute allows, and only those in which a contact wrote first. */
  played: number;
  /** In so many of those the assistant would do something else. */
  changed: number;
  /** The most frequent first. */
  @ApiProperty({ type: [RehearsedChangeDto] })
  changes: RehearsedChangeDto[];
}

@ApiSchema({ description: "Tests that are played, and for a rehearsal conversations." })
export class AssistantTestRunDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  @ApiProperty({ enum: TEST_RUN_KINDS })
  kind: TestRunKind;
  @ApiProperty({ enum: TEST_RUN_CAUSES })
  cause: TestRunCause;
  @ApiProperty({ enum: TEST_RUN_STATUSES })
  status: TestRunStatus;
  /** Why it could not be played. Null: it could. */
  @ApiProperty({ type: String, nullable: true })
  error: string | null;
  /** What came of each test. Null until it is done. */
  @ApiProperty({ type: [TestResultDto], nullable: true })
  tests: TestResultDto[] | null;
  /** What came of the conversations. Null until a rehearsal is done. */
  @ApiProperty({ type: RehearsedDto, nullable: true })
  conversations: RehearsedDto | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  /** When it was done, or failed. Null: it is not over. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  endedAt: string | null;
}

@ApiSchema({ description: "A conversation in which the assistant would do something else." })
export class RehearsedConversationDto {
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  /** The contact's message that begins the turn. */
  @ApiProperty({ format: "uuid" })
  messageId: string;
  /** The first turn that changes: 1, 2, 3 … Those after it follow from it, and are not looked at. */
  turn: number;
  /** What the contact wrote, 500 characters at most. Null if the message is gone. */
  @ApiProperty({ type: String, nullable: true })
  says: string | null;
  /** With what is in use. */
  before: PlayedTurnDto;
  /** With the draft. */
  after: PlayedTurnDto;
}
