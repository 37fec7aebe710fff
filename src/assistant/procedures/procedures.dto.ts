import { ApiProperty, ApiPropertyOptional, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsISO6391,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  ValidateBy,
  ValidateNested,
} from "class-validator";
import { ASSURANCE_LEVELS, type AssuranceLevel, DEMANDED_LEVELS } from "../../conversations/assurance-level.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { isObject } from "../tools/argument-schema.js";
import { faultOfSteps } from "./definition-check.js";
import { OPERATORS, PROCEDURE_STEPS, SLOT_KINDS, type Step } from "./definition.js";
import { DEEDS } from "./engine.js";
import {
  PROCEDURE_ENDINGS,
  PROCEDURE_STATUSES,
  type ProcedureEnding,
  type ProcedureStatus,
} from "./procedure.entity.js";

const SCALARS = [{ type: "string" }, { type: "number" }, { type: "boolean" }];
const ANY = { type: "object", additionalProperties: true } as const;
const AN_EXAMPLE = [
  {
    id: "order_id",
    type: "ask",
    text: "Which order shall I cancel?",
    why: "The number tells me which order you mean.",
    slot: { kind: "pattern", pattern: "#W0000000" },
  },
  { id: "sure", type: "confirm", text: "Shall I cancel the order {order_id}?" },
  { id: "cancelled", type: "call", tool: "cancel_order", arguments: { orderId: "{order_id}" } },
  { id: "done", type: "say", text: "Your order {order_id} is cancelled." },
];

export const IsSteps = (): PropertyDecorator =>
  ValidateBy({
    name: "isSteps",
    validator: {
      validate: (value) => faultOfSteps(value) === undefined,
      defaultMessage: (args) => `steps ${faultOfSteps(args?.value)}`,
    },
  });

@ApiSchema({ description: "How two values are compared." })
export class ProcedureConditionDto {
  /** A value by its step, and the fields below it: `order.status`. */
  @ApiProperty({ example: "order.status" })
  value: string;
  @ApiProperty({ enum: OPERATORS })
  op: (typeof OPERATORS)[number];
  /** A text, a number, a boolean, or for `one_of` a list. `{order.total}` stands for a value. */
  @ApiProperty({
    oneOf: [...SCALARS, { type: "array", items: { oneOf: SCALARS } }],
    required: false,
    example: "pending",
  })
  to?: unknown;
}

@ApiSchema({ description: "One of the things that a contact may choose." })
export class ProcedureOptionDto {
  /** What the value is then: a text, a number or a boolean. */
  @ApiProperty({ oneOf: SCALARS, example: "ordered by mistake" })
  value: unknown;
  /** As the contact reads it. */
  @ApiProperty({ example: "I ordered it by mistake" })
  label: string;
  /** Other words for it, at most 20. */
  @ApiProperty({ required: false, example: ["mistake"] })
  synonyms?: string[];
}

@ApiSchema({ description: "What a contact is asked for." })
export class ProcedureSlotDto {
  @ApiProperty({ enum: SLOT_KINDS })
  kind: (typeof SLOT_KINDS)[number];
  /** For `text`: how long it may be, at most 2,000 characters. */
  @ApiProperty({ required: false })
  maxLength?: number;
  /** For `number`: the least, a whole number. */
  @ApiProperty({ required: false })
  min?: number;
  /** For `number`: the most, a whole number. */
  @ApiProperty({ required: false })
  max?: number;
  /** For `pattern`: `0` is a digit, `A` a letter, all else itself. */
  @ApiProperty({ required: false, example: "#W0000000" })
  pattern?: string;
  /** For `choice`: what there is to choose, at most 50. */
  @ApiProperty({ type: [ProcedureOptionDto], required: false })
  options?: ProcedureOptionDto[];
  /** For `choice`, instead of `options`: where a tool's answer has a list, or an object, of things. */
  @ApiProperty({ required: false, example: "order.items" })
  from?: string;
  /** With `from`: the field of each thing that is its value. Without it: the thing itself. */
  @ApiProperty({ required: false, example: "id" })
  value?: string;
  /** With `from`: how the contact reads each thing. */
  @ApiProperty({ required: false, example: "{item.name}" })
  label?: string;
  /** With `from`: only things of which all of this holds, at most 10 conditions. */
  @ApiProperty({ type: [ProcedureConditionDto], required: false })
  where?: ProcedureConditionDto[];
  /** For `choice` and `pattern`: whether the contact may name several. */
  @ApiProperty({ required: false })
  many?: boolean;
}

@ApiSchema({ description: "A case of a branch." })
export class ProcedureCaseDto {
  /** All of these hold, at most 10. */
  @ApiProperty({ type: [ProcedureConditionDto] })
  when: ProcedureConditionDto[];
  /** The step that comes then. */
  next: string;
}

