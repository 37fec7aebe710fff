import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Transform } from "class-transformer";
import { IsBoolean, IsEmail, IsString, Length } from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { FormFields } from "./widgets.dto.js";

class WidgetLookDto {
  /** Null for the widget's built-in text. */
  @ApiProperty({ type: String, nullable: true })
  title: string | null;
  /** The colour of the button and lines, `#rrggbb`. */
  @ApiProperty({ example: "#1d4ed8" })
  colour: string;
  /** ISO 639-1. */
  @ApiProperty({ example: "en" })
  language: string;
  /** Placeholder of the search field or the message field. Null for the widget's built-in text. */
  @ApiProperty({ type: String, nullable: true })
  placeholder: string | null;
}

@ApiSchema({ description: "How a search widget looks." })
export class PublicKbWidgetDto extends WidgetLookDto {}

@ApiSchema({ description: "How a contact form looks, and a token that proves when it was started." })
export class PublicContactFormDto extends WidgetLookDto {
  @ApiProperty({ type: FormFields })
  fields: FormFields;
  /** Shown after a message was sent. Null for the widget's built-in text. */
  @ApiProperty({ type: String, nullable: true })
  thankYou: string | null;
  /** The text that the sender must agree to. Null if there is none. */
  @ApiProperty({ type: String, nullable: true })
  consent: string | null;
  /** Proves when the form was started. Send it with the form. */
  start: string;
}

export class SearchKbWidgetDto {
  /** The question as the visitor asks it, at most 500 characters. Without it, the result is empty. */
  @ApiProperty({ required: false, example: "when will my parcel be here" })
  @Optional()
  @IsString()
  @Length(0, 500)
  q?: string;
}

@ApiSchema({ description: "An approved entry, as visitors see it." })
class PublicAnswerDto {
  /** The question that the entry answers. */
  question: string;
  /** Plain text, or Markdown if the entry was written in Markdown. */
  answer: string;
}

@ApiSchema({ description: "The approved entries that answer a question." })
export class PublicAnswersDto {
  /** Best match first. */
  @ApiProperty({ type: [PublicAnswerDto] })
  data: PublicAnswerDto[];
}

export class SubmitContactFormDto {
  /** 1 to 200 characters, if the form asks for it. */
  @ApiProperty({ required: false, example: "Ada Lovelace" })
  @Optional()
  @IsString()
  @Length(1, 200)
  name?: string;

  /** The address for the reply. */
  @ApiProperty({ format: "email", example: "ada@example.com" })
  @Transform(({ value }: { value: unknown }) => (typeof value === "string" ? value.trim().toLowerCase() : value))
  @IsEmail()
  email: string;

  /** In any format, 3 to 40 characters, if the form asks for it. */
  @ApiProperty({ required: false, example: "030 901820" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(3, 40)
  phone?: string;

  /** 1 to 200 characters, if the form asks for it. */
  @ApiProperty({ required: false, example: "My parcel" })
  @Optional()
  @IsString()
  @Length(1, 200)
  subject?: string;

  /** 1 to 10,000 characters. */
  @ApiProperty({ example: "Where is it?" })
  @IsString()
  @Length(1, 10_000)
  message: string;

  /** Whether the sender agrees to the form's consent text. */
  @Optional()
  @IsBoolean()
  consent?: boolean;

  /** Your own id for the submission, 1 to 100 characters. Sending it again does not create another message. */
  @Optional()
  @IsString()
  @Length(1, 100)
  submissionId?: string;

  /** `start` from reading the form. Without it, the message is accepted and labelled as suspected spam. */
  @Optional()
  @IsString()
  @Length(0, 100)
  start?: string;

  /**
   * A hidden field, at most 500 characters. If it is filled in, a program wrote it, and the message is treated as
   * spam.
   */
  @Optional()
  @IsString()
  @Length(0, 500)
  website?: string;
}
