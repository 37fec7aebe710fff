import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsISO6391,
  IsObject,
  IsOptional,
  Matches,
  Max,
  Min,
  ValidateNested,
} from "class-validator";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { Optional, ZoneName } from "../../platform/http/validation.js";

const THEMES = namedEnum("Theme", "How the dashboard looks.", ["system", "light", "dark"]);
type Theme = (typeof THEMES)[number];
const SEND_KEYS = namedEnum("SendKey", "The key that sends a reply.", {
  modEnter: "Enter with Ctrl or Cmd",
  enter: "Enter alone",
});
type SendKey = (typeof SEND_KEYS)[number];
const AFTER_RESOLVE = namedEnum("AfterResolve", "Where you are after you resolved a conversation.", {
  next: "in the next conversation",
  stay: "where you were",
  list: "in the list",
});
type AfterResolve = (typeof AFTER_RESOLVE)[number];

const IsHour = (): PropertyDecorator =>
  Matches(/^([01]\d|2[0-3]):[0-5]\d$/, { message: "$property must be a time of day, such as 22:00" });

@ApiSchema({ description: "When nothing rings or pops up, every day." })
export class QuietHoursDto {
  /** A time of day, `HH:MM`. */
  @ApiProperty({ example: "22:00" })
  @IsHour()
  from: string;
  /** If it is earlier than `from`, it is on the next day. */
  @ApiProperty({ example: "07:00" })
  @IsHour()
  to: string;
  /** IANA name. */
  @ApiProperty({ example: "Europe/Berlin" })
  @ZoneName()
  timeZone: string;
}

@ApiSchema({ description: "What you are told of while you do something else." })
export class NotificationPreferencesDto {
  /** When a contact writes in a conversation that is assigned to you. */
  @ApiProperty({ required: false, default: true })
  @Optional()
  @IsBoolean()
  mine: boolean = true;

  /** When somebody names you in a note. */
  @ApiProperty({ required: false, default: true })
  @Optional()
  @IsBoolean()
  mentions: boolean = true;

  /** When something urgent happens in your workspaces. */
  @ApiProperty({ required: false, default: true })
  @Optional()
  @IsBoolean()
  urgent: boolean = true;

  /** When a contact writes in a conversation that nobody has. */
  @ApiProperty({ required: false, default: false })
  @Optional()
  @IsBoolean()
  unassigned: boolean = false;

  /** By mail, when you have not read for ten minutes that somebody named you in a note. */
  @ApiProperty({ required: false, default: false })
  @Optional()
  @IsBoolean()
  mailMentions: boolean = false;
}

@ApiSchema({ description: "How you want the dashboard." })
export class PreferencesDto {
  /** Light or dark; `system` is what the browser says. */
  @ApiProperty({ enum: THEMES, required: false, default: "system" })
  @Optional()
  @IsIn(THEMES)
  theme: Theme = "system";

  /** ISO 639-1; null is the browser's. */
  @ApiProperty({ type: String, nullable: true, required: false, default: null, example: "de" })
  @IsOptional()
  @IsISO6391()
  language: string | null = null;

  /** Whether single letters are shortcuts. */
  @ApiProperty({ required: false, default: true })
  @Optional()
  @IsBoolean()
  shortcuts: boolean = true;

  /** What you are told of while you do something else. */
  @ApiProperty({
    type: NotificationPreferencesDto,
    required: false,
    default: { mine: true, mentions: true, urgent: true, unassigned: false, mailMentions: false },
  })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => NotificationPreferencesDto)
  notifications: NotificationPreferencesDto = new NotificationPreferencesDto();

  /** Whether notifications ring. */
  @ApiProperty({ required: false, default: false })
  @Optional()
  @IsBoolean()
  sound: boolean = false;

  /** When nothing rings or pops up, every day; null if never. */
  @ApiProperty({ type: QuietHoursDto, nullable: true, required: false, default: null })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => QuietHoursDto)
  quietHours: QuietHoursDto | null = null;

  /** The key that sends a reply: Enter with Ctrl or Cmd, or Enter alone. */
  @ApiProperty({ enum: SEND_KEYS, required: false, default: "modEnter" })
  @Optional()
  @IsIn(SEND_KEYS)
  sendWith: SendKey = "modEnter";

  /** For how long a mail or an SMS can be taken back: what the dashboard sends as `holdSeconds`. */
  @ApiProperty({ type: "integer", minimum: 0, maximum: 60, required: false, default: 10 })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(60)
  undoSeconds: number = 10;

  /** What you see after you resolved a conversation: it, the next one of the list, or the list. */
  @ApiProperty({ enum: AFTER_RESOLVE, required: false, default: "stay" })
  @Optional()
  @IsIn(AFTER_RESOLVE)
  afterResolve: AfterResolve = "stay";
}