@ApiSchema({ description: "A step of a procedure. Each type has its own fields." })
export class ProcedureStepDto {
  /** Letters, digits, `_` and `-`, at most 40 characters, a letter first. What is asked or answered here has this name: `{order_id}`. */
  @ApiProperty({ example: "order_id" })
  id: string;
  @ApiProperty({ enum: PROCEDURE_STEPS })
  type: (typeof PROCEDURE_STEPS)[number];
  /** The step that comes after it. Without it: the next in the list. */
  @ApiProperty({ required: false })
  next?: string;
  /** For `ask`, `say`, `confirm` and `hand_over`: what the contact reads. `{order_id}` and `{order.status}` stand for values. */
  @ApiProperty({ required: false })
  text?: string;
  /** For `ask` and `confirm`: the answer to "what do you need it for?". */
  @ApiProperty({ required: false })
  why?: string;
  /** For `ask`: the value. */
  @ApiProperty({ type: ProcedureSlotDto, required: false })
  slot?: ProcedureSlotDto;
  /** For `ask`: what has to hold for the value, at most 10 conditions. */
  @ApiProperty({ type: [ProcedureConditionDto], required: false })
  check?: ProcedureConditionDto[];
  /** For `ask`: what the contact reads if it does not. */
  @ApiProperty({ required: false })
  wrong?: string;
  /** For `ask` and `call`: a step whose slot has `many`. This one is taken for each of its values, which is `{each}` then. */
  @ApiProperty({ required: false })
  each?: string;
  /** For `say`, instead of `text`: an approved entry. */
  @ApiProperty({ format: "uuid", required: false })
  entryId?: string;
  /** For `require_level`: how well the contact's identity must be proven. */
  @ApiProperty({ enum: DEMANDED_LEVELS, required: false })
  level?: (typeof DEMANDED_LEVELS)[number];
  /** For `call`: the tool, by its name. */
  @ApiProperty({ required: false, example: "cancel_order" })
  tool?: string;
  /** For `call`: the arguments. What the tool has bound with `x-bound` is left out. */
  @ApiPropertyOptional({ ...ANY, example: { orderId: "{order_id}" } })
  arguments?: object;
  /** For `call`: the step after a failure. For `confirm`: the step after a no. Without it, people take over, or the contact is asked what should be different. */
  @ApiProperty({ required: false })
  otherwise?: string;
  /** For `branch`, at most 20: the first case that holds decides, and `next` if none does. */
  @ApiProperty({ type: [ProcedureCaseDto], required: false })
  cases?: ProcedureCaseDto[];
}

@ApiSchema({ description: "What lets a procedure begin." })
export class ProcedureStartDto {
  /** Approved entries: where one of them would answer, the procedure begins. At most 20. */
  @ApiProperty({ type: [String], format: "uuid", maxItems: 20, uniqueItems: true })
  @IsUUID(undefined, { each: true })
  @ArrayUnique()
  @ArrayMaxSize(20)
  @IsArray()
  entries: string[];

  /** Words that a message has in this order, with few others between: at most 50 phrases of 100 characters. */
  @ApiProperty({ type: [String], maxItems: 50, uniqueItems: true, example: ["cancel my order"] })
  @Length(1, 100, { each: true })
  @IsString({ each: true })
  @ArrayUnique()
  @ArrayMaxSize(50)
  @IsArray()
  phrases: string[];
}

@ApiSchema({ description: "Steps that the assistant takes with a contact, without a language model." })
export class ProcedureDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  /** The agent that takes the steps. */
  @ApiProperty({ format: "uuid" })
  agentId: string;
  /** Unique in the workspace. */
  name: string;
  /** A change of the steps raises it. What has begun goes on with its own version. */
  version: number;
  @ApiProperty({ enum: PROCEDURE_STATUSES })
  status: ProcedureStatus;
  startsWith: ProcedureStartDto;
  @ApiProperty({ type: [ProcedureStepDto], example: AN_EXAMPLE })
  steps: ProcedureStepDto[];
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class CreateProcedureDto {
  /** An agent that works in the workspace. It needs the tools that the steps call. Without it: the agent that answers there now. */
  @ApiPropertyOptional({ format: "uuid" })
  @Optional()
  @IsUUID()
  agentId?: string;

  /** 1 to 100 characters. Unique in the workspace. */
  @ApiProperty({ example: "Cancel an order" })
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name: string;

  /** Only an active procedure begins. */
  @ApiProperty({ enum: PROCEDURE_STATUSES, required: false, default: "draft" })
  @Optional()
  @IsIn(PROCEDURE_STATUSES)
  status?: ProcedureStatus = "draft";

  /** What lets it begin. */
  @ApiProperty({ type: ProcedureStartDto })
  @IsObject()
  @ValidateNested()
  @Type(() => ProcedureStartDto)
  startsWith: ProcedureStartDto;

  /** 1 to 50 steps, 64 KiB of JSON. A way back leads past a step that asks. */
  @ApiProperty({ type: [ProcedureStepDto], minItems: 1, maxItems: 50, example: AN_EXAMPLE })
  @IsSteps()
  steps: Step[];
}

