import { ApiProperty, ApiSchema } from "@nestjs/swagger";
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

@ApiSchema({ description: "A question to a caller, and where its right answer is." })
export class VerificationQuestionDto {
  /** Unique in its source. */
  key: string;
  /** The question as it is put to the person. */
  prompt: string;
  /** Which field of the contact holds the right answer: `name`, `email`, `phone`, or a key of its attributes. Null for the type `http`. */
  @ApiProperty({ type: String, nullable: true })
  attribute: string | null;
  /** Path to the right answer in the JSON that the URL returns. Null for the type `contact_attributes`. */
  @ApiProperty({ type: String, nullable: true })
  path: string | null;
}

@ApiSchema({ description: "Where the right answers to questions come from." })
export class VerificationSourceDto {
  /** Unique in the workspace. Identity events name the source as `tool:<name>`. */
  name: string;
  @ApiProperty({ enum: SOURCE_TYPES })
  type: SourceType;
  /** What the source can ask. */
  questions: VerificationQuestionDto[];
  /** The address of your system that Parley asks. Null for the type `contact_attributes`. */
  @ApiProperty({ type: String, nullable: true })
  url: string | null;
  /** Whether credentials are stored. They are never returned. */
  hasCredentials: boolean;
}

@ApiSchema({ description: "All verification sources of a workspace." })
export class VerificationSourcesDto {
  /** The workspace's sources. */
  sources: VerificationSourceDto[];
}

@ApiSchema({ description: "A question to a caller, and where its right answer is." })
export class PutVerificationQuestionDto {
  /** Unique in its source: lowercase letters, digits and `_`, 1 to 40 characters. */
  @ApiProperty({ example: "postcode" })
  @Matches(/^[a-z0-9_]{1,40}$/, { message: "key must be 1 to 40 lowercase letters, digits and _" })
  key: string;

  /** The question as it is put to the person, 1 to 500 characters. Ask for one fact only. */
  @ApiProperty({ example: "What is your postcode?" })
  @Trimmed()
  @IsString()
  @Length(1, 500)
  prompt: string;

  /** `name`, `email`, `phone`, or a key of the contact's attributes. Required for the type `contact_attributes`, and not allowed for `http`. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "postcode" })
  @IsOptional()
  @IsString()
  @Length(1, 200)
  attribute?: string | null;

  /** A JSON path made of `.name` and `[n]` only, at most 200 characters. Required for the type `http`, and not allowed for `contact_attributes`. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "$.account.postcode" })
  @IsOptional()
  @IsString()
  @Length(1, 200)
  @Matches(/^\$(\.[\p{L}\p{N}_-]+|\[\d{1,6}\])+$/u, {
    message: "path must be a JSON path of .name and [n] only, such as $.account.postcode",
  })
  path?: string | null;
}

@ApiSchema({ description: "What Parley signs in with at a verification source. It is never shown." })
export class SourceCredentialsDto {
  /** Sent as the `Authorization` header: 1 to 4,000 visible ASCII characters and spaces. */
  @ApiProperty({ writeOnly: true, example: "Bearer …" })
  @IsString()
  @Length(1, 4_000)
  @Matches(/^[\x20-\x7e]*$/, { message: "authorization must be visible ASCII characters and spaces" })
  authorization: string;
}

/** Parses the URL as the outbound client does, so that both agree on the host. */
function isSourceUrl(value: unknown): boolean {
  if (typeof value !== "string" || value.length > 2_000 || !/^https?:\/\/\S+$/i.test(value) || !URL.canParse(value))
    return false;
  const { username, password, hash } = new URL(value);
  return !username && !password && !hash;
}

@ApiSchema({ description: "A verification source as you write it." })
export class PutVerificationSourceDto {
  /** Unique in the workspace: lowercase letters, digits and `_`, 1 to 40 characters. Identity events name the source as `tool:<name>`. */
  @ApiProperty({ example: "contact_attributes" })
  @Matches(/^[a-z0-9_]{1,40}$/, { message: "name must be 1 to 40 lowercase letters, digits and _" })
  name: string;

  /** `contact_attributes` takes the answers from the contact; `http` asks your server. */
  @ApiProperty({ enum: SOURCE_TYPES })
  @IsIn(SOURCE_TYPES)
  type: SourceType;

  /** 1 to 20 questions. */
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(20)
  @ArrayUnique((question?: PutVerificationQuestionDto) => question?.key, {
    message: "question keys must be unique",
  })
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => PutVerificationQuestionDto)
  questions: PutVerificationQuestionDto[];

  /** An absolute https URL (or http, for hosts in the server's `OUTBOUND_ALLOW`), at most 2,000 characters. If its host changes, stored credentials are dropped. Required for the type `http`, and not allowed for `contact_attributes`. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "https://crm.example.com/lookup" })
  @IsOptional()
  @ValidateBy({
    name: "isSourceUrl",
    validator: {
      validate: isSourceUrl,
      defaultMessage: () => "url must be an absolute https URL without user, password and fragment",
    },
  })
  url?: string | null;

  /** For the type `http`. Omit them to keep those stored under the same name, if the host is the same; `null` removes them. They are never returned. */
  @ApiProperty({ type: SourceCredentialsDto, nullable: true, required: false, writeOnly: true })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => SourceCredentialsDto)
  credentials?: SourceCredentialsDto | null;
}

export class PutVerificationSourcesDto {
  /** All sources, at most 10. Sources that are not in the list are removed. */
  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique((source?: PutVerificationSourceDto) => source?.name, { message: "source names must be unique" })
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => PutVerificationSourceDto)
  sources: PutVerificationSourceDto[];
}
