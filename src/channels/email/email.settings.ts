import { Transform, Type } from "class-transformer";
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmptyObject,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  Validate,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationArguments,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from "class-validator";
import { isIP } from "node:net";
import { type Quote, QUOTES } from "../../conversations/quote.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { Secret } from "./secret.js";
import { graphOf } from "./sign-in/origins.js";
import { SignInSettings } from "./sign-in/sign-in.settings.js";
import { InboundSettings } from "./webhooks/inbound.settings.js";

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

export class GraphSettings {
  /** Otherwise the channel only sends. */
  @Optional()
  @IsBoolean()
  receive?: boolean = true;
}

/** The tokens that Graph takes are Microsoft's, and only Microsoft may get them. */
@ValidatorConstraint({ name: "graphOfMicrosoft" })
class GraphOfMicrosoft implements ValidatorConstraintInterface {
  validate(_: unknown, { object }: ValidationArguments): boolean {
    const { signIn } = object as EmailSettings;
    return Boolean(signIn && graphOf(signIn));
  }
  defaultMessage(): string {
    return "graph takes signIn with the provider microsoft";
  }
}

@ValidatorConstraint({ name: "notBesideGraph" })
class NotBesideGraph implements ValidatorConstraintInterface {
  validate(_: unknown, { object }: ValidationArguments): boolean {
    return !(object as EmailSettings).graph;
  }
  defaultMessage({ property }: ValidationArguments): string {
    return `${property} cannot be set beside graph, which takes its place`;
  }
}

@ValidatorConstraint({ name: "inboundAlone" })
class InboundAlone implements ValidatorConstraintInterface {
  validate(_: unknown, { object }: ValidationArguments): boolean {
    const { imap, graph, signIn } = object as EmailSettings;
    return !imap && !graph && !signIn;
  }
  defaultMessage({ object }: ValidationArguments): string {
    const { imap, graph } = object as EmailSettings;
    const beside = imap ? "imap" : graph ? "graph" : "signIn";
    return `inbound cannot be set beside ${beside}: mails come in one way, and go out with a password`;
  }
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

export class EmailSettings {
  /** Needed unless `graph` is set. */
  @ValidateIf(({ graph }: EmailSettings, value) => isSet(value) || !graph)
  @IsNotEmptyObject()
  @ValidateNested()
  @Type(() => MailServerSettings)
  @Validate(NotBesideGraph)
  smtp?: MailServerSettings | null;

  /** Without it the channel only sends. */
  @IsOptional()
  @ValidateNested()
  @Type(() => MailboxSettings)
  @Validate(NotBesideGraph)
  imap?: MailboxSettings | null;

  /** Microsoft Graph sends and receives, in place of `smtp` and `imap`. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => GraphSettings)
  @Validate(GraphOfMicrosoft)
  graph?: GraphSettings | null;

  /** A provider sends mails to us by webhook, in place of `imap`. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => InboundSettings)
  @Validate(InboundAlone)
  inbound?: InboundSettings | null;

  /** Sign in with OAuth 2.0, instead of with a password. */
  @IsOptional()
  @ValidateNested()
  @Type(() => SignInSettings)
  signIn?: SignInSettings | null;

  /** The sender name in outgoing mail. */
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  @Matches(/^[^\r\n]*$/, { message: "fromName must be one line" })
  fromName?: string | null;

  /** What mails repeat below their text, unless a reply says otherwise. */
  @Optional()
  @IsIn(QUOTES)
  quote?: Quote = "none";

  /** The selector that your mail server signs with (DKIM). Without it, the test of the channel looks for one. */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === "string" ? value.trim().toLowerCase() : value))
  @IsString()
  @Length(1, 100)
  @Matches(NAME, { message: "dkimSelector must be a selector, such as default" })
  dkimSelector?: string | null;

  /** How large a mail may be with its files, in MB. Files that do not fit are links. */
  @Optional()
  @IsInt()
  @Min(1)
  @Max(100)
  maxMessageMb?: number = 20;
  /**
   * Your mail server takes mail for `support+anything@example.com` into the mailbox `support@example.com`. Then mails to several
   * people, and forwarded ones, ask for answers to such an address, which is signed.
   */
  @Optional()
  @IsBoolean()
  plusAddressing?: boolean;
}

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

/** Whether mails come in, too. */
export function receives(settings: object): boolean {
  const { imap, graph, inbound } = settings as EmailSettings;
  return graph ? graph.receive !== false : Boolean(imap ?? inbound);
}
