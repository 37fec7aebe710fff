import { ApiProperty, ApiPropertyOptional, ApiSchema } from "@nestjs/swagger";
import { IsBoolean, IsIn, IsInt, Max, Min, ValidateBy } from "class-validator";
import { Transform } from "class-transformer";
import { Optional } from "../../../platform/http/validation.js";
import { type Scale, SCALES } from "../csat.entity.js";

const LANGUAGE = /^[a-z]{2}$/;
const MAX_QUESTION_LENGTH = 300;
const QUESTIONS = {
  type: "object",
  additionalProperties: { type: "string" },
  example: { en: "How did we do?", de: "Wie zufrieden sind Sie mit uns?" },
} as const;

@ApiSchema({ description: "Whether, when and what a survey asks contacts." })
export class CsatConfigDto {
  /** Whether contacts are asked after their conversation is resolved. */
  enabled: boolean;
  /** How many answers a survey offers. */
  @ApiProperty({ enum: SCALES })
  scale: Scale;
  /** Minutes between the end of a conversation and its survey. */
  delayMinutes: number;
  /** A contact is asked at most once in this many days in the workspace; 0: after each conversation. */
  askOncePerDays: number;
  /** A score at or below this raises an attention item. */
  lowScoreThreshold: number;
  /** Your own question by language (ISO 639-1). Languages without one use the default question. */
  @ApiProperty(QUESTIONS)
  questions: Record<string, string>;
}

/** Fields that are left out get their defaults. */
export class PutCsatConfigDto {
  /** Whether contacts are asked after their conversation is resolved. */
  @Optional()
  @IsBoolean()
  enabled?: boolean = false;

  /** How many answers a survey offers: 2, 5 or 10. */
  @ApiProperty({ enum: SCALES, required: false, default: 5 })
  @Optional()
  @IsIn(SCALES)
  scale?: Scale = 5;

  /** Minutes between the end of a conversation and its survey, 0 to 10,080. */
  @Optional()
  @IsInt()
  @Min(0)
  @Max(10_080)
  delayMinutes?: number = 30;

  /** A contact is asked at most once in this many days in the workspace, 0 to 365; 0: after each conversation. */
  @Optional()
  @IsInt()
  @Min(0)
  @Max(365)
  askOncePerDays?: number = 14;

  /** A score at or below this raises an attention item: 1 to one less than the scale. Default: 2, or 1 on a scale of 2. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(9)
  lowScoreThreshold?: number;

  /** Your own question by language (ISO 639-1), 1 to 300 characters. Languages without one use the default question. */
  @ApiPropertyOptional({ ...QUESTIONS, default: {} })
  @Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => trimmed(obj[key]))
  @Optional()
  @ValidateBy({
    name: "questions",
    validator: {
      validate: (value) => errorOf(value) === undefined,
      defaultMessage: (args) => errorOf(args?.value) ?? "",
    },
  })
  questions?: Record<string, string> = {};
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const trimmed = (value: unknown): unknown =>
  isMap(value)
    ? Object.fromEntries(
        Object.entries(value).map(([language, text]) => [language, typeof text === "string" ? text.trim() : text]),
      )
    : value;

function errorOf(value: unknown): string | undefined {
  if (!isMap(value)) return "questions must be an object: a text by language";
  for (const [language, text] of Object.entries(value)) {
    if (!LANGUAGE.test(language)) return `questions.${language}: the language must be an ISO 639-1 code, such as en`;
    if (typeof text !== "string" || !text || text.length > MAX_QUESTION_LENGTH)
      return `questions.${language} must be a text of 1 to ${MAX_QUESTION_LENGTH} characters`;
  }
  return undefined;
}
