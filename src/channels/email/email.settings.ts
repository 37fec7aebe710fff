import { Transform, Type } from "class-transformer";
import {
  IsIn,
  IsInt,
  IsNotEmptyObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
} from "class-validator";
import { isIP } from "node:net";
import { Optional, Trimmed } from "../../platform/http/validation.js";

const NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const isHost = (value: unknown): boolean => typeof value === "string" && (isIP(value) > 0 || NAME.test(value));

export class MailServerSettings {
  @Transform(({ value }: { value: unknown }) => (typeof value === "string" ? value.trim().toLowerCase() : value))
  @ValidateBy({
    name: "host",
    validator: { validate: isHost, defaultMessage: () => "host must be the name of a server" },
  })
  host: string;

  @IsInt()
  @Min(1)
  @Max(65_535)
  port: number;

  /** `none` is only for servers that OUTBOUND_ALLOW names. */
  @Optional()
  @IsIn(["tls", "starttls", "none"])
  security?: "tls" | "starttls" | "none" = "tls";
}

export class MailboxSettings extends MailServerSettings {
  /**
   * The name (`authserv-id`) with which your mail server begins the `Authentication-Results` that it adds to each mail. Set it
   * only if the server removes such headers from the mails that it receives.
   */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === "string" ? value.trim().toLowerCase() : value))
  @IsString()
  @Length(1, 253)
  @Matches(/^[^\s;()"]+$/, { message: "authenticatedBy must be the name of a server" })
  authenticatedBy?: string | null;
}

export class EmailSettings {
  @IsNotEmptyObject()
  @ValidateNested()
  @Type(() => MailServerSettings)
  smtp: MailServerSettings;

  /** Without it the channel only sends. */
  @IsOptional()
  @ValidateNested()
  @Type(() => MailboxSettings)
  imap?: MailboxSettings | null;

  /** The sender name in outgoing mail. */
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  @Matches(/^[^\r\n]*$/, { message: "fromName must be one line" })
  fromName?: string | null;
}

const Secret = (): PropertyDecorator => (target, name) => {
  IsString()(target, name);
  Length(1, 1_000)(target, name);
  Matches(/^[^\r\n\0]*$/, { message: `${String(name)} must be one line` })(target, name);
};

export class EmailCredentials {
  @Secret()
  username: string;

  @Secret()
  password: string;

  /** Set this and `smtpPassword` if the server for sending has other credentials. */
  @Optional()
  @Secret()
  smtpUsername?: string;

  @Optional()
  @Secret()
  smtpPassword?: string;
}
