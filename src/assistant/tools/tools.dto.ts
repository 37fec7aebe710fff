import { applyDecorators } from "@nestjs/common";
import { ApiProperty, ApiPropertyOptional, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
} from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { faultOf } from "./argument-schema.js";
import { TOOL_EFFECTS, type ToolEffect } from "./tool.entity.js";

const PARAMETERS = {
  type: "object",
  additionalProperties: true,
  example: {
    type: "object",
    properties: {
      orderId: { type: "string", pattern: "^#W\\d{7}$" },
      amount: { type: "number", exclusiveMinimum: 0 },
      customerId: { type: "string", "x-bound": "contact.externalId" },
    },
    required: ["orderId", "amount", "customerId"],
    additionalProperties: false,
  },
} as const;
const NAME = /^[a-z][a-z0-9_-]{0,63}$/i;

const IsSchema = (): PropertyDecorator =>
  ValidateBy({
    name: "isArgumentSchema",
    validator: {
      validate: (value) => faultOf(value) === undefined,
      defaultMessage: (args) => `parameters ${faultOf(args?.value)}`,
    },
  });

const PATH = /^[\w-]{1,50}(\.[\w-]{1,50}){0,9}$/;
const Paths = (): PropertyDecorator =>
  applyDecorators(
    Matches(PATH, {
      each: true,
      message: "each of publicFields must be names of letters, digits, _ and - with dots between",
    }),
    IsString({ each: true }),
    ArrayUnique(),
    ArrayMaxSize(50),
    IsArray(),
    ApiProperty({ maxItems: 50, uniqueItems: true, example: ["status"] }),
  );

@ApiSchema({ description: "What a tool asks for." })
export class ToolCredentialsDto {
  /** Sent as the `Authorization` header: 1 to 4,000 visible ASCII characters and spaces. */
  @ApiProperty({ writeOnly: true, example: "Bearer …" })
  @IsString()
  @Length(1, 4_000)
  @Matches(/^[\x20-\x7e]*$/, { message: "authorization must be visible ASCII characters and spaces" })
  authorization: string;
}

