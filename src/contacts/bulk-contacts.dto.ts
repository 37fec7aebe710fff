import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsObject,
  IsString,
  IsUUID,
  Length,
  ValidateNested,
} from "class-validator";
import { namedEnum } from "../platform/enums/named-enum.js";
import { Optional } from "../platform/http/validation.js";
import { MAX_LABELS } from "./contacts.dto.js";

const CONTACT_CHANGES = namedEnum("ContactChangeType", "What a bulk action does with each contact.", [
  "label",
  "link",
  "unlink",
  "block",
  "unblock",
]);
export type ContactChangeType = (typeof CONTACT_CHANGES)[number];
const MAX_IDS = 100;

@ApiSchema({ description: "Which contacts a bulk action changes." })
export class ContactBulkFilterDto {
  /** 1 to 100. */
  @ApiProperty({ type: [String], format: "uuid", maxItems: MAX_IDS })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_IDS)
  @ArrayUnique()
  @IsUUID(undefined, { each: true })
  ids: string[];
}

@ApiSchema({ description: "What a bulk action does with each contact." })
export class ContactBulkChangeDto {
  @ApiProperty({ enum: CONTACT_CHANGES })
  @IsIn(CONTACT_CHANGES)
  type: ContactChangeType;

  /** For `label`: labels to add. At most 50, each 1 to 100 characters. */
  @ApiProperty({ type: [String], required: false })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_LABELS)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  add?: string[];

  /** For `label`: labels to remove. At most 50, and none of `add`. */
  @ApiProperty({ type: [String], required: false })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_LABELS)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  remove?: string[];

  /** For `link`: the account. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  accountId?: string;
}

export class CreateContactBulkActionDto {
  @IsObject()
  @ValidateNested()
  @Type(() => ContactBulkFilterDto)
  filter: ContactBulkFilterDto;

  @IsObject()
  @ValidateNested()
  @Type(() => ContactBulkChangeDto)
  action: ContactBulkChangeDto;
}

@ApiSchema({ description: "A contact that a bulk action could not change." })
export class ContactBulkErrorDto {
  @ApiProperty({ format: "uuid" })
  contactId: string;
  error: string;
}

@ApiSchema({ description: "What a bulk action of contacts did." })
export class ContactBulkResultDto {
  @ApiProperty({ type: "integer" })
  total: number;
  /** How many were changed, or were as you want them already. */
  @ApiProperty({ type: "integer" })
  done: number;
  @ApiProperty({ type: "integer" })
  failed: number;
  /** Those that could not be changed, each with the reason. */
  errors: ContactBulkErrorDto[];
}
