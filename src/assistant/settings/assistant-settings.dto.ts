import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsNumber, Max, Min } from "class-validator";
import { Optional } from "../../platform/http/validation.js";
import { DECISIONS, DEFAULT_THRESHOLDS, type Thresholds } from "../context/decision.js";

/** A share from 0 to 1, with its default. */
const share = (name: keyof Thresholds) => ({ minimum: 0, maximum: 1, default: DEFAULT_THRESHOLDS[name] });

@ApiSchema({ description: "When the assistant of a workspace answers, asks back or hands over." })
export class AssistantSettingsDto implements Thresholds {
  /** At this confidence or above, an entry answers. */
  answerConfidence: number;
  /** Two entries are close together if their confidences differ by less. Then none of them answers. */
  margin: number;
  /** At this confidence or above, an entry that does not answer is worth a question back, or two that are close together. */
  clarifyConfidence: number;
}

/** Fields that are left out get their defaults. */
export class PutAssistantSettingsDto {
  /** At this confidence or above, an entry answers: 0 to 1. */
  @ApiProperty({ ...share("answerConfidence"), required: false })
  @Optional()
  @IsNumber()
  @Min(0)
  @Max(1)
  answerConfidence?: number = DEFAULT_THRESHOLDS.answerConfidence;

  /**
   * Two entries are close together if their confidences differ by less: 0 to 1. Then none of them answers. All confidences add
   * up to at most 1: an entry at 0.9 is at least 0.8 ahead.
   */
  @ApiProperty({ ...share("margin"), required: false })
  @Optional()
  @IsNumber()
  @Min(0)
  @Max(1)
  margin?: number = DEFAULT_THRESHOLDS.margin;

  /**
   * At this confidence or above, an entry that does not answer is worth a question back, or two that are close together: 0 to 1, and not above
   * `answerConfidence`.
   */
  @ApiProperty({ ...share("clarifyConfidence"), required: false })
  @Optional()
  @IsNumber()
  @Min(0)
  @Max(1)
  clarifyConfidence?: number = DEFAULT_THRESHOLDS.clarifyConfidence;
}

@ApiSchema({ description: "How often the assistant decides what." })
export class DecisionCountsDto {
  /** How many it answers. */
  answer: number;
  /** How often it asks back. */
  clarify: number;
  /** How many it hands over. */
  hand_off: number;
}

@ApiSchema({ description: "A question that other thresholds decide otherwise." })
export class ChangedDecisionDto {
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  /** The contact's message. */
  @ApiProperty({ format: "uuid" })
  messageId: string;
  /** What the present thresholds decide. */
  @ApiProperty({ enum: DECISIONS })
  from: keyof DecisionCountsDto;
  /** What these decide. */
  @ApiProperty({ enum: DECISIONS })
  to: keyof DecisionCountsDto;
}

@ApiSchema({ description: "What other thresholds would have decided about the last questions." })
export class AssistantPreviewDto {
  /** How many questions were looked at: the last 200 at most. */
  questions: number;
  /** What the present thresholds decide about them. */
  before: DecisionCountsDto;
  /** What these decide. */
  after: DecisionCountsDto;
  /** The questions that these decide otherwise, the newest first. */
  @ApiProperty({ type: [ChangedDecisionDto] })
  changed: ChangedDecisionDto[];
}
