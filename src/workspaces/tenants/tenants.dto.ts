import { ApiProperty } from "@nestjs/swagger";
import { IsBoolean, IsString, Length } from "class-validator";
import type { Environment } from "../../platform/caller/caller.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";

export class TenantDto {
  /** Of this side: the live and the test side have ids of their own. */
  @ApiProperty({ format: "uuid" })
  id: string;
  name: string;
  @ApiProperty({ enum: ["live", "test"] })
  environment: Environment;
  /** The public key (Ed25519, PEM) that this side's erasure certificates are verified with. */
  @ApiProperty({ example: "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA…\n-----END PUBLIC KEY-----\n" })
  erasureKey: string;
  /** Whether outgoing webhooks, a preview, are switched on for this side. */
  webhooksPreview: boolean;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}

export class UpdateTenantDto {
  /** 1 to 200 characters; the same on both sides. */
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name?: string;

  /** Switches outgoing webhooks, a preview, on or off for this side. */
  @Optional()
  @IsBoolean()
  webhooksPreview?: boolean;
}
