import { IsBoolean, IsIn, IsOptional, IsString, Length, Matches } from "class-validator";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { AllowedOrigins } from "../../platform/http/allowed-origins.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";

export const POSITIONS = namedEnum("WebchatPosition", "The corner of the page that shows the chat.", ["end", "start"]);
export type Position = (typeof POSITIONS)[number];

export class WebchatSettings {
  /** Origins of the pages that may show the chat, such as `https://www.example.com`. At most 50. Empty: any page. */
  @AllowedOrigins()
  allowedOrigins?: string[] = [];

  /** The title of the chat, 1 to 60 characters. Default: the name of the brand. */
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 60)
  title?: string | null = null;

  /** Shown before the first message, 1 to 500 characters. Default: a greeting in the language. */
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 500)
  greeting?: string | null = null;

  /** `#rrggbb`. The chat adjusts it where text would be hard to read. */
  @Optional()
  @IsString()
  @Matches(/^#[0-9a-f]{6}$/i, { message: "colour must be #rrggbb" })
  colour?: string = "#1d4ed8";

  /** The corner of the page: at the end or the start of a line in the language. */
  @Optional()
  @IsIn(POSITIONS)
  position?: Position = "end";

  /** ISO 639-1. Default: the workspace's. */
  @IsOptional()
  @IsString()
  @Matches(/^[a-z]{2}$/, { message: "language must be two letters of ISO 639-1" })
  language?: string | null = null;

  /** Only visitors whose identity the customer's server has signed may write. */
  @Optional()
  @IsBoolean()
  requireIdentity?: boolean = false;
}

/** Fills in missing settings, such as those of older channels. */
export const withDefaults = (settings: object): Required<WebchatSettings> =>
  ({ ...new WebchatSettings(), ...settings }) as Required<WebchatSettings>;

export class WebchatCredentials {
  /** The customer's server signs the identity of visitors (HS256) with this. 32 to 256 characters. */
  @IsString()
  @Length(32, 256)
  @Matches(/^[\x21-\x7e]*$/, { message: "identitySecret must be printable ASCII without spaces" })
  identitySecret: string;
}
