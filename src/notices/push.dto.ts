import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsISO6391, IsString, Matches, MaxLength } from "class-validator";
import { Optional } from "../platform/http/validation.js";

@ApiSchema({ description: "What a `PushSubscription` of a browser says." })
export class CreatePushSubscriptionDto {
  /** Its URL. */
  @ApiProperty({ example: "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABk" })
  @IsString()
  @MaxLength(2_000)
  endpoint: string;
  /** Its public key. */
  @ApiProperty({
    example: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  })
  @Matches(/^[\w-]{87}=?$/, { message: "$property must be a public key of P-256 in base64url" })
  p256dh: string;
  /** Its secret. */
  @ApiProperty({ example: "BTBZMqHH6r4Tts7J_aSIgg" })
  @Matches(/^[\w-]{22}(==)?$/, { message: "$property must be 16 bytes in base64url" })
  auth: string;
  /** ISO 639-1. */
  @ApiProperty({ required: false, default: "en", example: "de" })
  @Optional()
  @IsISO6391()
  language?: string = "en";
}

@ApiSchema({ description: "How the test went." })
export class PushTestedDto {
  /** Null if it was taken. */
  @ApiProperty({ type: String, nullable: true, example: "The push service answered with status 503" })
  error: string | null;
}

@ApiSchema({ description: "A browser of yours that shows notices." })
export class PushSubscriptionDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The browser and its system. */
  @ApiProperty({ example: "Firefox on Windows" })
  device: string;
  /** Null if no notice was taken yet. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  lastSuccessAt: string | null;
}

@ApiSchema({ description: "Your browsers that show notices." })
export class PushDto {
  /** The `applicationServerKey` with which a browser subscribes. */
  @ApiProperty({
    example: "BLVYwMTBAGWxVWRfZuJKiEVZYwTvWVPvXLCYaAlWc4qSwXKqZ4rUkhu1lBB0Jm2tZ9h5Kpz0h1rHqYI5kRr4XyM",
  })
  publicKey: string;
  subscriptions: PushSubscriptionDto[];
}
