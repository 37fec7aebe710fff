import { ApiProperty } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  ValidateBy,
  ValidateNested,
} from "class-validator";
import { Trimmed } from "../../platform/http/validation.js";
import { SOURCE_TYPES, type SourceType } from "./verification-source.entity.js";

export class VerificationQuestionDto {
  /** Unique in its source. */
  key: string;
  prompt: string;
  /** Where the right answer stands in the contact: `name`, `email`, `phone`, or a key of its attributes. For the type `contact_attributes`. */
  @ApiProperty({ type: String, nullable: true })
  attribute: string | null;
  /** Where the right answer stands in the JSON that the URL answers with. For the type `http`. */
  @ApiProperty({ type: String, nullable: true })
  path: string | null;
}

export class VerificationSourceDto {
  /** Unique in the workspace; stands in identity events as `tool:<name>`. */
  name: string;
  @ApiProperty({ enum: SOURCE_TYPES })
  type: SourceType;
  questions: VerificationQuestionDto[];
  @ApiProperty({ type: String, nullable: true })
  url: string | null;
  /** Whether credentials are stored. They are never shown. */
  hasCredentials: boolean;
}

export class VerificationSourcesDto {
  sources: VerificationSourceDto[];
}

export class PutVerificationQuestionDto {
  /** Unique in its source: small letters, digits and `_`, 1 to 40 characters. */
  @ApiProperty({ example: "postcode" })
  @Matches(/^[a-z0-9_]{1,40}$/, { message: "key must be 1 to 40 small letters, digits and _" })
  key: string;

  /** What is asked, 1 to 500 characters. */
  @ApiProperty({ example: "What is your postcode?" })
  @Trimmed()
  @IsString()
  @Length(1, 500)
  prompt: string;

  /** Of the contact: `name`, `email`, `phone`, or a key of its attributes. For the type `contact_attributes`, and needed there. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "postcode" })
  @IsOptional()
  @IsString()
  @Length(1, 200)
  attribute?: string | null;

  /** A JSON path of `.name` and `[n]` alone, at most 200 characters. For the type `http`, and needed there. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "$.account.postcode" })
  @IsOptional()
  @IsString()
  @Length(1, 200)
  @Matches(/^\$(\.[\p{L}\p{N}_-]+|\[\d{1,6}\])+$/u, {
    message: "path must be a JSON path of .name and [n] alone, such as $.account.postcode",
  })
  path?: string | null;
}

export class SourceCredentialsDto {
  /** Sent as the header `Authorization`: 1 to 4,000 visible ASCII characters and spaces. */
  @ApiProperty({ writeOnly: true, example: "Bearer …" })
  @IsString()
  @Length(1, 4_000)
  @Matches(/^[\x20-\x7e]*$/, { message: "authorization must be visible ASCII characters and spaces" })
  authorization: string;
}

/** As the client that will call it reads it, so that nothing passes here that means another host there. */
function isAddress(value: unknown): boolean {
  if (typeof value !== "string" || value.length > 2_000 || !/^https?:\/\/\S+$/i.test(value) || !URL.canParse(value))
    return false;
  const { username, password, hash } = new URL(value);
  return !username && !password && !hash;
}

export class PutVerificationSourceDto {
  /** Unique in the workspace: small letters, digits and `_`, 1 to 40 characters. It stands in identity events as `tool:<name>`. */
  @ApiProperty({ example: "contact_attributes" })
  @Matches(/^[a-z0-9_]{1,40}$/, { message: "name must be 1 to 40 small letters, digits and _" })
  name: string;

  /** `contact_attributes` knows the answers from the contact; `http` asks a server of yours. */
  @ApiProperty({ enum: SOURCE_TYPES })
  @IsIn(SOURCE_TYPES)
  type: SourceType;

  /** 1 to 20. */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(20)
  @ArrayUnique((question?: PutVerificationQuestionDto) => question?.key, {
    message: "the keys of questions must differ",
  })
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => PutVerificationQuestionDto)
  questions: PutVerificationQuestionDto[];

  /** Absolute, https (or http, to hosts that the server's `OUTBOUND_ALLOW` names), at most 2,000 characters. Credentials are asked for anew where its host changes. For the type `http`, and needed there. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "https://crm.example.com/lookup" })
  @IsOptional()
  @ValidateBy({
    name: "isAddress",
    validator: {
      validate: isAddress,
      defaultMessage: () => "url must be an absolute https address without user, password and fragment",
    },
  })
  url?: string | null;

  /** For the type `http`. Left out, those stored under the same name stay; `null` removes them. They are never shown. */
  @ApiProperty({ type: SourceCredentialsDto, nullable: true, required: false, writeOnly: true })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => SourceCredentialsDto)
  credentials?: SourceCredentialsDto | null;
}

export class PutVerificationSourcesDto {
  /** All of them, at most 10; what is not among them is removed. */
  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique((source?: PutVerificationSourceDto) => source?.name, { message: "the names of sources must differ" })
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => PutVerificationSourceDto)
  sources: PutVerificationSourceDto[];
}
