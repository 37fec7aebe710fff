import { Transform } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  IsUrl,
  Length,
  Matches,
  Validate,
  ValidateIf,
  type ValidationArguments,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from "class-validator";
import { Optional } from "../../../platform/http/validation.js";
import { Secret } from "../secret.js";
import { ORIGINS } from "./origins.js";

export const SIGN_IN_PROVIDERS = ["microsoft", "google", "other"] as const;
export const SIGN_IN_GRANTS = ["code", "client_credentials"] as const;

const Url = (): PropertyDecorator => (target, name) => {
  Transform(({ value }: { value: unknown }) => (typeof value === "string" ? value.trim() : value))(target, name);
  Length(1, 500)(target, name);
  IsUrl({
    require_tld: false,
    require_protocol: true,
    protocols: ["http", "https"],
    disallow_auth: true,
    allow_fragments: false,
  })(target, name);
};

const isSet = (value: unknown): boolean => value !== undefined && value !== null;
/** Only `other` needs it: Parley knows the addresses of the others. They can be set for national clouds. */
const OfOther = (needs: (settings: SignInSettings) => boolean = () => true): PropertyDecorator =>
  ValidateIf((settings: SignInSettings, value) => isSet(value) || (settings.provider === "other" && needs(settings)));

const needsTenant = ({ provider, grant }: SignInSettings): boolean =>
  provider === "microsoft" && grant === "client_credentials";

@ValidatorConstraint({ name: "grantOfProvider" })
class GrantOfProvider implements ValidatorConstraintInterface {
  validate(grant: unknown, { object }: ValidationArguments): boolean {
    return grant !== "client_credentials" || (object as SignInSettings).provider !== "google";
  }
  defaultMessage(): string {
    return "grant must be code: Google gives applications no mailbox by client_credentials";
  }
}

/** Otherwise a sign-in that says Microsoft would bring its code, its secret and its token to somebody else. */
@ValidatorConstraint({ name: "urlOfProvider" })
class UrlOfProvider implements ValidatorConstraintInterface {
  validate(url: unknown, { object }: ValidationArguments): boolean {
    const known = ORIGINS[(object as SignInSettings).provider];
    return !known || (typeof url === "string" && URL.canParse(url) && known.includes(new URL(url).origin));
  }
  defaultMessage({ property, object }: ValidationArguments): string {
    const { provider } = object as SignInSettings;
    return `${property} must begin with ${ORIGINS[provider]!.join(", ")}: for another server, set provider to other`;
  }
}

/** How Parley signs in to a mailbox without a password: OAuth 2.0. */
export class SignInSettings {
  @IsIn(SIGN_IN_PROVIDERS)
  provider: (typeof SIGN_IN_PROVIDERS)[number];

  /**
   * `code`: a member signs in as the mailbox. `client_credentials`: Parley signs in as itself, with permissions that an
   * administrator gave, as for shared mailboxes.
   */
  @Optional()
  @IsIn(SIGN_IN_GRANTS)
  @Validate(GrantOfProvider)
  grant?: (typeof SIGN_IN_GRANTS)[number] = "code";

  /** The application's id at the provider. Its secret belongs to the credentials. */
  @IsString()
  @Length(1, 255)
  @Matches(/^[\x21-\x7e]+$/, { message: "clientId must have no spaces" })
  clientId: string;

  /** Microsoft: the id or a domain of your directory. Default: any directory of a company or school. */
  @ValidateIf((settings: SignInSettings, value) => isSet(value) || needsTenant(settings))
  @IsString()
  @Matches(/^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})$/, { message: "tenant must be the id or a domain of your directory" })
  tenant?: string | null;

  /** Who issues ID tokens, as they say it (`iss`). */
  @OfOther(({ grant }) => grant !== "client_credentials")
  @Url()
  issuer?: string | null;

  @OfOther(({ grant }) => grant !== "client_credentials")
  @Url()
  @Validate(UrlOfProvider)
  authorizeUrl?: string | null;

  @OfOther()
  @Url()
  @Validate(UrlOfProvider)
  tokenUrl?: string | null;

  /** Says which account signed in, where the ID token does not. */
  @IsOptional()
  @Url()
  @Validate(UrlOfProvider)
  userinfoUrl?: string | null;

  /** What Parley asks for. Default: what it needs at this provider. */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @Matches(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/, { each: true, message: "each of scopes must be one word" })
  scopes?: string[] | null;
}

export class SignInCredentials {
  /** The application's secret at the provider. A provider that knows the application without one needs none. */
  @Optional()
  @Secret()
  clientSecret?: string;
}
