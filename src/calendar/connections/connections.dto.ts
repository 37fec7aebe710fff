import { ApiProperty } from "@nestjs/swagger";
import { IsEmail, IsIn, IsOptional, IsString, IsUUID, Length, Matches } from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import {
  CALENDAR_PROVIDERS,
  type CalendarProviderName,
  CONNECTION_STATUSES,
  type ConnectionStatus,
} from "../calendar.entity.js";

export class CalendarConnectionDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  @ApiProperty({ enum: CALENDAR_PROVIDERS })
  provider: CalendarProviderName;
  serverUrl: string;
  @ApiProperty({ type: String, nullable: true })
  accountEmail: string | null;
  /** `connected`: it works, or was not tried yet (`lastSyncedAt` is null). `error`: it has failed for minutes, and is tried again by itself. `expired`: the server refuses the credentials; they have to be stored anew. */
  @ApiProperty({ enum: CONNECTION_STATUSES })
  status: ConnectionStatus;
  /** Tells whether two connections have the same credentials, and nothing else about them. */
  @ApiProperty({ example: "1f0c3b5a7d9e2468" })
  credentialFingerprint: string;
  /** Why it did not work the last time. */
  @ApiProperty({ type: String, nullable: true })
  lastError: string | null;
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  nextRetryAt: string | null;
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  lastSyncedAt: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class CalendarDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  connectionId: string;
  name: string;
  /** IANA. Where the server knows none, the workspace's. */
  @ApiProperty({ example: "Europe/Berlin" })
  timezone: string;
  primary: boolean;
  /** Whether bookings can be made in it. */
  writable: boolean;
  /** Whether the server still has it. */
  available: boolean;
  /** Until when it is known what is busy; null while it was not read yet. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  knownUntil: string | null;
  /** Events whose times could not be read: what they take is not known to be busy. */
  unreadableEvents: number;
}

const OneLine =
  (sentence: string, pattern = /^[^\r\n\0]*$/): PropertyDecorator =>
  (target, name) => {
    IsString()(target, name);
    Length(1, 1_000)(target, name);
    Matches(pattern, { message: sentence })(target, name);
  };
/** A colon ends it where it is sent. */
const Username = (): PropertyDecorator => OneLine("username must be one line without a colon", /^[^:\r\n\0]*$/);
const Password = (): PropertyDecorator => OneLine("password must be one line");

export class CreateCalendarConnectionDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  workspaceId: string;

  @ApiProperty({ enum: CALENDAR_PROVIDERS, required: false, default: "caldav" })
  @Optional()
  @IsIn(CALENDAR_PROVIDERS)
  provider?: CalendarProviderName = "caldav";

  /** The server, or the address of the account or a calendar on it. */
  @ApiProperty({ example: "https://cloud.example.com/remote.php/dav" })
  @Trimmed()
  @IsString()
  @Length(1, 2_000)
  serverUrl: string;

  /** Never shown again. */
  @ApiProperty({ writeOnly: true, example: "appointments@example.com" })
  @Username()
  username: string;

  /** Better one for this alone ("app password"). Never shown again. */
  @ApiProperty({ writeOnly: true, example: "secret" })
  @Password()
  password: string;

  /** For people to tell accounts apart; by default the user name, where it is an email address. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "appointments@example.com" })
  @IsOptional()
  @IsEmail()
  accountEmail?: string | null;
}

export class UpdateCalendarConnectionDto {
  /** On another server than before `username` and `password` have to be given, too. */
  @ApiProperty({ required: false, example: "https://cloud.example.com/remote.php/dav" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 2_000)
  serverUrl?: string;

  /** With `password`. */
  @ApiProperty({ required: false, writeOnly: true })
  @Optional()
  @Username()
  username?: string;

  /** A new one is tried at once. */
  @ApiProperty({ required: false, writeOnly: true })
  @Optional()
  @Password()
  password?: string;

  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @IsEmail()
  accountEmail?: string | null;
}

export class ListCalendarConnectionsDto {
  /** Only of this workspace; 404 where it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;
}
