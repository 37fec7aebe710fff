import { applyDecorators } from "@nestjs/common";
import { ApiProperty, ApiSchema, PartialType, PickType } from "@nestjs/swagger";
import { Transform } from "class-transformer";
import { IsOptional, IsString, IsUUID, Length, Matches, ValidateBy, type ValidationArguments } from "class-validator";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { problemOf, type Variable, VARIABLES } from "./template.js";

const MAX_TEXT = 10_000;

/** A text whose variables exist. */
const Template = (): PropertyDecorator =>
  ValidateBy(
    {
      name: "isTemplate",
      validator: {
        validate: (value: unknown) => typeof value !== "string" || problemOf(value) === undefined,
        defaultMessage: (problem?: ValidationArguments) => problemOf(String(problem?.value)) ?? "",
      },
    },
    {},
  );

const Shortcut = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === "string" ? value.trim().toLowerCase() : value)),
    Matches(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,39}$/u, {
      message: "shortcut must be letters, digits, - and _, at most 40 characters",
    }),
  );

@ApiSchema({ description: "A text that members reply with again and again. It can have variables." })
export class CannedReplyDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The workspace that it is for; null for all. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  workspaceId: string | null;
  /** What you type to find it. */
  @ApiProperty({ example: "refund" })
  shortcut: string;
  /** What it says, for members who look for it. */
  @ApiProperty({ example: "Refund is on its way" })
  title: string;
  /** Markdown with variables. */
  @ApiProperty({ example: "Hello {{contact.firstName | there}}, your refund is on its way." })
  body: string;
  /** ISO 639-1; null if it has none. */
  @ApiProperty({ type: String, nullable: true, example: "en" })
  language: string | null;
  /** The member who made it. */
  @ApiProperty({ format: "uuid" })
  createdBy: string;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class ListCannedRepliesDto extends PagingDto {
  /** Those of this workspace, and those for all. 404 if you have no access to it. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** How the shortcut or the title begins, 1 to 100 characters. */
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 100)
  query?: string;
}

export class CreateCannedReplyDto {
  /** The workspace that it is for. Without it, or with null, it is for all; only owners and admins can make those. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  workspaceId?: string | null;

  /** Letters, digits, `-` and `_`, at most 40, kept in small letters. Unique in the workspace, or among those for all. */
  @ApiProperty({ example: "refund" })
  @Shortcut()
  shortcut: string;

  /** 1 to 200 characters. */
  @ApiProperty({ example: "Refund is on its way" })
  @Trimmed()
  @IsString()
  @Length(1, 200)
  title: string;

  /**
   * Markdown of 1 to 10,000 characters. Variables: `{{contact.name}}`, `{{contact.firstName}}`, `{{member.name}}`,
   * `{{member.firstName}}`, `{{conversation.id}}`, `{{conversation.subject}}`, `{{workspace.name}}`, `{{brand.name}}`.
   * `{{contact.firstName | there}}` has what to write where there is no value. Any other variable is refused.
   */
  @ApiProperty({ example: "Hello {{contact.firstName | there}}, your refund is on its way." })
  @Template()
  @IsString()
  @Length(1, MAX_TEXT)
  body: string;

  /** ISO 639-1. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "en" })
  @IsOptional()
  @Matches(/^[a-z]{2}$/, { message: "language must be two small letters of ISO 639-1" })
  language?: string | null;
}

export class UpdateCannedReplyDto extends PartialType(
  PickType(CreateCannedReplyDto, ["shortcut", "title", "body"] as const),
  { skipNullProperties: false },
) {
  /** ISO 639-1; null removes it. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "en" })
  @IsOptional()
  @Matches(/^[a-z]{2}$/, { message: "language must be two small letters of ISO 639-1" })
  language?: string | null;
}

export class RenderCannedReplyDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  conversationId: string;
}

@ApiSchema({ description: "A canned reply, filled in for a conversation." })
export class RenderedCannedReplyDto {
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  /** Markdown. Values are escaped, so a name is never formatting. */
  @ApiProperty({ example: "Hello Ada, your refund is on its way." })
  body: string;
  /** The variables that have no value and no fallback. They are still in the body: fill them in before you send it. */
  @ApiProperty({ enum: VARIABLES, isArray: true, example: [] })
  missing: Variable[];
}
