import { ConflictException, Injectable, UnauthorizedException } from "@nestjs/common";
import { AwsV4Signer } from "aws4fetch";
import { parseJson, readBytes } from "../../../platform/http/body-reader.js";
import { clientOf } from "../../../platform/http/rate-limit.js";
import type { Request } from "../../../platform/http/request.js";
import { OutboundClient, OutboundError } from "../../../platform/outbound/outbound.client.js";
import type { OpenChannel } from "../../channel-kind.js";
import { MAX_MAIL_BYTES } from "../fetched-mail.js";
import { originOf, topicOf } from "./aws.js";
import { BUCKET, type InboundSettings, type SesCredentials } from "./inbound.settings.js";
import { type Brought, type Elsewhere, inboundOf, type MailProvider, Unusable, UnusableNow } from "./mail-provider.js";
import { SnsClient } from "./sns.client.js";
import { type SnsMessage, snsMessageOf } from "./sns-messages.js";

/** A message of SNS has at most 256 kB, before its quotes are escaped. */
const MAX_BYTES = 1_048_576;
const DOWNLOAD_MS = 60_000;
/** What Base64 consists of. No mail does: its header has colons. */
const BASE64 = /^[A-Za-z\d+/=\s]+$/;

/** A notification about a mail, as far as it is read. */
interface Notification {
  notificationType?: unknown;
  content?: unknown;
  receipt?: { recipients?: unknown; action?: { type?: unknown; bucketName?: unknown; objectKey?: unknown } };
}

/** Amazon SES publishes to a topic of SNS, which posts it: the mail itself, or where it is in S3. */
@Injectable()
export class Ses implements MailProvider {
  readonly name = "Amazon SES";
  readonly maxBytes = MAX_BYTES;

  constructor(
    private readonly sns: SnsClient,
    private readonly outbound: OutboundClient,
  ) {}

  missing({ bucket }: InboundSettings): string {
    const how = bucket
      ? `an S3 action with the bucket ${bucket} and this topic`
      : "an SNS action with this topic and the encoding Base64";
    return `subscribe the channel's address (HTTPS) to the SNS topic, and give the receipt rule at SES ${how}`;
  }

  /** SNS names the topic in a header, too. What is signed comes with the body. */
  admit(channel: OpenChannel, { headers }: Request): false {
    if (headers["x-amz-sns-topic-arn"] !== inboundOf(channel)!.topicArn) throw new UnauthorizedException();
    if (channel.environment === "test")
      throw new ConflictException(
        "On the test side nothing outside is called, and SNS is verified by a certificate of its own",
      );
    return false;
  }

  async read(channel: OpenChannel, request: Request): Promise<Brought | Elsewhere | undefined> {
    const settings = inboundOf(channel)!;
    const topic = topicOf(settings.topicArn)!;
    const message = snsMessageOf(parseJson(await readBytes(request, MAX_BYTES), "body") as Record<string, unknown>);
    if (
      !message ||
      message.TopicArn !== settings.topicArn ||
      !(await this.sns.isSigned(topic, message, clientOf(request.ip)))
    )
      throw new UnauthorizedException();
    switch (message.Type) {
      case "SubscriptionConfirmation":
        await this.sns.confirm(topic, message);
        return undefined;
      case "UnsubscribeConfirmation":
        throw new Unusable("SNS ended the subscription: subscribe the channel's address to the topic again");
      default:
        return this.mailOf(channel, message);
    }
  }

  private mailOf(channel: OpenChannel, { Message }: SnsMessage): Brought | Elsewhere | undefined {
    const { notificationType, content, receipt } = notificationOf(Message);
    // SES says with one that it may publish to the topic.
    if (notificationType !== "Received") return undefined;
    const { recipients, action } = receipt ?? {};
    const named = Array.isArray(recipients) ? recipients.filter((one) => typeof one === "string") : [];
    return typeof content === "string"
      ? { source: bytesOf(content), recipients: named }
      : { fetch: this.fromBucket(channel, action ?? {}), recipients: named };
  }

  /**
   * Who may publish to the topic may name any object, so only those in the bucket of the settings are read.
   * @throws Unusable, UnusableNow
   */
  private fromBucket(
    channel: OpenChannel,
    { type, bucketName, objectKey }: NonNullable<NonNullable<Notification["receipt"]>["action"]>,
  ): Elsewhere["fetch"] {
    const { bucket, bucketRegion, topicArn } = inboundOf(channel)!;
    const { accessKeyId, secretAccessKey } = (channel.credentials ?? {}) as Partial<SesCredentials>;
    if (type !== "S3" || typeof bucketName !== "string" || !BUCKET.test(bucketName) || typeof objectKey !== "string")
      throw new Unusable(
        "Amazon SES sent a notification without the mail: give the receipt rule an SNS action or an S3 action",
      );
    if (bucketName !== bucket || !accessKeyId || !secretAccessKey)
      // SNS does not repeat what is refused.
      throw new UnusableNow(
        `Amazon SES stored a mail in the bucket ${bucketName}: enter it in the channel's settings, and the credentials of a user who may read it`,
      );
    if (!isKey(objectKey))
      throw new Unusable(`Amazon SES sent a notification that names no object of the bucket ${bucket}`);
    const topic = topicOf(topicArn)!;
    const region = bucketRegion ?? topic.region;
    const path = [bucket, ...objectKey.split("/")].map(encodeURIComponent).join("/");
    const signer = new AwsV4Signer({
      url: `${originOf("s3", { ...topic, region })}/${path}`,
      accessKeyId,
      secretAccessKey,
      service: "s3",
      region,
    });
    return async (most) => {
      try {
        const { url, headers } = await signer.sign();
        const { bytes } = await this.outbound.download(url.href, {
          maxBytes: most ?? MAX_MAIL_BYTES,
          headers: { ...Object.fromEntries(headers), ...(most !== undefined && { range: `bytes=0-${most - 1}` }) },
          timeoutMs: DOWNLOAD_MS,
        });
        return bytes;
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        throw new UnusableNow(`The mail cannot be read from the bucket ${bucket}: ${error.message}`);
      }
    };
  }
}

/** Whether it names an object, also in an address: there `..` leads to another bucket. */
const isKey = (objectKey: string): boolean =>
  objectKey !== "" && objectKey.isWellFormed() && !objectKey.split("/").some((part) => part === "." || part === "..");

function notificationOf(text: string): Notification {
  try {
    return parseJson(Buffer.from(text), "notification");
  } catch {
    throw new Unusable("The topic gets notifications of something else than received mails");
  }
}

/** @throws Unusable: neither a mail nor Base64 */
function bytesOf(content: string): Buffer {
  if (!BASE64.test(content)) {
    if (!content.includes(":")) throw new Unusable("Amazon SES sent a notification whose content is no mail");
    return Buffer.from(content);
  }
  return Buffer.from(content, "base64");
}
