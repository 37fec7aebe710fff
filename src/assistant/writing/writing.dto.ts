import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsISO6391, IsString, Length } from "class-validator";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { Optional } from "../../platform/http/validation.js";

const REWRITINGS = namedEnum("Rewriting", "How a text is rewritten.", {
  shorter: "the same in fewer words",
  friendlier: "the same in a warmer tone",
  translation: "the same in `language`",
});
export type Rewriting = (typeof REWRITINGS)[number];

const SILENCES = namedEnum("ModelSilence", "Why there is no text of the language model.", {
  no_model: "no language model is set up",
  no_tokens: "the workspace's tokens for today are used up",
  no_answer: "the model did not answer, or with something that cannot be used: try again",
  same_language: "the message is in this language",
  withheld: "the message asks for proof of identity, or answers: no model reads it",
  too_long: "the message is longer than a model is given",
});
export type Silence = (typeof SILENCES)[number];

/** Longer texts are not given to a model. In characters. */
export const MAX_TEXT = 20_000;

export class RewriteTextDto {
  /** The text, or the part of it that is to change. */
  @IsString()
  @Length(1, MAX_TEXT)
  text: string;
  /** What to make of it. */
  @ApiProperty({ enum: REWRITINGS })
  @IsIn(REWRITINGS)
  as: Rewriting;
  /** For a translation: ISO 639-1. If you leave it out, the workspace's language. */
  @Optional()
  @IsISO6391()
  language?: string;
}

@ApiSchema({ description: "What the language model made of a text." })
export class RewrittenTextDto {
  /** Null if there is none: `reason` says why. */
  @ApiProperty({ type: String, nullable: true })
  text: string | null;
  /** Why there is no text. Null if there is one. */
  @ApiProperty({ enum: SILENCES, nullable: true })
  reason: Silence | null;
}

export class SummariseMessagesDto {
  /** The language of the summary, ISO 639-1. If you leave it out, the workspace's. */
  @Optional()
  @IsISO6391()
  language?: string;
}

@ApiSchema({ description: "A sentence of a summary, with its proof." })
export class SummarySentenceDto {
  /** In the model's words. */
  text: string;
  /** The message that says it. */
  @ApiProperty({ format: "uuid" })
  messageId: string;
  /** What stands in that message, word for word. */
  quote: string;
}

@ApiSchema({ description: "What was said in a conversation, sentence by sentence." })
export class MessagesSummaryDto {
  /** Oldest first. A sentence whose quote is not in its message was dropped. Null if the model wrote none: `reason` says why. */
  @ApiProperty({ type: [SummarySentenceDto], nullable: true })
  sentences: SummarySentenceDto[] | null;
  /** Why there is no summary. Null if there is one. */
  @ApiProperty({ enum: SILENCES, nullable: true })
  reason: Silence | null;
}

export class TranslateMessageDto {
  /** The language that you read, ISO 639-1. */
  @IsISO6391()
  language: string;
}
