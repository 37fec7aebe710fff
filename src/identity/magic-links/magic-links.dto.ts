import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsString, Length } from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { PROOF_CHANNELS, type ProofChannel } from "../verification/proof-channel.js";

export class SendMagicLinkDto {
  /** How the link is sent. `sms` needs an active SMS channel in the workspace. */
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

@ApiSchema({ description: "The link was sent." })
export class MagicLinkSentDto {
  @ApiProperty({ enum: [true], example: true })
  ok: true;
  /** Names the link in identity events (`magic_link:<id>`). It cannot be used to redeem the link. */
  @ApiProperty({ format: "uuid" })
  linkId: string;
  /** The link works once until then, unless a newer one is sent. */
  @ApiProperty({ format: "date-time" })
  expiresAt: string;
  /** Two digits that the page behind the link shows or asks for. Tell them to the person in the conversation. */
  @ApiProperty({ example: "42", pattern: "^[1-9][0-9]$" })
  code: string;
}
