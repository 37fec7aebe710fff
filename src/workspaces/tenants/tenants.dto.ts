import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsBoolean, IsInt, IsString, Length, Max, Min } from "class-validator";
import { type Environment, ENVIRONMENTS } from "../../platform/caller/caller.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";

@ApiSchema({ description: "One side of your organisation, live or test, and its settings." })
export class TenantDto {
  /** The id of this side. The live and the test side have different ids. */
  @ApiProperty({ format: "uuid" })
  id: string;
  name: string;
  @ApiProperty({ enum: ENVIRONMENTS })
  environment: Environment;
  /** The public key (Ed25519, PEM) that verifies this side's erasure certificates. */
  @ApiProperty({ example: "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA…\n-----END PUBLIC KEY-----\n" })
  erasureKey: string;
  /** Whether this side uses the preview of outgoing webhooks. */
  webhooksPreview: boolean;
  /** For how many minutes a sign-in is enough for keys, members, exports, erasures and this tenant's settings. */
  @ApiProperty({ example: 15 })
  signInValidMinutes: number;
  /** Whether members must have a second factor. Those without one can only set one up. */
  requireSecondFactor: boolean;
  /** How many bytes the attachments of this side take up. */
  @ApiProperty({ type: "integer", example: 52_428_800 })
  attachmentBytes: number;
  /** The limit in bytes. When it is reached, uploads return 413 until files are deleted. The operator of the server sets it. */
  @ApiProperty({ type: "integer", example: 10_737_418_240 })
  attachmentQuotaBytes: number;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}

export class UpdateTenantDto {
  /** 1 to 200 characters. Both sides have the same name. */
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name?: string;

  /** Turns the preview of outgoing webhooks on or off for this side. */
  @Optional()
  @IsBoolean()
  webhooksPreview?: boolean;

  /**
   * 5 to 1440, on both sides. Keys, members, exports, erasures and these settings need a sign-in that is not older. Members renew
   * theirs with `POST /api/auth/reauthenticate`.
   */
  @Optional()
  @IsInt()
  @Min(5)
  @Max(1440)
  signInValidMinutes?: number;

  /**
   * Whether members must have a second factor, on both sides. Members without one can then only set one up. Members whom your own
   * sign-in provider signs in are exempt: it asks for a second factor itself. You need one yourself to turn this on.
   */
  @Optional()
  @IsBoolean()
  requireSecondFactor?: boolean;
}
