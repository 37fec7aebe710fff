import { IsIn, IsOptional, IsString, Length, Matches, ValidateBy, ValidateIf } from "class-validator";
import { Optional } from "../../../platform/http/validation.js";
import { Secret } from "../secret.js";
import { topicOf } from "./aws.js";

const MAIL_PROVIDERS = ["postmark", "mailgun", "ses"] as const;
export type MailProviderName = (typeof MAIL_PROVIDERS)[number];

const isOf =
  (provider: MailProviderName) =>
  (settings: object): boolean =>
    (settings as InboundSettings).provider === provider;
export const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-z]{2}(?:-[a-z0-9]{1,12}){1,4}$/;

/** A field that only Amazon SES has. */
const OnlyForSes = (): PropertyDecorator =>
  ValidateBy({
    name: "onlyForSes",
    validator: {
      validate: (value: unknown, args) => value == null || isOf("ses")(args!.object),
      defaultMessage: (args) => `${args!.property} is for the provider ses`,
    },
  });

export class InboundSettings {
  @IsIn(MAIL_PROVIDERS)
  provider: MailProviderName;

  /** The SNS topic that SES publishes to. Anybody has topics of their own: those of others are refused. */
  @ValidateIf((settings: InboundSettings, value) => value != null || isOf("ses")(settings))
  @OnlyForSes()
  @ValidateBy({
    name: "topicArn",
    validator: {
      validate: (value: unknown) => topicOf(value) !== undefined,
      defaultMessage: () => "topicArn must be the ARN of an SNS topic",
    },
  })
  topicArn?: string | null;

  /** Where SES stores mails, if it does. Those of more than 150 kB come in no other way. */
  @IsOptional()
  @OnlyForSes()
  @IsString()
  @Matches(BUCKET, { message: "bucket must be the name of an S3 bucket" })
  bucket?: string | null;

  /** The region of the bucket, if it is not the topic's. */
  @IsOptional()
  @OnlyForSes()
  @IsString()
  @Matches(REGION, { message: "bucketRegion must be a region, such as eu-central-1" })
  bucketRegion?: string | null;
}

/** What sends, as with any mail server. */
class SendingCredentials {
  @Secret()
  username: string;

  @Secret()
  password: string;

  @Optional()
  @Secret()
  smtpUsername?: string;

  @Optional()
  @Secret()
  smtpPassword?: string;
}

export class PostmarkCredentials extends SendingCredentials {
  /** The password in the address that Postmark calls, because Postmark signs nothing. */
  @IsString()
  @Length(32, 256)
  @Matches(/^[\w.~-]*$/, { message: "webhookSecret must have only letters, digits and . _ ~ -" })
  webhookSecret: string;
}

export class MailgunCredentials extends SendingCredentials {
  /** The "HTTP webhook signing key" of the account. */
  @Secret()
  signingKey: string;
}

export class SesCredentials extends SendingCredentials {
  /** May read the bucket. Set both or neither. */
  @ValidateIf(({ accessKeyId, secretAccessKey }: SesCredentials) => Boolean(accessKeyId ?? secretAccessKey))
  @Secret()
  accessKeyId?: string;

  @ValidateIf(({ accessKeyId, secretAccessKey }: SesCredentials) => Boolean(accessKeyId ?? secretAccessKey))
  @Secret()
  secretAccessKey?: string;
}

/** The credentials of a channel whose mails a provider sends. */
export const INBOUND_CREDENTIALS: Record<MailProviderName, new () => object> = {
  postmark: PostmarkCredentials,
  mailgun: MailgunCredentials,
  ses: SesCredentials,
};
