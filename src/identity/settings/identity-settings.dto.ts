import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
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
import { IDENTITY_RETENTION_MONTHS } from "../../workspaces/workspace.entity.js";

@ApiSchema({ description: "How a workspace proves who is calling." })
export class IdentitySettingsDto {
  /** Right answers that make a knowledge factor. */
  requiredCorrectAnswers: number;
  /** Wrong answers that lock the conversation, or call. */
  maxWrongPerConversation: number;
  /** Wrong answers within 24 hours that lock the identity. */
  maxWrongPerIdentity24h: number;
  /** Wrong answers within 24 hours that lock the caller ID. */
  maxWrongPerCallerId24h: number;
  /** Minutes for which a magic link or a one-time code can be used. */
  magicLinkMinutes: number;
  /** Whether the page behind a magic link asks for the two digits that the conversation shows. */
  requireLinkCode: boolean;
  /** Hours after which a link or code to an address that was added to a contact later raises the level. */
  addressCoolOffHours: number;
  /** Minutes for which a factor counts. */
  factorLifetimeMinutes: number;
  /** Kinds of proof that count. */
  @ApiProperty({ enum: FACTOR_TYPES, isArray: true })
  allowedFactors: FactorType[];
  /** Version of the verification specialist's system prompt. Identity events carry it. Null if not set. */
  @ApiProperty({ type: String, nullable: true })
  promptVersion: string | null;
}

/** Fields that you omit get their default. */
export class PutIdentitySettingsDto {
  /** Right answers that make a knowledge factor, 1 to 10. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(10)
  requiredCorrectAnswers?: number = 2;

  /** Wrong answers that lock the conversation, or call, 1 to 100. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(100)
  maxWrongPerConversation?: number = 3;

  /** Wrong answers within 24 hours that lock the identity, 1 to 100. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(100)
  maxWrongPerIdentity24h?: number = 5;

  /** Wrong answers within 24 hours that lock the caller ID, 1 to 100. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(100)
  maxWrongPerCallerId24h?: number = 10;

  /** Minutes for which a magic link or a one-time code can be used, 1 to 60. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(60)
  magicLinkMinutes?: number = 10;

  /** Whether the page behind a magic link asks for the two digits that the conversation shows. */
  @Optional()
  @IsBoolean()
  requireLinkCode?: boolean = false;

  /** Hours after which a link or code to an address that was added to a contact later raises the level, 0 to 8,760. */
  @Optional()
  @IsInt()
  @Min(0)
  @Max(8_760)
  addressCoolOffHours?: number = 72;

  /** Minutes for which a factor counts, 1 to 1,440. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(1_440)
  factorLifetimeMinutes?: number = 30;

  /** Kinds of proof that count, at least one. Default: all. */
  @ApiProperty({ enum: FACTOR_TYPES, isArray: true, required: false })
  @Optional()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @ArrayMaxSize(FACTOR_TYPES.length)
  @IsIn(FACTOR_TYPES, { each: true })
  allowedFactors?: FactorType[] = [...FACTOR_TYPES];

  /** Version of the verification specialist's system prompt, 1 to 100 characters. Identity events carry it. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "2026-11" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 100)
  promptVersion?: string | null = null;
}

@ApiSchema({ description: "How long a workspace keeps identity events." })
export class RetentionSettingsDto {
  /** Months for which identity events are kept, 3 to 84. */
  @ApiProperty({ minimum: IDENTITY_RETENTION_MONTHS.min, maximum: IDENTITY_RETENTION_MONTHS.max })
  identityRetentionMonths: number;
}

export class PutRetentionSettingsDto {
  /** Months for which identity events are kept, 3 to 84. If you shorten it, the next daily run deletes the older events for good. */
  @Optional()
  @IsInt()
  @Min(IDENTITY_RETENTION_MONTHS.min)
  @Max(IDENTITY_RETENTION_MONTHS.max)
  identityRetentionMonths?: number = IDENTITY_RETENTION_MONTHS.default;
}
