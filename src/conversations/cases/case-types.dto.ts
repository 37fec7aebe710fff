import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsString,
  Length,
  Matches,
  ValidateNested,
} from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { FIELD_TYPES, type FieldDefinition, type FieldType } from "./case.entity.js";

@ApiSchema({ description: "A field that cases of a type have." })
export class FieldDefinitionDto implements FieldDefinition {
  /** The key of the value in a case's `fields`: a letter, then letters, digits and `_`, at most 50. */
  @ApiProperty({ example: "orderNumber" })
  @Matches(/^(?!constructor$)[a-z][a-zA-Z0-9_]{0,49}$/, {
    message: "key must be a small letter, then letters, digits and _, at most 50 characters",
  })
  key: string;

  /** 1 to 100 characters. */
  @ApiProperty({ example: "Order number" })
  @Trimmed()
  @IsString()
  @Length(1, 100)
  label: string;

  /** A `date` is a day, such as `2026-01-31`. A `select` is one of the `options`. */
  @ApiProperty({ enum: FIELD_TYPES })
  @IsIn(FIELD_TYPES)
  type: FieldType;

  /** For a `select` only: 1 to 100 different texts of 1 to 100 characters. */
  @ApiProperty({ type: [String], default: [] })
  @Optional()
  @IsArray()
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  options: string[] = [];

  /** Whether a case must have a value for this field. */
  @ApiProperty({ default: false })
  @Optional()
  @IsBoolean()
  required: boolean = false;
}

@ApiSchema({ description: "A kind of case, with its fields." })
export class CaseTypeDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** Your own unique key. */
  key: string;
  name: string;
  /** The fields that cases of this type have, in their order. */
  fields: FieldDefinitionDto[];
}

const uniqueKey = (field: FieldDefinition): unknown => (field as FieldDefinition | null)?.key;

export class CreateCaseTypeDto {
  /** Your own unique key: small letters, digits, `-` and `_`, at most 50. It cannot be changed. */
  @ApiProperty({ example: "refund" })
  @Matches(/^[a-z0-9][a-z0-9_-]{0,49}$/, {
    message: "key must be small letters, digits, - and _, at most 50 characters",
  })
  key: string;

  /** 1 to 100 characters. */
  @ApiProperty({ example: "Refund" })
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name: string;

  /** At most 50. Each has its own key. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique(uniqueKey, { message: "each of fields must have a key of its own" })
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => FieldDefinitionDto)
  fields?: FieldDefinitionDto[] = [];
}

export class UpdateCaseTypeDto {
  /** 1 to 100 characters. */
  @ApiProperty({ required: false })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name?: string;

  /**
   * Replaces the whole list. Existing cases keep their values. They are checked again when the fields of a case are
   * next written.
   */
  @Optional()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique(uniqueKey, { message: "each of fields must have a key of its own" })
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => FieldDefinitionDto)
  fields?: FieldDefinitionDto[];
}
