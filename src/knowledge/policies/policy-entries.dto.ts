import { applyDecorators } from "@nestjs/common";
import { ApiProperty, ApiPropertyOptional, IntersectionType, PartialType, PickType } from "@nestjs/swagger";
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
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
} from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { ImportFormatDto, ImportReportDto } from "../review/import.dto.js";
import { EditEntryDto, EntryVersionDto, NewEntryDto, ReviewedEntryDto } from "../review/reviewed-entry.dto.js";
import { type Condition, faultOf } from "./conditions.js";
import { DEMANDED_LEVELS, type DemandedLevel, type Effect, EFFECTS } from "./policy-entry.entity.js";

const AN_EFFECT = ["allow", "deny", "require_approval", "escalate"] as const;
export const TOOL = /^[A-Za-z0-9][\w.:-]{0,99}$/;
export const TOOL_MESSAGE = "must be letters, digits, _, -, . and :, at most 100 characters";
/** At most 100 names of tools, each once. */
export const ToolNames = (): PropertyDecorator =>
  applyDecorators(
    Matches(TOOL, { each: true, message: `each of tools ${TOOL_MESSAGE}` }),
    IsString({ each: true }),
    ArrayUnique(),
    ArrayMaxSize(100),
    IsArray(),
    ApiProperty({ maxItems: 100, uniqueItems: true }),
  );
export const A_CONDITION = {
  type: "object",
  additionalProperties: true,
  nullable: true,
  example: {
    all: [
      { field: "order.total", op: "gt", value: 100 },
      { not: { field: "customer.tier", op: "in", value: ["gold"] } },
    ],
  },
} as const;

/** Of the language of `conditions.ts`. */
export const IsCondition = (): PropertyDecorator =>
  ValidateBy({
    name: "isCondition",
    validator: {
      validate: (value) => faultOf(value) === undefined,
      defaultMessage: (args) => `${args?.property} ${faultOf(args?.value)}`,
    },
  });

/** What a policy says. */
class PolicyDto {
  title: string;
  /** In words, for people and for the assistant. */
  rule: string;
  @ApiProperty({ type: String, nullable: true })
  category: string | null;
  /** What becomes of a use of the tools. */
  @ApiProperty({ enum: AN_EFFECT })
  effect: Effect;
  /** The tools that it is about; none: all of them. */
  tools: string[];
  /** When it applies; null: always. */
  @ApiProperty(A_CONDITION)
  conditions: object | null;
  /** How sure it has to be who the contact is, before the tools are used. */
  @ApiProperty({ enum: DEMANDED_LEVELS, nullable: true })
  requiredAssuranceLevel: DemandedLevel | null;
  /** 0 to 1,000. Of the rules that apply, the highest decides; among equals the strictest. */
  priority: number;
}

export class PolicyEntryDto extends IntersectionType(ReviewedEntryDto, PolicyDto) {}
export class PolicyEntryVersionDto extends IntersectionType(EntryVersionDto, PolicyDto) {}

export class CreatePolicyEntryDto extends NewEntryDto {
  /** 1 to 200 characters. */
  @ApiProperty({ example: "Refunds above 100" })
  @Trimmed()
  @IsString()
  @Length(1, 200)
  title: string;

  /** In words, for people and for the assistant, 1 to 20,000 characters. Each line is found by itself. */
  @ApiProperty({ example: "A refund of more than 100 needs the approval of a person." })
  @Trimmed()
  @IsString()
  @Length(1, 20_000)
  rule: string;

  /** 1 to 100 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Refunds" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 100)
  category?: string | null;

  /** What becomes of a use of the tools. */
  @ApiProperty({ enum: AN_EFFECT, example: "require_approval" })
  @IsIn(EFFECTS)
  effect: Effect;

  /** The tools that it is about, by name, at most 100; none: all of them. */
  @ApiProperty({ type: [String], required: false, default: [], example: ["offer-refund"] })
  @Optional()
  @ToolNames()
  tools?: string[] = [];

