import { ApiProperty, ApiPropertyOptional, ApiSchema } from "@nestjs/swagger";
import { Transform } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsFQDN,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  Length,
} from "class-validator";
import { namedEnum } from "../platform/enums/named-enum.js";
import { PagingDto } from "../platform/http/paging.dto.js";
import { each, Optional, Required, Trimmed } from "../platform/http/validation.js";

@ApiSchema({ description: "A company that contacts belong to." })
export class AccountDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** Your own id for the company, unique per tenant. Null if not given. */
  @ApiProperty({ type: String, nullable: true })
  externalId: string | null;
  name: string;
  /** The domains of its websites and email addresses, in lower case. */
  domains: string[];
  /** What the company does, in your own words. Null if not given. */
  @ApiProperty({ type: String, nullable: true })
  industry: string | null;
  /** The plan that the company bought from you, in your own words. Null if not given. */
  @ApiProperty({ type: String, nullable: true })
  plan: string | null;
  /** Any data that you keep about the company. */
  @ApiProperty({ type: "object", additionalProperties: true })
  attributes: object;
  /**
   * How many contacts are linked to the account. A restricted caller gets the number of those that it has access to.
   */
  @ApiProperty({ type: "integer" })
  contactCount: number;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

/** Only the given fields change. Lists and objects are replaced as a whole. */
export class UpdateAccountDto {
  /** Your own id for the company, 1 to 255 characters, unique per tenant. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "crm-42" })
  @IsOptional()
  @IsString()
  @Length(1, 255)
  externalId?: string | null;

  /** 1 to 200 characters. */
  @ApiProperty({ type: String, required: false, example: "Analytical Engines Ltd" })
  @Optional()
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

  /** Any data that you keep about the company, as a JSON object. */
  @ApiPropertyOptional({ type: "object", additionalProperties: true, example: { seats: 40 } })
  @Optional()
  @IsObject()
  attributes?: object;
}

export class CreateAccountDto extends UpdateAccountDto {
  @ApiProperty({ required: true, example: "Analytical Engines Ltd" })
  @Required()
  @IsString()
  @Length(1, 200)
  declare name: string;
}

const ACCOUNT_SORTS = namedEnum("AccountSort", "The order of a list of accounts.", ["recent", "name"]);
export type AccountSort = (typeof ACCOUNT_SORTS)[number];

export class ListAccountsDto extends PagingDto {
  /** `name`: A to Z. */
  @ApiProperty({ enum: ACCOUNT_SORTS, required: false, default: "recent" })
  @Optional()
  @IsIn(ACCOUNT_SORTS)
  sort?: AccountSort = "recent";

  /** Only the account with this `externalId`. */
  @Optional()
  @IsString()
  @Length(1, 255)
  externalId?: string;

  /** Only accounts of this industry, as it is written there. */
  @Optional()
  @IsString()
  @Length(1, 100)
  industry?: string;

  /** Only accounts with this plan, as it is written there. */
  @Optional()
  @IsString()
  @Length(1, 100)
  plan?: string;
}

export class SearchAccountsDto extends PagingDto {
  /**
   * Words of the name, or parts of a domain or of your own id, in any order, 1 to 200 characters. Each word may have
   * one typo.
   */
  @Trimmed()
  @IsString()
  @Length(1, 200)
  q: string;
}