@ApiSchema({ description: "An endpoint of yours that agents can use." })
export class ToolDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  /** Unique in the workspace. Agents and policies name the tool so. */
  @ApiProperty({ example: "refund_order" })
  name: string;
  /** What the tool does, for the model. */
  description: string;
  /** JSON Schema of the arguments. */
  @ApiProperty(PARAMETERS)
  parameters: object;
  /** Whether a call changes something. */
  @ApiProperty({ enum: TOOL_EFFECTS })
  effect: ToolEffect;
  /** What is called. */
  @ApiProperty({ example: "https://shop.example.com/tools/refund" })
  url: string;
  /** Whether credentials are stored. They are never returned. */
  hasCredentials: boolean;
  /** Whether two calls with the same `Idempotency-Key` have one effect. */
  idempotent: boolean;
  /** What is asked whether a call was carried out, if its answer was lost. Null if nothing is. */
  @ApiProperty({ type: String, nullable: true })
  statusUrl: string | null;
  /** Paths of the values in an answer that the contact may read. The rest is for the model alone. */
  @ApiProperty({ example: ["status"] })
  publicFields: string[];
  /** How long a call may take: 1 to 30. */
  timeoutSeconds: number;
  /** How long people have to approve a call: 1 to 168. */
  expiresAfterHours: number;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class CreateToolDto {
  /** Letters, digits, `_` and `-`, 1 to 64 characters, a letter first. Unique in the workspace, and none of Parley's own tools. */
  @ApiProperty({ example: "refund_order" })
  @Matches(NAME, { message: "name must be letters, digits, _ and -, at most 64 characters, a letter first" })
  name: string;

  /** What the tool does, for the model, 1 to 1,000 characters. */
  @ApiProperty({ example: "Refunds an order of the customer" })
  @Trimmed()
  @IsString()
  @Length(1, 1_000)
  description: string;

  /**
   * JSON Schema of the arguments, of the type `object`, at most 16 KiB. A property with `x-bound` is filled in by the server and
   * never shown to the model: `contact.id`, `contact.externalId`, `contact.email`, `contact.phone` or `conversation.id`. A
   * `pattern` has no groups and at most one piece whose length varies, so that it is matched in one pass.
   */
  @ApiProperty(PARAMETERS)
  @IsSchema()
  @IsObject()
  parameters: object;

  /** `write` if a call changes something. */
  @ApiProperty({ enum: TOOL_EFFECTS })
  @IsIn(TOOL_EFFECTS)
  effect: ToolEffect;

  /** An https address on the public internet, at most 2,000 characters. It gets a POST with JSON. */
  @ApiProperty({ example: "https://shop.example.com/tools/refund" })
  @IsString()
  @Length(1, 2_000)
  url: string;

  /** What the tool asks for. They are never returned. */
  @ApiProperty({ type: ToolCredentialsDto, nullable: true, required: false, writeOnly: true, default: null })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => ToolCredentialsDto)
  credentials?: ToolCredentialsDto | null = null;

  /** True if two calls with the same `Idempotency-Key` have one effect. */
  @Optional()
  @IsBoolean()
  idempotent?: boolean = false;

  /** On the same host as `url`. It is asked whether a call was carried out, if its answer was lost. */
  @ApiProperty({ type: String, nullable: true, required: false, default: null })
  @IsOptional()
  @IsString()
  @Length(1, 2_000)
  statusUrl?: string | null = null;

  /** Paths of the values in an answer that the contact may read. Lists are passed through. */
  @Optional()
  @Paths()
  publicFields?: string[] = [];

  /** How long a call may take, in seconds: 1 to 30. */
  @ApiProperty({ minimum: 1, maximum: 30, default: 10, required: false })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(30)
  timeoutSeconds?: number = 10;

  /** How long people have to approve a call: 1 to 168 hours. */
  @ApiProperty({ minimum: 1, maximum: 168, default: 24, required: false })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(168)
  expiresAfterHours?: number = 24;
}

/** Fields that are left out stay as they are. */
export class UpdateToolDto {
  /** What the tool does, for the model, 1 to 1,000 characters. */
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 1_000)
  description?: string;

  /** JSON Schema of the arguments, as for a new tool. */
  @ApiPropertyOptional(PARAMETERS)
  @Optional()
  @IsSchema()
  @IsObject()
  parameters?: object;

  /** `write` if a call changes something. */
  @ApiProperty({ enum: TOOL_EFFECTS, required: false })
  @Optional()
  @IsIn(TOOL_EFFECTS)
  effect?: ToolEffect;

  /** An https address. If its host changes, stored credentials are dropped. */
  @Optional()
  @IsString()
  @Length(1, 2_000)
  url?: string;

  /** Null removes them. */
  @ApiProperty({ type: ToolCredentialsDto, nullable: true, required: false, writeOnly: true })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => ToolCredentialsDto)
  credentials?: ToolCredentialsDto | null;

  /** True if two calls with the same `Idempotency-Key` have one effect. */
  @Optional()
  @IsBoolean()
  idempotent?: boolean;

  /** On the same host as `url`; null removes it. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @IsString()
  @Length(1, 2_000)
  statusUrl?: string | null;

  /** Paths of the values in an answer that the contact may read. */
  @Optional()
  @Paths()
  publicFields?: string[];

  /** How long a call may take, in seconds: 1 to 30. */
  @ApiProperty({ minimum: 1, maximum: 30, required: false })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(30)
  timeoutSeconds?: number;

  /** How long people have to approve a call: 1 to 168 hours. */
  @ApiProperty({ minimum: 1, maximum: 168, required: false })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(168)
  expiresAfterHours?: number;
}
