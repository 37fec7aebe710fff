import { Transform } from "class-transformer";
import { IsBoolean, IsOptional, IsString, IsUrl, Length, Matches, ValidateBy } from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { toE164 } from "../../contacts/phone.js";

const withoutSlash = ({ value }: { value: unknown }): unknown =>
  typeof value === "string" ? value.trim().replace(/(?<!\/)\/+$/, "") : value;
const Address = (): PropertyDecorator => (target, name) => {
  Transform(withoutSlash)(target, name);
  IsUrl({
    require_tld: false,
    require_protocol: true,
    protocols: ["http", "https"],
    disallow_auth: true,
    allow_fragments: false,
    allow_query_components: false,
  })(target, name);
};

/** Settings of SMS and voice channels. */
export class TelephonySettings {
  /** Base URL of the provider's REST API. */
  @Optional()
  @Address()
  apiUrl?: string = "https://api.twilio.com";

  /** The base URL at which the provider reaches this server. It is part of what the provider signs. Default: PUBLIC_URL. */
  @IsOptional()
  @Address()
  publicUrl?: string | null;
}

export class SmsSettings extends TelephonySettings {
  /** Send through this messaging service, which picks the number. */
  @IsOptional()
  @Matches(/^MG[0-9a-fA-F]{32}$/, { message: "messagingServiceSid must be MG and 32 hexadecimal digits" })
  messagingServiceSid?: string | null;
}

export class VoiceSettings extends TelephonySettings {
  /** Spoken to the caller first, in the language of the workspace. Default: a greeting that, without `forwardTo`, asks for a message. */
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 1_000)
  greeting?: string | null;

  /** Calls are forwarded to this number, in E.164. */
  @IsOptional()
  @ValidateBy({
    name: "phone",
    validator: {
      validate: (value) => typeof value === "string" && toE164(value) === value,
      defaultMessage: () => "forwardTo must be a phone number in E.164",
    },
  })
  forwardTo?: string | null;

  /** The caller can leave a message if the call is not answered. */
  @Optional()
  @IsBoolean()
  voicemail?: boolean = true;

  /** Transcribe messages. The provider supports English only. */
  @Optional()
  @IsBoolean()
  transcribe?: boolean = true;
}

export class TelephonyCredentials {
  /** Part of the URLs of the API. */
  @IsString()
  @Matches(/^[\w-]{1,64}$/, { message: "accountSid must consist of letters, digits, - and _" })
  accountSid: string;

  /** The token of the account, not of an API key: the provider signs webhooks with it. */
  @IsString()
  @Matches(/^[\x21-\x7e]{1,200}$/, { message: "authToken must be one word" })
  authToken: string;
}
