import { Transform } from "class-transformer";
import { IsBoolean, IsOptional, IsString, IsUrl, Length, Matches, ValidateBy } from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { toE164 } from "../../contacts/phone.js";

const withoutSlash = ({ value }: { value: unknown }): unknown =>
  typeof value === "string" ? value.trim().replace(/\/+$/, "") : value;
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

/** What SMS and voice have in common. */
export class TelephonySettings {
  /** Where the provider's REST interface is. */
  @Optional()
  @Address()
  apiUrl?: string = "https://api.twilio.com";

  /** Where the provider reaches us: what it signs begins with that. Default: PUBLIC_URL. */
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
  /** Spoken to the caller first, in the workspace's language. Default: a sentence that greets and, where nobody is called, asks for a message. */
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 1_000)
  greeting?: string | null;

  /** Calls are put through to this number, in E.164. */
  @IsOptional()
  @ValidateBy({
    name: "phone",
    validator: {
      validate: (value) => typeof value === "string" && toE164(value) === value,
      defaultMessage: () => "forwardTo must be a phone number in E.164",
    },
  })
  forwardTo?: string | null;

  /** Whether the caller may leave a message where nobody answers. */
  @Optional()
  @IsBoolean()
  voicemail?: boolean = true;

  /** Write down what is said, where the provider can: in English. */
  @Optional()
  @IsBoolean()
  transcribe?: boolean = true;
}

export class TelephonyCredentials {
  /** Stands in addresses. */
  @IsString()
  @Matches(/^[\w-]{1,64}$/, { message: "accountSid must consist of letters, digits, - and _" })
  accountSid: string;

  /** Of the account itself, not of an API key: the provider signs with it. */
  @IsString()
  @Matches(/^[\x21-\x7e]{1,200}$/, { message: "authToken must be one word" })
  authToken: string;
}
