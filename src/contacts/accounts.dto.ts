import { ApiProperty, ApiPropertyOptional } from "@nestjs/swagger";
import { Transform } from "class-transformer";
import { ArrayMaxSize, ArrayUnique, IsArray, IsFQDN, IsObject, IsOptional, IsString, Length } from "class-validator";
import { PagingDto } from "../platform/http/paging.dto.js";
import { each, Optional, Trimmed } from "../platform/http/validation.js";
import { AsIs } from "./contacts.dto.js";

export class AccountDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** Your own id of the company; unique per tenant. */
  @ApiProperty({ type: String, nullable: true })
  externalId: string | null;
  name: string;
  /** Of its websites and mail addresses, in lower case. */
  domains: string[];
  @ApiProperty({ type: String, nullable: true })
  industry: string | null;
  /** What it bought from you, in your words. */
  @ApiProperty({ type: String, nullable: true })
  plan: string | null;
  @ApiProperty({ type: "object", additionalProperties: true })
  attributes: object;
  /** Contacts that are linked to it; to a restricted caller, those within its reach. */
  @ApiProperty({ type: "integer" })
  contactCount: number;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

/** Only what is given is changed; lists and objects are replaced whole. */
export class UpdateAccountDto {
  /** Your own id of the company, 1 to 255 characters; unique per tenant. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "crm-42" })
  @IsOptional()
  @IsString()
  @Length(1, 255)
  externalId?: string | null;

  @ApiProperty({ type: String, required: false, example: "Analytical Engines Ltd" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name?: string;

  /** At most 50, such as example.com. */
  @ApiProperty({ type: [String], required: false, example: ["example.com"] })
  @Optional()
  @Transform(each((text) => text.trim().toLowerCase()))
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsFQDN({}, { each: true })
  domains?: string[];

  /** 1 to 100 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Engineering" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 100)
  industry?: string | null;

  /** 1 to 100 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "gold" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 100)
  plan?: string | null;

  /** Whatever you keep about the company, as a JSON object. */
  @ApiPropertyOptional({ type: "object", additionalProperties: true, example: { seats: 40 } })
  @Optional()
  @AsIs()
  @IsObject()
  attributes?: object;
}

export class CreateAccountDto extends UpdateAccountDto {
  @ApiProperty({ example: "Analytical Engines Ltd" })
  @Trimmed()
  @IsString()
  @Length(1, 200)
  declare name: string;
}

export class ListAccountsDto extends PagingDto {
  /** Only the account with this id of yours. */
  @Optional()
  @IsString()
  @Length(1, 255)
  externalId?: string;
}

export class SearchAccountsDto extends PagingDto {
  /** Words of the name, parts of a domain or of your own id, in any order, 1 to 200 characters. A slip of the keys in each word is forgiven. */
  @Trimmed()
  @IsString()
  @Length(1, 200)
  q: string;
}