  /**
   * When it applies, over the `context` of an evaluation; null: always. One of `{all: […]}`, `{any: […]}`, `{not: …}` and a comparison
   * `{field, op, value}`; at most 100 parts, nested at most 8 deep. A field that is missing or of another type is neither greater, less,
   * equal nor unequal: nobody can tell, and a rule for which that matters counts for the stricter side. `eq`, `ne`: a text, a number, true or false. `gt`, `gte`, `lt`, `lte`: numbers. `in`: one
   * of a list. `contains`: a list with the value, or a text with that text in it. `exists`: true (also without a value) or false.
   */
  @ApiPropertyOptional(A_CONDITION)
  @IsOptional()
  @IsCondition()
  @IsObject()
  conditions?: Condition | null;

  /** How sure it has to be who the contact is, before the tools are used. */
  @ApiProperty({ enum: DEMANDED_LEVELS, nullable: true, required: false, example: "identified" })
  @IsOptional()
  @IsIn(DEMANDED_LEVELS)
  requiredAssuranceLevel?: DemandedLevel | null;

  /** 0 to 1,000. Of the rules that apply, the highest decides; among equals the strictest. */
  @ApiProperty({ minimum: 0, maximum: 1_000, required: false, default: 100 })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(1_000)
  priority?: number = 100;
}

const EDITED = ["title", "rule", "category", "effect", "conditions", "requiredAssuranceLevel"] as const;

export class EditPolicyEntryDto extends IntersectionType(
  EditEntryDto,
  PartialType(PickType(CreatePolicyEntryDto, EDITED), { skipNullProperties: false }),
) {
  /** The tools that it is about, at most 100; they replace those there are. */
  @ApiProperty({ type: [String], required: false })
  @Optional()
  @ToolNames()
  tools?: string[];

  /** 0 to 1,000. */
  @ApiProperty({ minimum: 0, maximum: 1_000, required: false })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(1_000)
  priority?: number;
}

export class PolicyHitDto {
  entry: PolicyEntryDto;
  /** How probable it is that the entry is what was asked for, 0 to 1, by the formula of the knowledge base's search. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  confidence: number;
}

export class SimilarPolicyDto {
  entry: PolicyEntryDto;
  /** How much alike the titles are, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  likeness: number;
  /** `duplicate`: effect and rule are much the same; `contradiction`: they are not. */
  @ApiProperty({ enum: ["duplicate", "contradiction"] })
  kind: "duplicate" | "contradiction";
}

/** A policy with nearly the same title as a new one. */
export class LikelySamePolicyDto extends PickType(SimilarPolicyDto, ["likeness", "kind"] as const) {
  @ApiProperty({ format: "uuid" })
  policyEntryId: string;
  title: string;
}

export class PolicyEntryCreatedDto extends PolicyEntryDto {
  /** Likely duplicates and contradictions among the approved and pending policies of the workspace, the likest first, to be looked at; nothing is refused for them. */
  @ApiProperty({ type: [LikelySamePolicyDto] })
  similar: LikelySamePolicyDto[];
}

export class PolicyImportHintDto extends LikelySamePolicyDto {
  /** The line of the content on which the policy begins, from 1. */
  line: number;
}

export class PolicyImportReportDto extends ImportReportDto {
  /** Imported lines that likely duplicate or contradict a policy that was there, or a line before; a thousand at most. Of more than 1,000 lines only those are named that repeat a title before. */
  @ApiProperty({ type: [PolicyImportHintDto] })
  similar: PolicyImportHintDto[];
}

export class ImportPolicyEntriesDto extends ImportFormatDto {
  /**
   * At most 10,000 lines. Fields: title, rule, category, effect, tools, conditions, requiredAssuranceLevel, priority, validUntil, status. In CSV
   * several tools are separated by `|`, or they are a JSON array; conditions are JSON.
   */
  @ApiProperty({ example: "title,rule,effect,tools\nNo gift cards,Gift cards are not refunded.,deny,offer-refund" })
  @IsString()
  @Length(1, 1_000_000)
  content: string;
}
