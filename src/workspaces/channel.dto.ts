import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { sql } from "../platform/database/sql.js";
import { projection, time } from "../platform/database/statements.js";
import {
  CHANNEL_STATUSES,
  CHANNEL_TYPES,
  type ChannelStatus,
  type ChannelType,
  MAIL_CHECKS,
  type MailCheck,
} from "./channel.entity.js";

@ApiSchema({ description: "How far the setting up of a channel got." })
export class ChannelProvisioningDto {
  /** Failed attempts since the channel last worked. */
  attempts: number;
  /** Why the last attempt failed, for operators to read. Null while the channel works. */
  @ApiProperty({ type: String, nullable: true, example: "The mail server refused the user name or the password" })
  lastError: string | null;
  /** When it is tried again; null if there is nothing to try, or if an operator has to change something first. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  nextRetryAt: string | null;
}

@ApiSchema({ description: "A record to publish in the DNS." })
export class DnsRecordDto {
  /** The kind of the record. */
  @ApiProperty({ enum: ["TXT"] })
  type: "TXT";
  @ApiProperty({ example: "_dmarc.example.com" })
  name: string;
  /** What it says. */
  @ApiProperty({ example: "v=DMARC1; p=none" })
  value: string;
}

@ApiSchema({ description: "Whether mails of the channel pass one of the checks that receivers make." })
export class MailCheckDto {
  @ApiProperty({ enum: MAIL_CHECKS })
  result: MailCheck;
  /** What was found, for operators to read. */
  message: string;
  /** The record that is missing, if it follows from the settings. Null otherwise. */
  @ApiProperty({ type: DnsRecordDto, nullable: true })
  record: DnsRecordDto | null;
}

@ApiSchema({ description: "What receivers of mail find in the DNS about the domain of a mailbox." })
export class MailDomainDto {
  /** The part of the address behind the `@`, in ASCII. */
  @ApiProperty({ example: "example.com" })
  domain: string;
  /** Whether the domain lets the server for sending send for it. */
  spf: MailCheckDto;
  /** Whether the domain publishes the key that mails are signed with. */
  dkim: MailCheckDto;
  /** Whether mails pass the domain's policy. */
  dmarc: MailCheckDto;
}

@ApiSchema({ description: "How the last test of a channel ended." })
export class ChannelTestDto {
  /** When the test was made. */
  @ApiProperty({ format: "date-time" })
  at: string;
  /** Whether everything worked. */
  ok: boolean;
  /** What the test found, for operators to read. */
  message: string;
  /** SPF, DKIM and DMARC of the mailbox's domain. They do not count for `ok`. Null for other channels, and where nothing was asked. */
  @ApiProperty({ type: MailDomainDto, nullable: true })
  mailDomain: MailDomainDto | null;
}

@ApiSchema({ description: "Who has signed in to a mailbox. Tokens are never shown." })
export class ChannelSignInDto {
  /** The account that signed in. Null until somebody has. */
  @ApiProperty({ type: String, nullable: true, example: "support@example.com" })
  account: string | null;
  /** When it signed in. Null until somebody has. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  since: string | null;
  /** When the provider ended the sign-in. Somebody has to sign in again. Null while it holds. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  endedAt: string | null;
  /** Why the last attempt to sign in failed, or why the sign-in ended, for operators to read. Null if neither happened. */
  @ApiProperty({ type: String, nullable: true })
  error: string | null;
}

@ApiSchema({ description: "A way in which contacts reach a workspace." })
export class ChannelDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  @ApiProperty({ enum: CHANNEL_TYPES })
  type: ChannelType;
  name: string;
  /**
   * `provisioning`: it is being set up. `error`: it does not work and needs an operator. `disabled`: an operator turned it
   * off. Outgoing messages wait until the channel is active.
   */
  @ApiProperty({ enum: CHANNEL_STATUSES })
  status: ChannelStatus;
  /** How setting it up goes. */
  provisioning: ChannelProvisioningDto;
  /**
   * How contacts reach it: the email address, the phone number in E.164, or the public key of a web chat, which its pages
   * contain and which is not a secret. Null if the channel has none.
   */
  @ApiProperty({ type: String, nullable: true, example: "support@example.com" })
  address: string | null;
  /** They depend on the type of the channel. */
  @ApiProperty({ type: "object", additionalProperties: true })
  settings: object;
  /** The path on this server where the channel's provider sends what comes in. Null if nothing comes in by webhook. */
  @ApiProperty({
    type: String,
    nullable: true,
    example: "/api/webhooks/mail/0198c6b4-7d2a-7c3e-9f10-2b6f0c1d3e4f/mime",
  })
  webhookPath: string | null;
  /** Whether credentials are stored. They are never returned. */
  hasCredentials: boolean;
  /** Equal for equal credentials. It reveals nothing else about them. Null if none are stored. */
  @ApiProperty({ type: String, nullable: true, example: "1f0c9a3be2d45c77" })
  credentialFingerprint: string | null;
  /** Who has signed in to the mailbox, if its settings ask for a sign-in (`signIn`). Null if nobody has tried. */
  @ApiProperty({ type: ChannelSignInDto, nullable: true })
  signIn: ChannelSignInDto | null;
  /** What the last test found. Null if the channel was never tested. */
  @ApiProperty({ type: ChannelTestDto, nullable: true })
  lastTest: ChannelTestDto | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

/** A channel `c`. */
export const CHANNEL = projection<ChannelDto>({
  id: sql`c.id`,
  workspaceId: sql`c.workspace_id`,
  type: sql`c.type`,
  name: sql`c.name`,
  status: sql`c.status`,
  provisioning: sql`json_build_object('attempts', c.attempts, 'lastError', c.last_error, 'nextRetryAt', ${time(sql`c.next_retry_at`)})`,
  address: sql`c.address`,
  settings: sql`c.settings`,
  webhookPath: sql`case
      when c.type in ('sms', 'voice') then '/api/webhooks/channels/' || c.id
      when c.type = 'email' and jsonb_typeof(c.settings -> 'inbound') = 'object' then '/api/webhooks/mail/' || c.id || '/mime'
    end`,
  hasCredentials: sql`c.credentials is not null`,
  credentialFingerprint: sql`c.credential_fingerprint`,
  signIn: sql`c.sign_in`,
  lastTest: sql`c.last_test`,
  createdAt: time(sql`c.created_at`),
  updatedAt: time(sql`c.updated_at`),
});
