import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from "class-validator";
import { Optional } from "../../platform/http/validation.js";
import { BINDING_MATCHES, type BindingRule } from "./first-binding.js";

const VISIBLE = /^[\x21-\x7e]*$/;

@ApiSchema({ description: "How the first approval by an eID is matched with what is on file of a contact." })
export class EidBindingRuleDto {
  /**
   * How a first approval proves that the person is the contact. `name_and_birthdate`: the name and the date of birth of the
   * ID token are on file. `identifier`: a claim of the ID token is on file. `none`: not at all; a member confirms it.
   */
  @ApiProperty({ enum: BINDING_MATCHES })
  match: BindingRule["match"];
  /** For `name_and_birthdate`: the contact's attribute with the date of birth. */
  birthdateAttribute: string;
  /** For `identifier`: the claim of the ID token. Otherwise null. */
  @ApiProperty({ type: String, nullable: true })
  identifierClaim: string | null;
  /** For `identifier`: the contact's attribute that the claim must equal. Null: the contact's `externalId`. */
  @ApiProperty({ type: String, nullable: true })
  identifierAttribute: string | null;
}

@ApiSchema({ description: "A provider of eIDs that a workspace accepts." })
export class EidSchemeDto {
  /** Unique in the workspace. Identity events name the scheme as `eid:<name>`. */
  name: string;
  /** The OpenID provider's issuer. */
  issuer: string;
  /** The client id of Parley at the provider. */
  clientId: string;
  /** Whether a client secret is stored. It is never returned. */
  hasSecret: boolean;
  /** The provider's levels of assurance that are accepted. Empty: any level. */
  acrValues: string[];
  /** The claim of the ID token that identifies the person for good. */
  personIdentifierClaim: string;
  /** What a first approval must match, so that it binds the person to the contact. */
  binding: EidBindingRuleDto;
}

@ApiSchema({ description: "All eID schemes of a workspace." })
export class EidSchemesDto {
  /** The workspace's schemes, at most 10. */
  schemes: EidSchemeDto[];
}

/** Issuers are compared character by character, and OpenID Connect allows no query or fragment in them. */
function isIssuer(value: unknown): boolean {
  if (
    typeof value !== "string" ||
    value.length > 500 ||
    !/^https?:\/\/[\x21-\x7e]+$/.test(value) ||
    !URL.canParse(value)
  )
    return false;
  const { username, password, search, hash } = new URL(value);
  return !username && !password && !search && !hash && !/[?#]/.test(value);
}

@ApiSchema({ description: "How the first approval by an eID is matched with what is on file of a contact." })
export class PutEidBindingRuleDto implements BindingRule {
  /**
   * How a first approval proves that the person is the contact. `name_and_birthdate`: `given_name` and `family_name` (or
   * `name`) and `birthdate` of the ID token equal the contact's name and date of birth. `identifier`: a claim of the ID
   * token equals the contact's `externalId` or an attribute. `none`: a first approval raises no level until a member
   * confirms it.
   */
  @ApiProperty({ enum: BINDING_MATCHES, required: false, default: "none" })
  @Optional()
  @IsIn(BINDING_MATCHES)
  match: BindingRule["match"] = "none";

  /** For `name_and_birthdate`: the contact's attribute with the date of birth, 1 to 100 characters. */
  @ApiProperty({ type: String, required: false, default: "birthdate" })
  @Optional()
  @IsString()
  @Length(1, 100)
  birthdateAttribute: string = "birthdate";

  /** For `identifier`, which needs it: the claim of the ID token, 1 to 100 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "customer_number" })
  @ValidateIf(({ match, identifierClaim }: PutEidBindingRuleDto) => match === "identifier" || identifierClaim != null)
  @IsString()
  @Length(1, 100)
  identifierClaim: string | null = null;

  /** For `identifier`: the contact's attribute that the claim must equal, 1 to 100 characters. Default: its `externalId`. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "customerNumber" })
  @IsOptional()
  @IsString()
  @Length(1, 100)
  identifierAttribute: string | null = null;
}

@ApiSchema({ description: "An eID scheme as you write it." })
export class PutEidSchemeDto {
  /** Unique in the workspace: lowercase letters, digits, `_` and `-`, 1 to 40 characters. Identity events name the scheme as `eid:<name>`. */
  @ApiProperty({ example: "bank-id" })
  @Matches(/^[a-z0-9_-]{1,40}$/, { message: "name must be 1 to 40 lowercase letters, digits, _ and -" })
  name: string;

  /** The OpenID provider's issuer: an https URL (or http, for hosts in the server's `OUTBOUND_ALLOW`) without query and fragment, at most 500 characters. */
  @ApiProperty({ example: "https://eid.example.com" })
  @ValidateBy({
    name: "isIssuer",
    validator: {
      validate: isIssuer,
      defaultMessage: () => "issuer must be an absolute https URL without user, password, query and fragment",
    },
  })
  issuer: string;

  /** 1 to 200 visible ASCII characters. */
  @ApiProperty({ example: "parley" })
  @IsString()
  @Length(1, 200)
  @Matches(VISIBLE, { message: "clientId must be visible ASCII characters" })
  clientId: string;

  /** 1 to 1,000 visible ASCII characters. Omit it to keep the one stored under the same name, if the issuer is on the same host; `null` removes it. It is never returned. */
  @ApiProperty({ type: String, nullable: true, required: false, writeOnly: true, example: "…" })
  @IsOptional()
  @IsString()
  @Length(1, 1_000)
  @Matches(VISIBLE, { message: "clientSecret must be visible ASCII characters" })
  clientSecret?: string | null;

  /** The provider's levels of assurance, at most 10. They are requested, and the ID token's `acr` must be one of them. Default: empty, which accepts any level. */
  @ApiProperty({ type: [String], required: false, example: ["urn:example:loa:substantial"] })
  @Optional()
  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 200, { each: true })
  @Matches(VISIBLE, { each: true, message: "each value in acrValues must be visible ASCII characters" })
  acrValues?: string[] = [];

  /** The claim of the ID token that identifies the person for good, 1 to 100 characters. Only a keyed hash of it is stored. */
  @ApiProperty({ required: false, default: "sub", example: "sub" })
  @Optional()
  @IsString()
  @Length(1, 100)
  personIdentifierClaim?: string = "sub";

  /** What a first approval must match, so that it binds the person to the contact. Default: nothing, so that a member confirms it. */
  @ApiProperty({ required: false, type: PutEidBindingRuleDto })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => PutEidBindingRuleDto)
  binding?: PutEidBindingRuleDto = new PutEidBindingRuleDto();
}

export class PutEidSchemesDto {
  /** All schemes, at most 10. Schemes that are not in the list are removed. */
  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique((scheme?: PutEidSchemeDto) => scheme?.name, { message: "scheme names must be unique" })
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => PutEidSchemeDto)
  schemes: PutEidSchemeDto[];
}
