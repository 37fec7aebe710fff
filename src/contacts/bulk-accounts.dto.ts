import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  IsUUID,
  Length,
} from "class-validator";
import { namedEnum } from "../platform/enums/named-enum.js";
import { Trimmed } from "../platform/http/validation.js";

const ACCOUNT_CHANGES = namedEnum("AccountChangeType", "What is done with each account.", ["set", "delete"]);
export type AccountChangeType = (typeof ACCOUNT_CHANGES)[number];
const MAX_IDS = 100;

export class ChangeAccountsDto {
  /** 1 to 100. */
  @ApiProperty({ type: [String], format: "uuid", maxItems: MAX_IDS })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_IDS)
  @ArrayUnique((id) => String(id).toLowerCase())
  @IsUUID(undefined, { each: true })
  ids: string[];

  @ApiProperty({ enum: ACCOUNT_CHANGES })
  @IsIn(ACCOUNT_CHANGES)
  type: AccountChangeType;

  /** For `set`: 1 to 100 characters, or null. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 100)
  industry?: string | null;

  /** For `set`: 1 to 100 characters, or null. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 100)
  plan?: string | null;
}

@ApiSchema({ description: "An account that was not changed, and why." })
export class AccountErrorDto {
  @ApiProperty({ format: "uuid" })
  accountId: string;
  error: string;
}

@ApiSchema({ description: "What a change of many accounts did." })
export class AccountsChangedDto {
  /** How many are as you want them now. */
  @ApiProperty({ type: "integer" })
  done: number;
  /** The others. */
  errors: AccountErrorDto[];
}
