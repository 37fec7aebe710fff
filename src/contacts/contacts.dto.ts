import { ApiProperty, ApiPropertyOptional } from "@nestjs/swagger";
import { Transform } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEmail,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
} from "class-validator";
import { PagingDto } from "../platform/http/paging.dto.js";
import { each, Optional, Trimmed } from "../platform/http/validation.js";
import { E164, toE164 } from "./phone.js";

/** Free JSON is taken as it came, not walked through. */
export const AsIs = (): PropertyDecorator =>
  Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]);

export class ContactPointDto {
  /** An email address, or a phone number in E.164. */
  value: string;
  /** When the contact proved it; null while it is only claimed. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  verifiedAt: string | null;
}

export class ContactDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** Your own id of the person; unique per tenant. */
  @ApiProperty({ type: String, nullable: true })
  externalId: string | null;
  @ApiProperty({ type: String, nullable: true })
  name: string | null;
  emails: ContactPointDto[];
  phones: ContactPointDto[];
  /** ISO 639-1. */
  @ApiProperty({ type: String, nullable: true })
  language: string | null;
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  accountId: string | null;
  labels: string[];
  @ApiProperty({ type: "object", additionalProperties: true })
  attributes: object;
  /** Messages of a blocked contact are refused: 409. */
  blocked: boolean;
  /** The contact that this one was merged into, which stands for it now and has its conversations, emails and phones. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  mergedIntoId: string | null;
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  lastSeenAt: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class CreateContactDto {
  /** Your own id of the person, 1 to 255 characters; unique per tenant. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "crm-4711" })
  @IsOptional()
  @IsString()
  @Length(1, 255)
  externalId?: string | null;

  @ApiProperty({ type: String, nullable: true, required: false, example: "Ada Lovelace" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name?: string | null;

  /** At most 20; they never match an existing contact by themselves. */
  @ApiProperty({ type: [String], format: "email", required: false, example: ["ada@example.com"] })
  @Optional()
  @Transform(each((text) => text.trim().toLowerCase()))
  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsEmail({}, { each: true })
  emails?: string[];

  /** With country code, at most 20; kept in E.164. */
  @ApiProperty({ type: [String], required: false, example: ["+4930901820"] })
  @Optional()
  @Transform(each((text) => toE164(text) ?? text))
  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @Matches(E164, {
    each: true,
    message: "each value in phones must be a phone number with its country code, such as +4930901820",
  })
  phones?: string[];

  /** ISO 639-1. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "en" })
  @IsOptional()
  @Matches(/^[a-z]{2}$/, { message: "language must be two small letters of ISO 639-1" })
  language?: string | null;

  /** At most 50, each 1 to 100 characters. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  labels?: string[];

  /** Whatever you keep about the person, as a JSON object. */
  @ApiPropertyOptional({ type: "object", additionalProperties: true, example: { plan: "gold" } })
  @Optional()
  @AsIs()
  @IsObject()
  attributes?: object;
}

export class ListContactsDto extends PagingDto {
  /** Only the contact with this id of yours. */
  @Optional()
  @IsString()
  @Length(1, 255)
  externalId?: string;
}

/** Only what is given is changed; lists and objects are replaced whole. An email or phone that stays keeps its proof. */
export class UpdateContactDto extends CreateContactDto {
  /** Once this has answered, messages of a blocked contact are refused (409), also those of conversations that are open. */
  @Optional()
  @IsBoolean()
  blocked?: boolean;
}

export class SearchContactsDto extends PagingDto {
  /** Words of a name, parts of an email, phone number or your own id, in any order, 1 to 200 characters. A slip of the keys in each word is forgiven. */
  @Trimmed()
  @IsString()
  @Length(1, 200)
  q: string;
}

export class LinkAccountDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  accountId: string;
}
