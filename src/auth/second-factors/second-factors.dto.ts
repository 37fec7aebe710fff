import { ApiProperty, ApiPropertyOptional, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsObject, IsString, Length, Matches } from "class-validator";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { SECOND_FACTOR_TYPES, type SecondFactorType } from "./second-factor.entity.js";

/** What browsers exchange for passkeys; see the WebAuthn specification. */
const WEBAUTHN = { type: "object", additionalProperties: true } as const;

@ApiSchema({ description: "A second factor that you have confirmed." })
export class SecondFactorDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ enum: SECOND_FACTOR_TYPES })
  type: SecondFactorType;
  name: string;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  /** When it last completed a sign-in. Null if it never did. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  lastUsedAt: string | null;
}

@ApiSchema({ description: "Your second factors." })
export class SecondFactorsDto {
  /** Whether your tenant requires a second factor. */
  required: boolean;
  /** Your second factors that are confirmed. */
  @ApiProperty({ type: [SecondFactorDto] })
  factors: SecondFactorDto[];
  /** How many of your recovery codes are not used yet. */
  @ApiProperty({ example: 10 })
  recoveryCodesLeft: number;
}

export class AddSecondFactorDto {
  /** `totp`: an authenticator app, at most one. `passkey`: at most ten. */
  @ApiProperty({ enum: SECOND_FACTOR_TYPES })
  @IsIn(SECOND_FACTOR_TYPES)
  type: SecondFactorType;

  /** 1 to 100 characters. */
  @ApiProperty({ example: "Phone" })
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name: string;
}

@ApiSchema({ description: "What an authenticator app needs to be set up." })
export class NewTotpDto {
  /** In Base32, for typing it in. It is never shown again. */
  @ApiProperty({ example: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP" })
  secret: string;
  /** The same as an address; show it as a QR code. */
  @ApiProperty({ example: "otpauth://totp/Parley:grace%40example.com?issuer=Parley&secret=…" })
  url: string;
}

@ApiSchema({ description: "A second factor that you have yet to confirm." })
export class NewSecondFactorDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ enum: SECOND_FACTOR_TYPES })
  type: SecondFactorType;
  name: string;
  /** For an authenticator app; null for a passkey. */
  @ApiProperty({ type: NewTotpDto, nullable: true })
  totp: NewTotpDto | null;
  /** For a passkey: the argument `publicKey` of `navigator.credentials.create`, as JSON; null for an authenticator app. */
  @ApiProperty({ ...WEBAUTHN, nullable: true })
  passkeyOptions: object | null;
}

const Code = (): PropertyDecorator => Matches(/^\d{6}$/, { message: "code must have 6 digits" });

export class ConfirmSecondFactorDto {
  /** The code that the authenticator app shows. */
  @ApiPropertyOptional({ example: "123456" })
  @Optional()
  @Code()
  code?: string;

  /** The passkey that the browser made, as JSON. */
  @ApiPropertyOptional(WEBAUTHN)
  @Optional()
  @IsObject()
  passkey?: object;
}

@ApiSchema({ description: "Codes that each replace the second factor of one sign-in. They are shown this once." })
export class RecoveryCodesDto {
  /** Each works once. They are never shown again. */
  @ApiProperty({ type: [String], example: ["a2bc-d3ef-g4hi-j5kl"] })
  codes: string[];
}

/** Exactly one of `code`, `recoveryCode` and `passkey`. */
export class CompleteSignInDto {
  /** From the answer to the sign-in. */
  @IsString()
  @Length(1, 200)
  token: string;

  /** The code that the authenticator app shows. */
  @ApiPropertyOptional({ example: "123456" })
  @Optional()
  @Code()
  code?: string;

  /** One of your recovery codes. It works once. */
  @ApiPropertyOptional({ example: "a2bc-d3ef-g4hi-j5kl" })
  @Optional()
  @IsString()
  @Length(1, 40)
  recoveryCode?: string;

  /** The answer of `navigator.credentials.get`, as JSON. */
  @ApiPropertyOptional(WEBAUTHN)
  @Optional()
  @IsObject()
  passkey?: object;
}

const METHODS = namedEnum("SecondFactorMethod", "A way to complete a sign-in.", ["totp", "passkey", "recovery_code"]);
export type Method = (typeof METHODS)[number];

@ApiSchema({ description: "A sign-in that waits for a second factor." })
class PendingSecondFactorDto {
  /** Send it to `POST /api/auth/second-factor`. It works once, for 5 minutes and 5 tries. */
  token: string;
  /** Seconds until the token expires. */
  @ApiProperty({ example: 300 })
  expiresIn: number;
  /** How you can complete the sign-in. */
  @ApiProperty({ enum: METHODS, isArray: true })
  methods: Method[];
  /** The argument `publicKey` of `navigator.credentials.get`, as JSON; null if you have no passkey. */
  @ApiProperty({ ...WEBAUTHN, nullable: true })
  passkeyOptions: object | null;
}

/** The password was right, and a second factor is needed. There is no session yet. */
@ApiSchema({ description: "The password was right, and a second factor is needed." })
export class SecondFactorNeededDto {
  secondFactor: PendingSecondFactorDto;
}
