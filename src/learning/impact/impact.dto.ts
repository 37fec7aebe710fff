import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { DECISIONS } from "../../assistant/context/decision.js";

@ApiSchema({ description: "An entry that an answer or a question back names." })
export class ImpactEntryDto {
  @ApiProperty({ format: "uuid" })
  kbEntryId: string;
  /** The question of the entry. */
  question: string;
}

@ApiSchema({ description: "What the assistant decides about a question." })
export class ImpactDecisionDto {
  /** What the assistant decides. */
  @ApiProperty({ enum: DECISIONS })
  decision: (typeof DECISIONS)[number];
  /** The entry that answers, or the two that it asks back about. Empty if it hands over. */
  @ApiProperty({ type: [ImpactEntryDto] })
  entries: ImpactEntryDto[];
}

@ApiSchema({ description: "A question about which the assistant decides otherwise with an entry." })
export class ImpactExampleDto {
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  /** The contact's message. */
  @ApiProperty({ format: "uuid" })
  messageId: string;
  /** What the contact asked, without personal data. */
  question: string;
  /** Without the entry. */
  before: ImpactDecisionDto;
  /** With the entry. */
  after: ImpactDecisionDto;
}

@ApiSchema({ description: "The questions that change in one way, with examples." })
export class ImpactChangeDto {
  /** How many questions. */
  count: number;
  /** The newest of them, at most 5. */
  @ApiProperty({ type: [ImpactExampleDto] })
  examples: ImpactExampleDto[];
}

@ApiSchema({ description: "What an entry changes about the questions of the last 30 days." })
export class KbEntryImpactDto {
  @ApiProperty({ format: "uuid" })
  kbEntryId: string;
  /** Since when questions were looked at: the beginning of the day 30 days ago, in UTC. */
  @ApiProperty({ format: "date-time" })
  since: string;
  /** How many questions were looked at: the newest 1,000 at most. */
  questions: number;
  /** How many older ones of these were left out, because the time was over. 0 if all were looked at. */
  skipped: number;
  /** With the entry the assistant answers them, and without it it does not. */
  newlyAnswered: ImpactChangeDto;
  /** It answers them with and without the entry, but not the same. */
  answeredOtherwise: ImpactChangeDto;
  /** It asks back about them with the entry, and not without it. */
  newlyAmbiguous: ImpactChangeDto;
  /** It answers them without the entry, and hands them over with it. */
  noLongerAnswered: ImpactChangeDto;
}
