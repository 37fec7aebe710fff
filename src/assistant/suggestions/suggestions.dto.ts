import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Transform } from "class-transformer";
import { IsBoolean, IsIn } from "class-validator";
import { Optional } from "../../platform/http/validation.js";
import { SUGGESTION_OUTCOMES, SUGGESTION_WARNINGS, type SuggestionOutcome } from "./suggestion.entity.js";

@ApiSchema({ description: "An approved entry that may answer what the contact wrote last." })
export class SuggestionDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The entry. Name it in the `citations` of your reply. */
  @ApiProperty({ format: "uuid" })
  kbEntryId: string;
  /** The entry's question. */
  question: string;
  /** The entry's answer, as text or Markdown. */
  answer: string;
  /** The entry's language, ISO 639-1. */
  language: string;
  /** How likely the entry answers what the contact wrote, 0 to 1. Null with a `warning`: then nobody knows. */
  @ApiProperty({ type: Number, nullable: true, minimum: 0, maximum: 1 })
  confidence: number | null;
  /** Why the entry may not answer what the contact wrote. Show it to whoever answers. Null if there is no reason. */
  @ApiProperty({ enum: SUGGESTION_WARNINGS, nullable: true })
  warning: (typeof SUGGESTION_WARNINGS)[number] | null;
  /** What was made of it. Null until then. */
  @ApiProperty({ enum: SUGGESTION_OUTCOMES, nullable: true })
  outcome: SuggestionOutcome | null;
}

@ApiSchema({ description: "A sentence of a draft." })
export class DraftSentenceDto {
  /** With the space or line break after it: all texts, one after the other, are the draft. */
  text: string;
  /** The entry that says it. Null for courtesy, which claims nothing. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  kbEntryId: string | null;
}

@ApiSchema({ description: "What you could answer to what a contact wrote last." })
export class SuggestionsDto {
  /** The contact's last message, if nobody has replied to it. Null otherwise: then there are no suggestions. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  messageId: string | null;
  /** The `sequence` of that message. Reply with it as `ifLastSequence`. Null if there is none. */
  @ApiProperty({ type: "integer", nullable: true, example: 41 })
  sequence: number | null;
  /** At most three, the best match first. */
  @ApiProperty({ type: [SuggestionDto] })
  suggestions: SuggestionDto[];
  /** Whether a language model can write a draft, and whatever else it writes for people. */
  canDraft: boolean;
  /**
   * With `draft=true`: an answer that the language model made of entries, sentence by sentence. What no entry says was cut. Null if it
   * was not asked for, or if nothing came of it.
   */
  @ApiProperty({ type: [DraftSentenceDto], nullable: true })
  draft: DraftSentenceDto[] | null;
}

export class GetSuggestionsDto {
  /** `true`: let the language model write a draft. It takes seconds, costs tokens, and needs `conversations:write` too. */
  @ApiProperty({ type: Boolean, required: false, default: false })
  @Optional()
  @Transform(({ value }: { value: unknown }) => (value === "true" ? true : value === "false" ? false : value))
  @IsBoolean()
  draft?: boolean = false;
}

export class RecordSuggestionOutcomeDto {
  /** `used`: you have sent the answer as it stands. `edited`: you have changed it. `ignored`: it does not fit. */
  @ApiProperty({ enum: SUGGESTION_OUTCOMES })
  @IsIn(SUGGESTION_OUTCOMES)
  outcome: SuggestionOutcome;
}
