import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Transform } from "class-transformer";
import { IsIn, IsString, IsUUID, Length, Matches } from "class-validator";
import { ASSURANCE_LEVELS, type AssuranceLevel } from "../../conversations/assurance-level.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { PROOF_CHANNELS, type ProofChannel } from "../verification/proof-channel.js";
import { VERIFICATION_RESULTS, type VerificationResult } from "../verification/verification.dto.js";

export class SendCodeDto {
  /** How the code is sent. `sms` needs an active SMS channel in the workspace. */
  @ApiProperty({ enum: PROOF_CHANNELS })
  @IsIn(PROOF_CHANNELS)
  channel: ProofChannel;

  /**
   * One of the contact's own email addresses or phone numbers, 3 to 320 characters. Default: one that raises the level, a
   * verified one first.
   */
  @ApiProperty({ required: false, example: "ada@example.com" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(3, 320)
  to?: string;
}

@ApiSchema({ description: "The code was sent." })
export class CodeSentDto {
  @ApiProperty({ enum: [true], example: true })
  ok: true;
  /** Give it together with the code. */
  @ApiProperty({ format: "uuid" })
  codeId: string;
  /** The code works once until then, unless a newer one is sent. */
  @ApiProperty({ format: "date-time" })
  expiresAt: string;
}

export class VerifyCodeDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  codeId: string;

  /** The six digits that the person received. Spaces and hyphens between them are ignored. */
  @ApiProperty({ example: "123456" })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === "string" && value.length <= 20 ? value.replace(/[\s-]/g, "") : value,
  )
  @IsString()
  @Matches(/^[0-9]{6}$/, { message: "code must have six digits" })
  code: string;
}

@ApiSchema({ description: "Whether a code was right." })
export class CodeVerifiedDto {
  @ApiProperty({ enum: VERIFICATION_RESULTS })
  result: VerificationResult;
  /** How often this code can still be tried. */
  remainingAttempts: number;
  /** How well the contact is proven now. */
  @ApiProperty({ enum: ASSURANCE_LEVELS })
  assuranceLevel: AssuranceLevel;
}
