import { ApiProperty, ApiPropertyOptional, ApiSchema } from "@nestjs/swagger";
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

  /** The email address or phone number (E.164) at which contacts reach the channel, if its type has one. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "support@example.com" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 320)
  address?: string | null;

  /** Depends on the type. Email: `smtp` and, to receive, `imap`, each `{host, port, security: tls | starttls}`; `imap.authenticatedBy`; in their place, at Microsoft, `graph` `{receive}`; in place of `imap`, `inbound` `{provider: postmark | mailgun | ses, topicArn, bucket, bucketRegion}`; `signIn` `{provider: microsoft | google | other, grant: code | client_credentials, clientId, tenant, issuer, authorizeUrl, tokenUrl, userinfoUrl, scopes}`; `fromName`, `plusAddressing`, `quote`, `maxMessageMb`, `dkimSelector`. Web chat: `allowedOrigins`, `title`, `greeting`, `colour`, `position`, `language`, `requireIdentity`. SMS: `messagingServiceSid`. Voice: `greeting`, `forwardTo` (E.164), `voicemail`, `transcribe`. Both: `apiUrl`, `publicUrl`. All are optional. */
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

  /** Depends on the type; never shown again. Email: `username` and `password`, and `smtpUsername` and `smtpPassword` if the server for sending needs others; with `signIn`, `clientSecret`; with `inbound`, beside these, `webhookSecret` (postmark), `signingKey` (mailgun), or `accessKeyId` and `secretAccessKey` (ses). Web chat: `identitySecret`, which signs the identity of visitors. SMS and voice: `accountSid` and `authToken`. */
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

  /** As when the channel was created. */
  @ApiProperty({ required: false, example: "support@example.com" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 320)
  address?: string;

  /** Replaces all settings. If they name another server, the stored credentials are deleted and must be sent again. */
  @ApiPropertyOptional({ type: "object", additionalProperties: true })
  @Optional()
  @IsObject()
  settings?: object;

  /** `false` disables the channel: replies are refused, and messages that wait to be sent keep waiting. `true` provisions it again. */
  @Optional()
  @IsBoolean()
  enabled?: boolean;
}

export class SetChannelCredentialsDto {
  /** Replaces all credentials. Which fields there are depends on the type of the channel. They are stored encrypted and never shown again. */
  @ApiProperty({
    type: "object",
    additionalProperties: { type: "string" },
    writeOnly: true,
    example: { username: "support@example.com", password: "secret" },
  })
  @IsObject()
  credentials: object;
}

@ApiSchema({ description: "How the test of a channel ended." })
export class ChannelTestedDto {
  @ApiProperty({ enum: [true] })
  ok: true;
  /** The result of the test. It is kept with the channel. */
  lastTest: ChannelTestDto;
}
