import { ApiProperty } from "@nestjs/swagger";
import { IsIn, IsString, Length } from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";

export class SendMagicLinkDto {
  /** How the link is sent. There is no SMS channel yet, so `sms` returns 409. */
  @ApiProperty({ enum: ["email", "sms"] })
  @IsIn(["email", "sms"])
  channel: "email" | "sms";

  /** One of the contact's own email addresses, 3 to 320 characters. Default: a verified one, otherwise the first. */
  @ApiProperty({ required: false, example: "ada@example.com" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(3, 320)
  to?: string;
}

export class MagicLinkSentDto {
  @ApiProperty({ enum: [true], example: true })
  ok: true;
  /** Names the link in identity events (`magic_link:<id>`). It cannot be used to redeem the link. */
  @ApiProperty({ format: "uuid" })
  linkId: string;
  /** The link works once until then, unless a newer one is sent. */
  @ApiProperty({ format: "date-time" })
  expiresAt: string;
}
