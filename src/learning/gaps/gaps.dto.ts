import { ApiProperty, ApiSchema } from "@nestjs/swagger";

@ApiSchema({ description: "A question that the assistant handed over." })
export class GapExampleDto {
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  /** The contact's message. */
  @ApiProperty({ format: "uuid" })
  messageId: string;
  /** What the contact asked, without personal data. */
  question: string;
  /** When. */
  @ApiProperty({ format: "date-time" })
  at: string;
}

@ApiSchema({ description: "Questions that ask for the same, and that no approved entry answers." })
export class KbGapDto {
  /** How often it was asked. */
  @ApiProperty({ type: "integer" })
  count: number;
  /** The question that stands for all, without personal data. */
  question: string;
  /** Other ways in which it was asked, at most 10. */
  @ApiProperty({ type: [String] })
  alternateQuestions: string[];
  /** ISO 639-1. */
  language: string;
  /** The newest of them, at most 5. */
  @ApiProperty({ type: [GapExampleDto] })
  examples: GapExampleDto[];
}

@ApiSchema({ description: "What a workspace's knowledge base lacks." })
export class KbGapsDto {
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  /** Since when questions were looked at: the beginning of the day 30 days ago, in UTC. */
  @ApiProperty({ format: "date-time" })
  since: string;
  /** How many questions were looked at: the newest 1,000 at most. */
  @ApiProperty({ type: "integer" })
  questions: number;
  /** How many of them are in no gap, because the time was over or there are too many different ones. 0 if all were looked at. */
  @ApiProperty({ type: "integer" })
  skipped: number;
  /** The most frequent first, at most 50. */
  @ApiProperty({ type: [KbGapDto] })
  gaps: KbGapDto[];
}
