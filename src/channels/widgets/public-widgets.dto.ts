import { ApiProperty } from "@nestjs/swagger";
import { Transform } from "class-transformer";
import { IsBoolean, IsEmail, IsString, Length } from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { FormFields } from "./widgets.dto.js";

class WidgetLookDto {
  /** Null for the widget's own words. */
  @ApiProperty({ type: String, nullable: true })
  title: string | null;
  @ApiProperty({ example: "#1d4ed8" })
  colour: string;
  /** ISO 639-1. */
  @ApiProperty({ example: "en" })
  language: string;
  @ApiProperty({ type: String, nullable: true })
  placeholder: string | null;
}

export class KbWidgetLookDto extends WidgetLookDto {}

export class ContactFormLookDto extends WidgetLookDto {
  @ApiProperty({ type: FormFields })
  fields: FormFields;
  /** What is shown once a message was sent; null for the widget's own words. */
  @ApiProperty({ type: String, nullable: true })
  thankYou: string | null;
  /** What has to be agreed to; null where nothing has to. */
  @ApiProperty({ type: String, nullable: true })
  consent: string | null;
  /** Says when the form was begun, and is sent along with it. */
  start: string;
}

export class SearchKbWidgetDto {
  /** The question as it is put, at most 500 characters. Without it nothing is found. */
  @ApiProperty({ required: false, example: "when will my parcel be here" })
  @Optional()
  @IsString()
  @Length(0, 500)
  q?: string;
}

class FoundAnswerDto {
  question: string;
  /** Plain text, or Markdown if it was written so. */
  answer: string;
}

export class FoundAnswersDto {
  /** The best first. */
  @ApiProperty({ type: [FoundAnswerDto] })
  data: FoundAnswerDto[];
}

export class SubmissionDto {
  /** 1 to 200 characters, if the form asks for it. */
  @ApiProperty({ required: false, example: "Ada Lovelace" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name?: string;

  /** Where the answer goes. */
  @ApiProperty({ format: "email", example: "ada@example.com" })
  @Transform(({ value }: { value: unknown }) => (typeof value === "string" ? value.trim().toLowerCase() : value))
  @IsEmail()
  email: string;

  /** However it is written, 3 to 40 characters, if the form asks for it. */
  @ApiProperty({ required: false, example: "030 901820" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(3, 40)
  phone?: string;

  /** 1 to 200 characters, if the form asks for it. */
  @ApiProperty({ required: false, example: "My parcel" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  subject?: string;

  /** 1 to 10,000 characters. */
  @ApiProperty({ example: "Where is it?" })
  @Trimmed()
  @IsString()
  @Length(1, 10_000)
  message: string;

  /** That what the form wants to be agreed to is. */
  @Optional()
  @IsBoolean()
  consent?: boolean;

  /** An id of yours, 1 to 100 characters: the same submission sent again is one. */
  @Optional()
  @IsString()
  @Length(1, 100)
  submissionId?: string;

  /** `start` of the form as it was read. Without it the message is taken, and labelled as suspected spam. */
  @Optional()
  @IsString()
  @Length(0, 100)
  start?: string;

  /** Nobody sees this field, at most 500 characters: what is in it was written by a program, and goes to the spam. */
  @Optional()
  @IsString()
  @Length(0, 500)
  website?: string;
}
