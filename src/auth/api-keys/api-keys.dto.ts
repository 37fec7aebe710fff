import { applyDecorators } from "@nestjs/common";
import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from "class-validator";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { Instant, Optional } from "../../platform/http/validation.js";
import { type Environment, ENVIRONMENTS } from "../../platform/caller/caller.js";
import { type Scope, SCOPES } from "../../platform/caller/scope.js";

const API_KEY_STATUSES = namedEnum("ApiKeyStatus", "Whether an API key works.", ["active", "expired", "revoked"]);
const LEVELS = namedEnum("DataScopeLevel", "What an API key is restricted to.", ["organisation", "brand", "workspace"]);
type Level = (typeof LEVELS)[number];

/** An id that is required at this level and refused at the others. */
const OnlyAtLevel = (level: Level): PropertyDecorator =>
  applyDecorators(
    ValidateIf((scope: DataScopeDto, id: unknown) => scope.level === level || (id !== undefined && id !== null)),
    IsUUID(),
    ValidateBy({
      name: "onlyAtLevel",
      validator: {
        validate: (_, args) => (args!.object as DataScopeDto).level === level,
        defaultMessage: () => `$property is only allowed with level ${level}`,
      },
    }),
  );

@ApiSchema({ description: "What an API key is restricted to: nothing, one brand or one workspace." })
export class DataScopeDto {
  /** What the key can see: the whole organisation, the workspaces of one brand, or one workspace. */
  @ApiProperty({ enum: LEVELS })
  @IsIn(LEVELS)
  level: Level;

  /** The brand at level `brand`; otherwise null. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @OnlyAtLevel("brand")
  brandId?: string | null;

  /** The workspace at level `workspace`; otherwise null. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @OnlyAtLevel("workspace")
  workspaceId?: string | null;
}

export class CreateApiKeyDto {
  /** What the key is for, 1 to 200 characters. */
  @ApiProperty({ example: "CRM synchronisation" })
  @IsString()
  @Length(1, 200)
  name: string;

  /** What the key may do. At least one scope. */
  @ApiProperty({ enum: SCOPES, isArray: true, example: ["conversations:read", "conversations:write"] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @ArrayMaxSize(SCOPES.length)
  @IsIn(SCOPES, { each: true })
  scopes: Scope[];

  /** Default: the whole organisation. */
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => DataScopeDto)
  dataScope?: DataScopeDto;

  /** When the key expires. ISO 8601, in the future. Default: never. */
  @ApiProperty({ type: String, format: "date-time", required: false, nullable: true })
  @IsOptional()
  @Instant()
  expiresAt?: string | null;
}

export class UpdateApiKeyDto {
  /** What the key is for, 1 to 200 characters. */
  @Optional()
  @IsString()
  @Length(1, 200)
  name?: string;

  /** Replaces the scopes of an active key. At least one. */
  @ApiProperty({ enum: SCOPES, isArray: true, example: ["conversations:read"], required: false })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @ArrayMaxSize(SCOPES.length)
  @IsIn(SCOPES, { each: true })
  scopes?: Scope[];

  /** Changes when an active key expires. ISO 8601, in the future; null: never. */
  @ApiProperty({ type: String, format: "date-time", required: false, nullable: true })
  @IsOptional()
  @Instant()
  expiresAt?: string | null;
}

export class RotateApiKeyDto {
  /** How many hours the old key stays valid, 0 to 168. */
  @Optional()
  @IsInt()
  @Min(0)
  @Max(168)
  overlapHours?: number = 24;
}

@ApiSchema({ description: "An API key, without the key itself." })
export class ApiKeyDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  name: string;
  /** The first characters of the key, so that you recognise it. */
  @ApiProperty({ example: "svc_live_v1_4fTq" })
  prefix: string;
  @ApiProperty({ enum: ENVIRONMENTS })
  environment: Environment;
  /** What the key may do. */
  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: Scope[];
  dataScope: DataScopeDto;
  @ApiProperty({ enum: API_KEY_STATUSES })
  status: (typeof API_KEY_STATUSES)[number];
  /** When the key expires. Null: never. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  expiresAt: string | null;
  /** When the key was last used, to about a second. Null until then. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  lastUsedAt: string | null;
  /** The member who created the key; null for keys that were created with the tenant. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  createdBy: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}

@ApiSchema({ description: "An API key with the key itself, which is shown this once." })
export class NewApiKeyDto extends ApiKeyDto {
  /** The raw key. It is in this answer and is never shown again. */
  @ApiProperty({ example: "svc_live_v1_4fTqXAMPLExampleExampleExample0AbCdEf" })
  key: string;
}
