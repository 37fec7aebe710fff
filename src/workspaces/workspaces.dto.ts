import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsBase64, IsBoolean, IsIn, IsISO6391, IsOptional, IsString, IsUrl, IsUUID, Length } from "class-validator";
import { Optional, Trimmed, ZoneName } from "../platform/http/validation.js";
import { MAX_LOGO_BYTES, WORKSPACE_STATUSES, type WorkspaceStatus } from "./workspace.entity.js";

/** In base64. What is a little larger is refused with its size. */
const MAX_LOGO_TEXT = 2 * MAX_LOGO_BYTES;

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
  /** Where its logo is, on this server. Anybody may load it. Null for none. */
  @ApiProperty({ type: String, nullable: true })
  logoUrl: string | null;
}

export class SetLogoDto {
  /** A PNG, JPEG or WebP in base64: at most 100 kB, and 1,024 pixels a side. */
  @IsBase64()
  @Length(4, MAX_LOGO_TEXT)
  image: string;
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
  /** Another logo above `mailFooter`. Null for that of the workspace. */
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
  @ZoneName()
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
  @ZoneName()
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

  /** The https address of another logo in mails; null for that of the workspace. It is not loaded here. */
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
