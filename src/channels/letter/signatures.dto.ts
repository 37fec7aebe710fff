import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsString, Length, ValidateBy, ValidateIf, type ValidationArguments } from "class-validator";
import { problemOf } from "../../conversations/canned-replies/template.js";
import { BODY_FORMATS, type BodyFormat } from "../../conversations/conversation.entity.js";
import { type Quote, QUOTES } from "../../conversations/quote.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";

const MAX_SIGNATURE = 5_000;

@ApiSchema({ description: "What mails end with." })
export class SignatureDto {
  /** Markdown with the variables of canned replies; null for none. */
  @ApiProperty({ type: String, nullable: true, example: "{{member.name}}\nExample Ltd" })
  body: string | null;
}

export class SetSignatureDto {
  /** Markdown with the variables of canned replies, at most 5,000 characters; null for none. A line with a variable that has no value is left out. */
  @ApiProperty({ type: String, nullable: true, example: "{{member.name}}\nExample Ltd" })
  @ValidateIf((_, body) => body !== null)
  @Trimmed()
  @IsString()
  @Length(1, MAX_SIGNATURE)
  @ValidateBy({
    name: "isTemplate",
    validator: {
      validate: (value: unknown) => typeof value !== "string" || problemOf(value) === undefined,
      defaultMessage: (problem?: ValidationArguments) => problemOf(String(problem?.value)) ?? "",
    },
  })
  body: string | null;
}

export class MailFrameQueryDto {
  /** As in a reply. */
  @ApiProperty({ enum: QUOTES, required: false })
  @Optional()
  @IsIn(QUOTES)
  quote?: Quote;
}

@ApiSchema({ description: "A message that a mail repeats." })
export class QuotedMessageDto {
  /** Who wrote it and when. */
  @ApiProperty({ example: "On 7 Jan 2030, 10:30, Ada Lovelace wrote:" })
  heading: string;
  /** The message. */
  body: string;
  @ApiProperty({ enum: BODY_FORMATS })
  format: BodyFormat;
}

@ApiSchema({ description: "What goes with a mail, below its text." })
export class MailFrameDto {
  /** ISO 639-1. */
  @ApiProperty({ example: "en" })
  language: string;
  /** Markdown. Null if there is none. */
  @ApiProperty({ type: String, nullable: true })
  signature: string | null;
  /** Markdown: the workspace's `mailFooter`. Null for none. */
  @ApiProperty({ type: String, nullable: true })
  footer: string | null;
  /** The workspace's `mailLogoUrl`. Null for none. */
  @ApiProperty({ type: String, nullable: true })
  logoUrl: string | null;
  /** Newest first. */
  @ApiProperty({ type: [QuotedMessageDto] })
  quoted: QuotedMessageDto[];
}
