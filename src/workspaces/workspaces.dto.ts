import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsBoolean, IsIn, IsISO6391, IsOptional, IsString, IsTimeZone, IsUrl, IsUUID, Length } from "class-validator";
import { Optional, Trimmed } from "../platform/http/validation.js";
import { WORKSPACE_STATUSES, type WorkspaceStatus } from "./workspace.entity.js";

@ApiSchema({ description: "A brand of yours. It has workspaces." })
export class BrandDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  name: string;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class CreateBrandDto {
  /** 1 to 200 characters. */
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name: string;
}

export class UpdateBrandDto {
  /** 1 to 200 characters. */
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name?: string;
}

/** An entry of the workspace list. */
@ApiSchema({ description: "A workspace in short." })
export class WorkspaceSummaryDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ example: "Support" })
  name: string;
  @ApiProperty({ enum: WORKSPACE_STATUSES })
  status: WorkspaceStatus;
  /** The brand that the workspace operates under. */
  @ApiProperty({ format: "uuid" })
  brandId: string;
  /** The name of the brand. */
  brandName: string;
  /** ISO 639-1: the language that the assistant uses in this workspace. */
  @ApiProperty({ example: "en" })
  primaryLanguage: string;
}

@ApiSchema({ description: "A part of a brand with its own channels, conversations, knowledge and policies." })
export class WorkspaceDto extends WorkspaceSummaryDto {
  /** IANA name. */
  @ApiProperty({ example: "Europe/Berlin" })
  timezone: string;
  /** Whether the assistant answers in this workspace while it is active. */
  assistantEnabled: boolean;
  /** Markdown below each mail, such as legal information. Null for none. */
  @ApiProperty({ type: String, nullable: true })
  mailFooter: string | null;
  /** The logo above `mailFooter`. Null for none. */
  @ApiProperty({ type: String, nullable: true })
  mailLogoUrl: string | null;
  /** How many months identity events are kept, 3 to 84. */
  @ApiProperty({ minimum: 3, maximum: 84 })
  identityRetentionMonths: number;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class CreateWorkspaceDto {
  /** 1 to 200 characters. */
  @ApiProperty({ example: "Support" })
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name: string;

  @ApiProperty({ format: "uuid" })
  @IsUUID()
  brandId: string;

  /** ISO 639-1. */
  @ApiProperty({ example: "en", required: false })
  @Optional()
  @IsISO6391()
  primaryLanguage?: string = "en";

  /** IANA name. */
  @ApiProperty({ example: "Europe/Berlin", required: false })
  @Optional()
  @IsTimeZone()
  timezone?: string = "UTC";
}

export class UpdateWorkspaceDto {
  /** 1 to 200 characters. */
  @ApiProperty({ example: "Support", required: false })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name?: string;

  /** ISO 639-1. */
  @ApiProperty({ example: "en", required: false })
  @Optional()
  @IsISO6391()
  primaryLanguage?: string;

  /** IANA name. */
  @ApiProperty({ example: "Europe/Berlin", required: false })
  @Optional()
  @IsTimeZone()
  timezone?: string;

  /** Whether the assistant answers in this workspace while it is active. */
  @Optional()
  @IsBoolean()
  assistantEnabled?: boolean;

  /** Markdown below each mail, at most 5,000 characters; null for none. It has the variables of canned replies. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Example Ltd, 1 High Street, London" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 5_000)
  mailFooter?: string | null;

  /** The https address of a logo in mails; null for none. It is not loaded here. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "https://example.com/logo.png" })
  @IsOptional()
  @Trimmed()
  @IsUrl({ protocols: ["https"], require_protocol: true }, { message: "mailLogoUrl must be an https address" })
  @Length(1, 1_000)
  mailLogoUrl?: string | null;

  /**
   * `inactive`: the assistant is off, and everything else works. `archived`: the workspace is read-only. An active
   * workspace can become inactive or archived, an inactive one active or archived, and an archived one inactive.
   */
  @ApiProperty({ enum: WORKSPACE_STATUSES, required: false })
  @Optional()
  @IsIn(WORKSPACE_STATUSES)
  status?: WorkspaceStatus;
}
