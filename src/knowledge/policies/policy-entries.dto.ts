import { applyDecorators } from "@nestjs/common";
import { ApiProperty, ApiPropertyOptional, ApiSchema, IntersectionType, PartialType, PickType } from "@nestjs/swagger";
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
import { DEMANDED_LEVELS, type DemandedLevel } from "../../conversations/assurance-level.js";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { ImportFormatDto, ImportReportDto } from "../review/import.dto.js";
import {
  EditEntryDto,
  EntryVersionDto,
  NewEntryDto,
  ReviewedEntryDto,
  SIMILARITY_KINDS,
  type SimilarityKind,
} from "../review/reviewed-entry.dto.js";
import { type Condition, faultOf } from "./conditions.js";
import { type Effect, EFFECTS } from "./policy-entry.entity.js";

const AN_EFFECT = namedEnum("PolicyEffect", "What a policy does when it applies.", [
  "allow",
  "deny",
  "require_approval",
  "escalate",
]);
export const TOOL = /^[A-Za-z0-9][\w.:-]{0,99}$/;
export const TOOL_MESSAGE = "must be letters, digits, _, -, . and :, at most 100 characters";
/** At most 100 different tool names. */
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

/** A condition in the language of `conditions.ts`. */
export const IsCondition = (): PropertyDecorator =>
  ValidateBy({
    name: "isCondition",
    validator: {
      validate: (value) => faultOf(value) === undefined,
      defaultMessage: (args) => `${args?.property} ${faultOf(args?.value)}`,
    },
  });

/** The content of a policy. */
class PolicyDto {
  /** A short name of the rule. */
  title: string;
  /** The rule in words, for people and for the assistant. */
  rule: string;
  /** What the policy is about, in your own words. Null if not given. */
  @ApiProperty({ type: String, nullable: true })
  category: string | null;
  /** What happens when one of the tools is to be used. */
  @ApiProperty({ enum: AN_EFFECT })
  effect: Effect;
  /** The tools that the policy is about. An empty list means all tools. */
  tools: string[];
  /** When the policy applies. Null means always. */
  @ApiProperty(A_CONDITION)
  conditions: object | null;
  /** How well the contact's identity must be proven before the tools are used. Null: it need not be. */
  @ApiProperty({ enum: DEMANDED_LEVELS, nullable: true })
  requiredAssuranceLevel: DemandedLevel | null;
  /**
   * 0 to 1,000. Of the rules that apply, the one with the highest priority decides. Among equal priorities the
   * strictest decides.
   */
  priority: number;
}

@ApiSchema({ description: "A rule about what the assistant may do." })
export class PolicyEntryDto extends IntersectionType(ReviewedEntryDto, PolicyDto) {}
@ApiSchema({ description: "A policy as it was after one edit." })
export class PolicyEntryVersionDto extends IntersectionType(EntryVersionDto, PolicyDto) {}

export class CreatePolicyEntryDto extends NewEntryDto {
  /** 1 to 200 characters. */
  @ApiProperty({ example: "Refunds above 100" })
  @IsString()
  @Length(1, 200)
  title: string;

  /**
   * The rule in words, for people and for the assistant, 1 to 20,000 characters. Search finds each line separately.
   */
  @ApiProperty({ example: "A refund of more than 100 needs the approval of a person." })
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

  /** What happens when one of the tools is to be used. */
  @ApiProperty({ enum: AN_EFFECT, example: "require_approval" })
  @IsIn(EFFECTS)
  effect: Effect;

  /** The names of the tools that the policy is about, at most 100. An empty list means all tools. */
  @ApiProperty({ type: [String], required: false, default: [], example: ["offer-refund"] })
  @Optional()
  @ToolNames()
  tools?: string[] = [];

  /**
   * When the policy applies, checked against the `context` of an evaluation. Null means always. A condition is one of
   * `{all: […]}`, `{any: […]}`, `{not: …}` or a comparison `{field, op, value}`. It has at most 100 parts, nested at
   * most 8 deep.
   *
   * The operators: `eq` and `ne` compare with a text, a number, true or false. `gt`, `gte`, `lt` and `lte` compare
   * with a number. `in` takes a list that must contain the field's value. `contains` matches a list with the value,
   * or a text that contains the text. `exists` takes true (the default) or false.
   *
   * `done.<tool>.count.24h` and `done.<tool>.sum.<argument>.24h` are what was done for the contact, with this call.
   *
   * If a field is missing or has another type, the result of its comparison is unknown. `exists: true` is false for a
   * missing field. If the result of a rule is unknown, the stricter outcome counts.
   */
  @ApiPropertyOptional(A_CONDITION)
  @IsOptional()
  @IsCondition()
  @IsObject()
  conditions?: Condition | null;

