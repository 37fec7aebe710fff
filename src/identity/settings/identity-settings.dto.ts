import { ApiProperty } from "@nestjs/swagger";
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
} from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { FACTOR_TYPES, type FactorType } from "../events/identity-event.js";

export class IdentitySettingsDto {
  /** How many right answers make a knowledge factor. */
  requiredCorrectAnswers: number;
  /** So many wrong answers lock the conversation, or call. */
  maxWrongPerConversation: number;
  /** So many wrong answers within 24 hours lock the identity. */
  maxWrongPerIdentity24h: number;
  /** So many wrong answers within 24 hours lock the caller ID. */
  maxWrongPerCallerId24h: number;
  /** For how many minutes a magic link can be used. */
  magicLinkMinutes: number;
  /** For how many minutes a factor counts. */
  factorLifetimeMinutes: number;
  @ApiProperty({ enum: FACTOR_TYPES, isArray: true })
  allowedFactors: FactorType[];
  /** Version of the verification specialist's system prompt, as identity events name it. */
  @ApiProperty({ type: String, nullable: true })
  promptVersion: string | null;
}

/** What is left out has its default. */
export class PutIdentitySettingsDto {
  /** How many right answers make a knowledge factor, 1 to 10. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(10)
  requiredCorrectAnswers?: number = 2;

  /** So many wrong answers lock the conversation, or call, 1 to 100. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(100)
  maxWrongPerConversation?: number = 3;

  /** So many wrong answers within 24 hours lock the identity, 1 to 100. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(100)
  maxWrongPerIdentity24h?: number = 5;

  /** So many wrong answers within 24 hours lock the caller ID, 1 to 100. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(100)
  maxWrongPerCallerId24h?: number = 10;

  /** For how many minutes a magic link can be used, 1 to 60. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(60)
  magicLinkMinutes?: number = 10;

  /** For how many minutes a factor counts, 1 to 1,440. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(1_440)
  factorLifetimeMinutes?: number = 30;

  /** At least one. Default: all. */
  @ApiProperty({ enum: FACTOR_TYPES, isArray: true, required: false })
  @Optional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(FACTOR_TYPES, { each: true })
  allowedFactors?: FactorType[] = [...FACTOR_TYPES];

  /** Version of the verification specialist's system prompt, 1 to 100 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "2026-11" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 100)
  promptVersion?: string | null = null;
}

export class RetentionSettingsDto {
  /** For how many months, 3 to 84, identity events are kept. */
  @ApiProperty({ minimum: 3, maximum: 84 })
  identityRetentionMonths: number;
}

export class PutRetentionSettingsDto {
  /** For how many months identity events are kept, 3 to 84. A shorter time takes effect with the next daily run and cannot be undone. */
  @Optional()
  @IsInt()
  @Min(3)
  @Max(84)
  identityRetentionMonths?: number = 24;
}