/** Fields that are left out stay as they are. */
export class UpdateProcedureDto {
  /** 1 to 100 characters. Unique in the workspace. */
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name?: string;

  /** Only an active procedure begins. What has begun goes on. */
  @ApiProperty({ enum: PROCEDURE_STATUSES, required: false })
  @Optional()
  @IsIn(PROCEDURE_STATUSES)
  status?: ProcedureStatus;

  /** What lets it begin. */
  @ApiPropertyOptional({ type: ProcedureStartDto })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => ProcedureStartDto)
  startsWith?: ProcedureStartDto;

  /** All steps, as for a new procedure. */
  @ApiPropertyOptional({ type: [ProcedureStepDto], minItems: 1, maxItems: 50 })
  @Optional()
  @IsSteps()
  steps?: Step[];
}

const MAX_RESULTS = 50;
const MAX_RESULT_BYTES = 262_144;
/** What the tools would answer: small enough to be looked through at once. */
const IsResults = (): PropertyDecorator =>
  ValidateBy({
    name: "isResults",
    validator: {
      validate: (value) =>
        isObject(value) &&
        Object.keys(value).length <= MAX_RESULTS &&
        Buffer.byteLength(JSON.stringify(value)) <= MAX_RESULT_BYTES,
      defaultMessage: () => `results must be an object of at most ${MAX_RESULTS} answers and 256 KiB of JSON`,
    },
  });

export class TryProcedureDto {
  /** What the contact writes, one message after the other: at most 50, of at most 2,000 characters. */
  @ApiProperty({ type: [String], maxItems: 50, example: ["I want to cancel my order #W1234567", "yes"] })
  @Length(1, 2_000, { each: true })
  @IsString({ each: true })
  @ArrayMaxSize(50)
  @IsArray()
  messages: string[];

  /** What the tools answer, by the step that calls. A step with `each` takes a list. `{"error": "…"}` is a failure. What is missing is null. */
  @ApiPropertyOptional({ ...ANY, default: {}, example: { cancelled: { ok: true } } })
  @Optional()
  @IsResults()
  results?: Record<string, unknown> = {};

  /** How well the contact's identity is proven. */
  @ApiProperty({ enum: ASSURANCE_LEVELS, required: false, default: "none" })
  @Optional()
  @IsIn(ASSURANCE_LEVELS)
  level?: AssuranceLevel = "none";

  /** The contact's language, ISO 639-1. Null: the workspace's. */
  @ApiProperty({ type: String, nullable: true, required: false, default: null })
  @IsOptional()
  @IsISO6391()
  @Length(2, 2)
  language?: string | null = null;

  /** Steps that are not saved yet, at most 50. Null: the procedure's. */
  @ApiProperty({ type: [ProcedureStepDto], nullable: true, required: false, default: null })
  @IsOptional()
  @IsSteps()
  steps?: Step[] | null = null;
}

@ApiSchema({ description: "What happened at a step." })
export class ProcedureStepDidDto {
  /** The step, by its id. */
  step: string;
  @ApiProperty({ enum: PROCEDURE_STEPS })
  type: (typeof PROCEDURE_STEPS)[number];
  @ApiProperty({ enum: DEEDS })
  did: (typeof DEEDS)[number];
}
@ApiSchema({ description: "A tool that would be called." })
export class ProcedureCallDto {
  /** The step, by its id. */
  step: string;
  /** The tool, by its name. */
  tool: string;
  /** Without what the tool has bound with `x-bound`. */
  @ApiProperty(ANY)
  arguments: object;
}
@ApiSchema({ description: "What would follow from one message." })
export class ProcedureTurnDto {
  /** What the contact wrote. */
  message: string;
  /** What the contact would read. Null if nothing. */
  @ApiProperty({ type: String, nullable: true })
  says: string | null;
  @ApiProperty({ type: [ProcedureStepDidDto] })
  did: ProcedureStepDidDto[];
  @ApiProperty({ type: [ProcedureCallDto] })
  calls: ProcedureCallDto[];
}
@ApiSchema({ description: "How a procedure would go." })
export class TriedProcedureDto {
  @ApiProperty({ type: [ProcedureTurnDto] })
  turns: ProcedureTurnDto[];
  /** The values that the contact has given, by step. */
  @ApiProperty(ANY)
  values: object;
  /** How it ended. Null if it goes on. */
  @ApiProperty({ enum: PROCEDURE_ENDINGS, nullable: true })
  ending: ProcedureEnding | null;
  /** The step that the contact is asked at, or has to prove who they are for. Null if it ended. */
  @ApiProperty({ type: String, nullable: true })
  waitsAt: string | null;
  /** Why people would take over. Null if they would not. */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;
}
