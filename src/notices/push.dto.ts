import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import { IsISO6391, IsObject, IsString, Matches, MaxLength, ValidateNested } from "class-validator";
import { Optional } from "../platform/http/validation.js";

@ApiSchema({ description: "The key that browsers need to subscribe." })
export class PushKeyDto {
  /** VAPID public key in base64url: `applicationServerKey`. */
  @ApiProperty({
    example: "BLVYwMTBAGWxVWRfZuJKiEVZYwTvWVPvXLCYaAlWc4qSwXKqZ4rUkhu1lBB0Jm2tZ9h5Kpz0h1rHqYI5kRr4XyM",
  })
  publicKey: string;
}

@ApiSchema({ description: "The keys of a browser's subscription, with which notices are encrypted for it." })
export class PushKeysDto {
  /** Its public key in base64url. */
  @ApiProperty({
    example: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  })
  @Matches(/^[\w-]{87}=?$/, { message: "$property must be a public key of P-256 in base64url" })
  p256dh: string;
  /** Its secret in base64url. */
  @ApiProperty({ example: "BTBZMqHH6r4Tts7J_aSIgg" })
  @Matches(/^[\w-]{22}(==)?$/, { message: "$property must be 16 bytes in base64url" })
  auth: string;
}

@ApiSchema({ description: "A browser that is to show notices: what its `PushSubscription` says." })
export class CreatePushSubscriptionDto {
  /** Where the browser's push service takes notices for it. */
  @ApiProperty({ example: "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk" })
  @IsString()
  @MaxLength(2_000)
  endpoint: string;

  @ApiProperty({ type: PushKeysDto })
  @IsObject()
  @ValidateNested()
  @Type(() => PushKeysDto)
  keys: PushKeysDto;

  /** ISO 639-1: the language of the notices, unless your preferences name one. */
  @ApiProperty({ required: false, default: "en", example: "de" })
  @Optional()
  @IsISO6391()
  language?: string = "en";
}

@ApiSchema({ description: "A browser of yours that shows notices." })
export class PushSubscriptionDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The browser and its system. */
  @ApiProperty({ example: "Firefox on Windows" })
  device: string;
  /** When its push service last took a notice. Null if it has not yet. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  lastSuccessAt: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}
