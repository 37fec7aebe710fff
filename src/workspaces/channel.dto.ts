import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { sql } from "../platform/database/sql.js";
import { projection, time } from "../platform/database/statements.js";
import { CHANNEL_STATUSES, CHANNEL_TYPES, type ChannelStatus, type ChannelType } from "./channel.entity.js";

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

@ApiSchema({ description: "How the last test of a channel ended." })
export class ChannelTestDto {
  /** When the test was made. */
  @ApiProperty({ format: "date-time" })
  at: string;
  /** Whether everything worked. */
  ok: boolean;
  /** What the test found, for operators to read. */
  message: string;
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
  /** Whether credentials are stored. They are never returned. */
  hasCredentials: boolean;
  /** Equal for equal credentials. It reveals nothing else about them. Null if none are stored. */
  @ApiProperty({ type: String, nullable: true, example: "1f0c9a3be2d45c77" })
  credentialFingerprint: string | null;
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
  hasCredentials: sql`c.credentials is not null`,
  credentialFingerprint: sql`c.credential_fingerprint`,
  lastTest: sql`c.last_test`,
  createdAt: time(sql`c.created_at`),
  updatedAt: time(sql`c.updated_at`),
});
