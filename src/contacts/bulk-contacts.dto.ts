import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsString, IsUUID, Length } from "class-validator";
import { namedEnum } from "../platform/enums/named-enum.js";
import { Optional } from "../platform/http/validation.js";
import { MAX_LABELS } from "./contacts.dto.js";

const CONTACT_CHANGES = namedEnum("ContactChangeType", "What is done with each contact.", [
  "label",
  "link",
  "unlink",
  "block",
  "unblock",
]);
export type ContactChangeType = (typeof CONTACT_CHANGES)[number];
const MAX_IDS = 100;

export class ChangeContactsDto {
  /** 1 to 100. */
  @ApiProperty({ type: [String], format: "uuid", maxItems: MAX_IDS })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_IDS)
  @ArrayUnique((id) => String(id).toLowerCase())
  @IsUUID(undefined, { each: true })
  ids: string[];

  @ApiProperty({ enum: CONTACT_CHANGES })
  @IsIn(CONTACT_CHANGES)
  type: ContactChangeType;

  /** For `label`: at most 50. */
  @ApiProperty({ type: [String], required: false })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_LABELS)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  add?: string[];

  /** For `label`: at most 50. */
  @ApiProperty({ type: [String], required: false })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_LABELS)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  remove?: string[];

  /** For `link`. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  accountId?: string;
}

@ApiSchema({ description: "A contact that was not changed, and why." })
export class ContactErrorDto {
  @ApiProperty({ format: "uuid" })
  contactId: string;
  error: string;
}

@ApiSchema({ description: "What a change of many contacts did." })
export class ContactsChangedDto {
  /** How many are as you want them now. */
  @ApiProperty({ type: "integer" })
  done: number;
  /** The others. */
  errors: ContactErrorDto[];
}
