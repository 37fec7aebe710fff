import { ApiProperty } from "@nestjs/swagger";
import { IsIn, IsInt, IsString, IsUUID, Length, Max, Min } from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { FACTOR_CATEGORIES, FACTOR_TYPES, type FactorCategory, type FactorType } from "../events/identity-event.js";
import { type AssuranceLevel, LEVELS } from "./assurance-level.js";

export class AskQuestionsDto {
  /** How many questions to ask, 1 to 5. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(5)
  count?: number = 1;
}

export class AskedQuestionDto {
  /** Names the question when it is answered. */
  @ApiProperty({ format: "uuid" })
  questionId: string;
  @ApiProperty({ example: "What is your postcode?" })
  prompt: string;
}

export class AskedQuestionsDto {
  questions: AskedQuestionDto[];
}

export class AnswerDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  questionId: string;

  /** What the caller answered, in their own words; 1 to 500 characters. It is compared and not kept. */
  @ApiProperty({ example: "it is EC1A 1BB" })
  @IsString()
  @Length(1, 500)
  answer: string;
}

export class AnsweredDto {
  @ApiProperty({ enum: ["passed", "failed"] })
  result: "passed" | "failed";
  /** How many more wrong answers it takes until verification is locked. */
  remainingAttempts: number;
  @ApiProperty({ enum: LEVELS })
  assuranceLevel: AssuranceLevel;
}

export class RequireDto {
  @ApiProperty({ enum: ["identified", "high-assurance"] })
  @IsIn(["identified", "high-assurance"])
  level: Exclude<AssuranceLevel, "none">;

  /** What for, 1 to 200 characters: it is shown to whoever looks after an item of attention. */
  @ApiProperty({ example: "change the payout account" })
  @Trimmed()
  @IsString()
  @Length(1, 200)
  purpose: string;
}

export class FactorDto {
  @ApiProperty({ enum: FACTOR_TYPES })
  factorType: FactorType;
  @ApiProperty({ enum: FACTOR_CATEGORIES })
  factorCategory: FactorCategory;
  @ApiProperty({ format: "date-time" })
  addedAt: string;
  /** Until then it counts. */
  @ApiProperty({ format: "date-time" })
  expiresAt: string;
}

export class LockDto {
  /** When the next attempt is let through; null where only an owner or admin can unlock. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  until: string | null;
}

export class LocksDto {
  /** Too many wrong answers in this conversation. */
  @ApiProperty({ type: LockDto, nullable: true })
  conversation: LockDto | null;
  /** Too many wrong answers for this person in 24 hours. */
  @ApiProperty({ type: LockDto, nullable: true })
  identity: LockDto | null;
  /** Too many wrong answers from this caller ID in 24 hours. */
  @ApiProperty({ type: LockDto, nullable: true })
  callerId: LockDto | null;
}

export class AssuranceDto {
  @ApiProperty({ enum: LEVELS })
  level: AssuranceLevel;
  /** What counts now, the newest first. */
  factors: FactorDto[];
  locks: LocksDto;
}
