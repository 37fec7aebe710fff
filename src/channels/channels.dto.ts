import { ApiProperty, ApiPropertyOptional } from "@nestjs/swagger";
import { IsBoolean, IsIn, IsObject, IsOptional, IsString, Length } from "class-validator";
import { Optional, Trimmed } from "../platform/http/validation.js";
import { ChannelTestDto } from "../workspaces/channel.dto.js";
import { CHANNEL_TYPES, type ChannelType } from "../workspaces/channel.entity.js";

export class CreateChannelDto {
  @ApiProperty({ enum: CHANNEL_TYPES })
  @IsIn(CHANNEL_TYPES)
  type: ChannelType;

  /** 1 to 200 characters. */
  @ApiProperty({ example: "Support mailbox" })
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name: string;

  /** The email address or, in E.164, the phone number that contacts reach it at, where its type has one. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "support@example.com" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 320)
  address?: string | null;

  /** As its type has them. Email: `smtp` and, to receive, `imap`, each `{host, port, security: tls | starttls}`; `fromName`. Web chat: `allowedOrigins`, `title`, `greeting`, `colour`, `position`, `language`, `requireIdentity`. SMS: `messagingServiceSid`. Voice: `greeting`, `forwardTo` (E.164), `voicemail`, `transcribe`. Both: `apiUrl`, `publicUrl`; all may be left out. */
  @ApiPropertyOptional({
    type: "object",
    additionalProperties: true,
    example: {
      smtp: { host: "smtp.example.com", port: 465, security: "tls" },
      imap: { host: "imap.example.com", port: 993, security: "tls" },
    },
  })
  @Optional()
  @IsObject()
  settings?: object;

  /** As its type has them; never shown again. Email: `username` and `password`, and `smtpUsername` and `smtpPassword` where they are others. Web chat: `identitySecret`, which signs who a visitor is. SMS and voice: `accountSid` and `authToken`. */
  @ApiPropertyOptional({
    type: "object",
    additionalProperties: { type: "string" },
    writeOnly: true,
    example: { username: "support@example.com", password: "secret" },
  })
  @Optional()
  @IsObject()
  credentials?: object;
}

export class UpdateChannelDto {
  /** 1 to 200 characters. */
  @ApiProperty({ required: false, example: "Support mailbox" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name?: string;

  /** As when it was made. */
  @ApiProperty({ required: false, example: "support@example.com" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 320)
  address?: string;

  /** Replaces all of them. Where another server is named, credentials have to be given anew. */
  @ApiPropertyOptional({ type: "object", additionalProperties: true })
  @Optional()
  @IsObject()
  settings?: object;

  /** `false` disables it: it takes no reply, and what waits to leave stays. `true` makes it ready again. */
  @Optional()
  @IsBoolean()
  enabled?: boolean;
}

export class PutCredentialsDto {
  /** Replaces all of them, as the channel's type has them. They are sealed and never shown again. */
  @ApiProperty({
    type: "object",
    additionalProperties: { type: "string" },
    writeOnly: true,
    example: { username: "support@example.com", password: "secret" },
  })
  @IsObject()
  credentials: object;
}

export class ChannelTestedDto {
  @ApiProperty({ enum: [true] })
  ok: true;
  /** What was found; the channel keeps it. */
  lastTest: ChannelTestDto;
}
