import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsEmail, IsIn, IsOptional, IsString, IsUUID, Length, Matches } from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import {
  CALENDAR_PROVIDERS,
  type CalendarProviderName,
  CONNECTION_STATUSES,
  type ConnectionStatus,
} from "../calendar.entity.js";

@ApiSchema({ description: "A connected account on a calendar server." })
export class CalendarConnectionDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  /** The protocol of the calendar server. */
  @ApiProperty({ enum: CALENDAR_PROVIDERS })
  provider: CalendarProviderName;
  /** The address of the server. */
  serverUrl: string;
  /** Whose account it is, for people to tell accounts apart. Null if not given. */
  @ApiProperty({ type: String, nullable: true })
  accountEmail: string | null;
  /**
   * `connected`: it works, or was not tried yet (`lastSyncedAt` is null). `error`: it has failed for minutes and is
   * retried. `expired`: the server refuses the credentials; store new ones.
   */
  @ApiProperty({ enum: CONNECTION_STATUSES })
  status: ConnectionStatus;
  /** Equal for two connections with the same credentials. Reveals nothing else about them. Null once it is disconnected. */
  @ApiProperty({ type: String, nullable: true, example: "1f0c3b5a7d9e2468" })
  credentialFingerprint: string | null;
  /** Why the last sync failed. Null if it did not. */
  @ApiProperty({ type: String, nullable: true })
  lastError: string | null;
  /** When a failed sync is tried again. Null if nothing is to be retried. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  nextRetryAt: string | null;
  /** When a sync last succeeded. Null if none did yet. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  lastSyncedAt: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

@ApiSchema({ description: "A calendar of a connected account." })
export class CalendarDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  connectionId: string;
  name: string;
  /** An IANA name. The workspace's where the server gives none. */
  @ApiProperty({ example: "Europe/Berlin" })
  timezone: string;
  /** Whether it is the main calendar of the account. */
  primary: boolean;
  /** Whether it takes bookings. */
  writable: boolean;
  /** Whether the server still has it. */
  available: boolean;
  /** Until when busy times are known; null before it is read for the first time. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  knownUntil: string | null;
  /** Events whose times could not be read. Their time counts as free. */
  unreadableEvents: number;
}

const LENGTH = { minLength: 1, maxLength: 1_000 } as const;
const OneLine =
  (message: string, pattern = /^[^\r\n\0]*$/): PropertyDecorator =>
  (target, name) => {
    IsString()(target, name);
    Length(LENGTH.minLength, LENGTH.maxLength)(target, name);
    Matches(pattern, { message })(target, name);
  };
/** No colon: HTTP Basic authentication ends the user name there. */
const Username = (): PropertyDecorator => OneLine("username must be one line without a colon", /^[^:\r\n\0]*$/);
const Password = (): PropertyDecorator => OneLine("password must be one line");

export class CreateCalendarConnectionDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  workspaceId: string;

  /** The protocol of the calendar server. */
  @ApiProperty({ enum: CALENDAR_PROVIDERS, required: false, default: "caldav" })
  @Optional()
  @IsIn(CALENDAR_PROVIDERS)
  provider?: CalendarProviderName = "caldav";

  /** The address of the server, or of the account or a calendar on it. */
  @ApiProperty({ example: "https://cloud.example.com/remote.php/dav" })
  @Trimmed()
  @IsString()
  @Length(1, 2_000)
  serverUrl: string;

  /** Never shown again. */
  @ApiProperty({ writeOnly: true, ...LENGTH, example: "appointments@example.com" })
  @Username()
  username: string;

  /** Preferably an app password. Never shown again. */
  @ApiProperty({ writeOnly: true, ...LENGTH, example: "secret" })
  @Password()
  password: string;

  /** Helps people tell accounts apart. Default: the user name, if it is an email address. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "appointments@example.com" })
  @IsOptional()
  @IsEmail()
  accountEmail?: string | null;
}

export class UpdateCalendarConnectionDto {
  /** If this is another server, `username` and `password` are required, too. */
  @ApiProperty({ required: false, example: "https://cloud.example.com/remote.php/dav" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 2_000)
  serverUrl?: string;

  /** Requires `password`. */
  @ApiProperty({ required: false, writeOnly: true, ...LENGTH })
  @Optional()
  @Username()
  username?: string;

  /** A new password is tried right away. */
  @ApiProperty({ required: false, writeOnly: true, ...LENGTH })
  @Optional()
  @Password()
  password?: string;

  /** Helps people tell accounts apart. Null removes it. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @IsEmail()
  accountEmail?: string | null;
}

export class ListCalendarConnectionsDto {
  /** Only connections of this workspace. Returns 404 if it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;
}
