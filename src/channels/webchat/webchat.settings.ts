import { IsBoolean, IsIn, IsOptional, IsString, Length, Matches } from "class-validator";
import { AllowedOrigins } from "../../platform/http/allowed-origins.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";

export class WebchatSettings {
  /** The pages that may show it, as `https://www.example.com`, 50 at most; none: any page. */
  @AllowedOrigins()
  allowedOrigins?: string[] = [];

  /** Stands at the top, 1 to 60 characters. Default: the brand's name. */
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 60)
  title?: string | null = null;

  /** Greets whoever has written nothing yet, 1 to 500 characters. Default: a greeting in the language. */
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 500)
  greeting?: string | null = null;

  /** `#rrggbb`. It is moved as little as it takes for everything to be read. */
  @Optional()
  @IsString()
  @Matches(/^#[0-9a-f]{6}$/i, { message: "colour must be #rrggbb" })
  colour?: string = "#1d4ed8";

  /** In which corner of the page, in the direction of its language. */
  @Optional()
  @IsIn(["end", "start"])
  position?: "end" | "start" = "end";

  /** ISO 639-1. Default: the workspace's. */
  @IsOptional()
  @IsString()
  @Matches(/^[a-z]{2}$/, { message: "language must be two letters of ISO 639-1" })
  language?: string | null = null;

  /** Whether only visitors that the customer's own server vouches for may write. */
  @Optional()
  @IsBoolean()
  requireIdentity?: boolean = false;
}

/** What goes with a setting that is not there, as in channels that were made before there were any. */
export const withDefaults = (settings: object): Required<WebchatSettings> =>
  ({ ...new WebchatSettings(), ...settings }) as Required<WebchatSettings>;

export class WebchatCredentials {
  /** Shared with the customer's server, which signs (HS256) who a visitor is; 32 to 256 characters. */
  @IsString()
  @Length(32, 256)
  @Matches(/^[\x21-\x7e]*$/, { message: "identitySecret must be printable ASCII without spaces" })
  identitySecret: string;
}
