import { ApiProperty } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  ValidateBy,
  ValidateNested,
} from "class-validator";
import { Optional } from "../../platform/http/validation.js";

const VISIBLE = /^[\x21-\x7e]*$/;

export class EidSchemeDto {
  /** Unique in the workspace; stands in identity events as `eid:<name>`. */
  name: string;
  issuer: string;
  clientId: string;
  /** Whether a client secret is stored. It is never shown. */
  hasSecret: boolean;
  acrValues: string[];
  personIdentifierClaim: string;
}

export class EidSchemesDto {
  schemes: EidSchemeDto[];
}

/** An issuer is compared to the letter, so that it is taken as the client reads it, without what OpenID Connect does not allow in it. */
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

export class PutEidSchemeDto {
  /** Unique in the workspace: small letters, digits, `_` and `-`, 1 to 40 characters. It stands in identity events as `eid:<name>`. */
  @ApiProperty({ example: "bank-id" })
  @Matches(/^[a-z0-9_-]{1,40}$/, { message: "name must be 1 to 40 small letters, digits, _ and -" })
  name: string;

  /** The OpenID provider's issuer: https (or http, for hosts that the server's `OUTBOUND_ALLOW` names), without query and fragment, at most 500 characters. */
  @ApiProperty({ example: "https://eid.example.com" })
  @ValidateBy({
    name: "isIssuer",
    validator: {
      validate: isIssuer,
      defaultMessage: () => "issuer must be an absolute https address without user, password, query and fragment",
    },
  })
  issuer: string;

  /** 1 to 200 visible ASCII characters. */
  @ApiProperty({ example: "parley" })
  @IsString()
  @Length(1, 200)
  @Matches(VISIBLE, { message: "clientId must be visible ASCII characters" })
  clientId: string;

  /** 1 to 1,000 visible ASCII characters. Left out, the one stored under the same name stays as long as the issuer is on the same host; `null` removes it. It is never shown. */
  @ApiProperty({ type: String, nullable: true, required: false, writeOnly: true, example: "…" })
  @IsOptional()
  @IsString()
  @Length(1, 1_000)
  @Matches(VISIBLE, { message: "clientSecret must be visible ASCII characters" })
  clientSecret?: string | null;

  /** Levels of the provider's, any of which is enough, at most 10: asked for, and compared with `acr` of the ID token. Empty, which is the default: whatever the provider does. */
  @ApiProperty({ type: [String], required: false, example: ["urn:example:loa:substantial"] })
  @Optional()
  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 200, { each: true })
  @Matches(VISIBLE, { each: true, message: "each value in acrValues must be visible ASCII characters" })
  acrValues?: string[] = [];

  /** The claim of the ID token that says, for ever, which person it is; 1 to 100 characters. It is compared by a keyed hash and never kept. */
  @ApiProperty({ required: false, default: "sub", example: "sub" })
  @Optional()
  @IsString()
  @Length(1, 100)
  personIdentifierClaim?: string = "sub";
}

export class PutEidSchemesDto {
  /** All of them, at most 10; what is not among them is removed. */
  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique((scheme?: PutEidSchemeDto) => scheme?.name, { message: "the names of schemes must differ" })
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => PutEidSchemeDto)
  schemes: PutEidSchemeDto[];
}