  /** How well the contact's identity must be proven before the tools are used. Null: it need not be. */
  @ApiProperty({ enum: DEMANDED_LEVELS, nullable: true, required: false, example: "identified" })
  @IsOptional()
  @IsIn(DEMANDED_LEVELS)
  requiredAssuranceLevel?: DemandedLevel | null;

  /**
   * 0 to 1,000. Of the rules that apply, the one with the highest priority decides. Among equal priorities the
   * strictest decides.
   */
  @ApiProperty({ minimum: 0, maximum: 1_000, required: false, default: 100 })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(1_000)
  priority?: number = 100;
}

const EDITED = ["title", "rule", "category", "effect", "requiredAssuranceLevel"] as const;

export class UpdatePolicyEntryDto extends IntersectionType(
  EditEntryDto,
  PartialType(PickType(CreatePolicyEntryDto, EDITED), { skipNullProperties: false }),
) {
  /** The tools that the policy is about, at most 100. Replaces the existing list. */
  @ApiProperty({ type: [String], required: false })
  @Optional()
  @ToolNames()
  tools?: string[];

  /** When the policy applies, written as for a new one. Null means always. */
  @ApiPropertyOptional(A_CONDITION)
  @IsOptional()
  @IsCondition()
  @IsObject()
  conditions?: Condition | null;

  /** 0 to 1,000. */
  @ApiProperty({ minimum: 0, maximum: 1_000, required: false })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(1_000)
  priority?: number;
}

@ApiSchema({ description: "A policy that a search found, and how sure the match is." })
export class FoundPolicyEntryDto {
  /** The policy that was found. */
  entry: PolicyEntryDto;
  /** How likely the entry is what was asked for, 0 to 1. Uses the same formula as the knowledge base search. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  confidence: number;
}

@ApiSchema({ description: "A policy with nearly the same title." })
export class SimilarPolicyEntryDto {
  /** The other policy. */
  entry: PolicyEntryDto;
  /** How similar the titles are, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  likeness: number;
  /** `duplicate`: effect and rule are nearly the same. `contradiction`: they differ. */
  @ApiProperty({ enum: SIMILARITY_KINDS })
  kind: SimilarityKind;
}

/** A policy with nearly the same title as a new one. */
@ApiSchema({ description: "A policy that is like the new one." })
export class LikelySamePolicyEntryDto extends PickType(SimilarPolicyEntryDto, ["likeness", "kind"] as const) {
  @ApiProperty({ format: "uuid" })
  policyEntryId: string;
  /** The title of that policy. */
  title: string;
}

@ApiSchema({ description: "The new policy, and the policies that are like it." })
export class PolicyEntryCreatedDto extends PolicyEntryDto {
  /**
   * Likely duplicates and contradictions among the approved and pending policies of the workspace, most similar
   * first. They are hints for review and never block the request.
   */
  @ApiProperty({ type: [LikelySamePolicyEntryDto] })
  similar: LikelySamePolicyEntryDto[];
}

@ApiSchema({ description: "A line of an import that is like a policy or another line." })
export class PolicyImportHintDto extends LikelySamePolicyEntryDto {
  /** The line of the content where the policy begins, counted from 1. */
  line: number;
}

@ApiSchema({ description: "How an import of policies ended." })
export class PolicyImportReportDto extends ImportReportDto {
  /**
   * Imported lines that likely duplicate or contradict an existing policy or an earlier line, at most a thousand. If
   * the import has more than 1,000 lines, only lines that repeat an earlier title are listed.
   */
  @ApiProperty({ type: [PolicyImportHintDto] })
  similar: PolicyImportHintDto[];
}

export class ImportPolicyEntriesDto extends ImportFormatDto {
  /**
   * At most 10,000 lines. Fields: title, rule, category, effect, tools, conditions, requiredAssuranceLevel, priority,
   * validUntil, status. In CSV, separate several tools with `|` or write them as a JSON array. Write conditions as
   * JSON.
   */
  @ApiProperty({ example: "title,rule,effect,tools\nNo gift cards,Gift cards are not refunded.,deny,offer-refund" })
  @IsString()
  @Length(1, 1_000_000)
  content: string;
}
