import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Transform, Type } from "class-transformer";
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from "class-validator";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { AllowedOrigins } from "../../platform/http/allowed-origins.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";

class WidgetSettings {
  /** The title, 1 to 120 characters. Null, the default: a short text in the language. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "How can we help?" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 120)
  title?: string | null = null;

  /** The colour of the button and lines, `#rrggbb`. It is darkened or lightened where text would be hard to read. */
  @ApiProperty({ required: false, default: "#1d4ed8", example: "#0f766e" })
  @Optional()
  @Transform(({ value }: { value: unknown }) => (typeof value === "string" ? value.toLowerCase() : value))
  @Matches(/^#[0-9a-f]{6}$/, { message: "colour must be # and six hexadecimal digits" })
  colour?: string = "#1d4ed8";

  /** ISO 639-1. Null, the default: the workspace's. The built-in texts exist in de, en, es, fr, it, nl and sv; other languages get English. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "en" })
  @IsOptional()
  @Matches(/^[a-z]{2}$/, { message: "language must be two small letters of ISO 639-1" })
  language?: string | null = null;

  /** Placeholder of the search field or the message field, 1 to 120 characters. Null, the default: a short text in the language. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Where is my parcel?" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 120)
  placeholder?: string | null = null;
}

@ApiSchema({ description: "How a search widget looks and what it finds." })
export class KbWidgetSettings extends WidgetSettings {
  /** How many answers at most, 1 to 10. */
  @ApiProperty({ minimum: 1, maximum: 10, required: false, default: 5 })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(10)
  results?: number = 5;

  /** Minimum confidence that an entry answers the question, 0 to 1. Entries below it are not shown. */
  @ApiProperty({ minimum: 0, maximum: 1, required: false, default: 0.1 })
  @Optional()
  @IsNumber()
  @Min(0)
  @Max(1)
  minConfidence?: number = 0.1;
}

const SHOWN = namedEnum("FieldVisibility", "Whether a form asks for a field.", ["hidden", "optional", "required"]);
export type Shown = (typeof SHOWN)[number];
/** Which fields a form has, besides the email address and the message, which are always required. */
@ApiSchema({ description: "Which fields a contact form asks for." })
export class FormFields {
  /** Whether the form asks for a name. */
  @ApiProperty({ enum: SHOWN, required: false, default: "required" })
  @Optional()
  @IsIn(SHOWN)
  name?: Shown = "required";

  /** Whether the form asks for a phone number. */
  @ApiProperty({ enum: SHOWN, required: false, default: "hidden" })
  @Optional()
  @IsIn(SHOWN)
  phone?: Shown = "hidden";

  /** Whether the form asks for a subject. */
  @ApiProperty({ enum: SHOWN, required: false, default: "optional" })
  @Optional()
  @IsIn(SHOWN)
  subject?: Shown = "optional";
}

@ApiSchema({ description: "How a contact form looks and what it asks." })
export class ContactFormSettings extends WidgetSettings {
  /** Which fields the form asks for, besides the email address and the message. */
  @ApiProperty({ type: FormFields, required: false })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => FormFields)
  fields?: FormFields = new FormFields();

  /** Shown after a message was sent, 1 to 500 characters. Null, the default: a short text in the language. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Thank you. We answer within a day." })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 500)
  thankYou?: string | null = null;

  /** A text that the sender must agree to, 1 to 1,000 characters. Time and text are kept with the conversation, in `metadata.contactForm`. Null, the default: none. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "You may keep my message to answer it." })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 1_000)
  consent?: string | null = null;
}

class WidgetDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  name: string;
  /** The widget's key on web pages. It is not a secret. */
  @ApiProperty({ example: "wgt_m2Zk0pXyQb7TtVfL9sHc4eRn" })
  publicKey: string;
  /** The origins whose pages may use the widget. Empty means any origin. */
  @ApiProperty({ type: [String], example: ["https://www.example.com"] })
  allowedOrigins: string[];
  /** A disabled widget is not shown and accepts nothing. */
  enabled: boolean;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

@ApiSchema({ description: "A search box for your own website." })
export class KbWidgetDto extends WidgetDto {
  /** Always `kb`. */
  @ApiProperty({ enum: ["kb"] })
  kind: "kb";
  @ApiProperty({ type: KbWidgetSettings })
  settings: KbWidgetSettings;
}

@ApiSchema({ description: "A contact form for your own website." })
export class ContactFormWidgetDto extends WidgetDto {
  /** Always `contact_form`. */
  @ApiProperty({ enum: ["contact_form"] })
  kind: "contact_form";
  @ApiProperty({ type: ContactFormSettings })
  settings: ContactFormSettings;
}

class CreateWidgetDto {
  /** 1 to 200 characters; visitors do not see it. */
  @ApiProperty({ example: "Help page" })
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name: string;

  /** The origins whose pages may use the widget, at most 50. Empty, the default, means any origin. */
  @AllowedOrigins()
  allowedOrigins?: string[] = [];

  /** A disabled widget is not shown and accepts nothing. */
  @Optional()
  @IsBoolean()
  enabled?: boolean = true;
}

/** Only the given fields change. A given value replaces the old one. */
class UpdateWidgetDto {
  /** 1 to 200 characters; visitors do not see it. */
  @ApiProperty({ required: false, example: "Help page" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name?: string;

  /** The origins whose pages may use the widget, at most 50. Empty means any origin. */
  @AllowedOrigins()
  allowedOrigins?: string[];

  /** A disabled widget is not shown and accepts nothing. */
  @Optional()
  @IsBoolean()
  enabled?: boolean;
}

export class CreateKbWidgetDto extends CreateWidgetDto {
  /** How the widget looks and what it finds. Missing settings get their defaults. */
  @ApiProperty({ type: KbWidgetSettings, required: false })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => KbWidgetSettings)
  settings?: KbWidgetSettings = new KbWidgetSettings();
}

export class UpdateKbWidgetDto extends UpdateWidgetDto {
  /** Replaces all settings. Missing ones get their defaults. */
  @ApiProperty({ type: KbWidgetSettings, required: false })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => KbWidgetSettings)
  settings?: KbWidgetSettings;
}

export class CreateContactFormWidgetDto extends CreateWidgetDto {
  /** How the form looks and what it asks. Missing settings get their defaults. */
  @ApiProperty({ type: ContactFormSettings, required: false })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => ContactFormSettings)
  settings?: ContactFormSettings = new ContactFormSettings();
}

export class UpdateContactFormWidgetDto extends UpdateWidgetDto {
  /** Replaces all settings. Missing ones get their defaults. */
  @ApiProperty({ type: ContactFormSettings, required: false })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => ContactFormSettings)
  settings?: ContactFormSettings;
}
