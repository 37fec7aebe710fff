import { createHash, createHmac, createSign, randomBytes, randomUUID } from "node:crypto";
import http, { type IncomingMessage } from "node:http";
import { exchange, type Reply } from "../../support/http.js";
import { SNS_CERTIFICATE, SNS_KEY } from "./sns-certificate.js";

export const SECRET = "a-secret-of-32-characters-at-least.";
export const SIGNING_KEY = "key-3ax6xnjp29jd6fds4gc373sgvjxteol0";
export const ADDRESS = "support@example.com";

/** A mail, each from somebody else: many from one person would be a flood. */
export function mail(
  subject: string,
  {
    id = randomUUID(),
    from = `${id}@example.org`,
    headers = "",
    body = "Where is it?",
  }: { id?: string; from?: string; headers?: string; body?: string } = {},
): string {
  return `From: Ada <${from}>\r\nTo: ${ADDRESS}\r\nSubject: ${subject}\r\nMessage-ID: <${id}@example.org>\r\n${headers}\r\n${body}\r\n`;
}

export const post = (url: string, headers: Record<string, string>, body: string | Buffer): Promise<Reply> =>
  exchange(url, { method: "POST", headers, body: Buffer.from(body) });

export const basic = (secret: string): string => `Basic ${Buffer.from(`parley:${secret}`).toString("base64")}`;

/** The document that Postmark's documentation shows, with the raw mail. */
export const postmarkBody = (
  raw: string | undefined,
  recipient = "yourhash+SampleHash@inbound.postmarkapp.com",
): string =>
  JSON.stringify({
    FromName: "Postmarkapp Support",
    MessageStream: "inbound",
    From: "support@postmarkapp.com",
    FromFull: { Email: "support@postmarkapp.com", Name: "Postmarkapp Support", MailboxHash: "" },
    To: '"Firstname Lastname" <yourhash+SampleHash@inbound.postmarkapp.com>',
    ToFull: [
      { Email: "yourhash+SampleHash@inbound.postmarkapp.com", Name: "Firstname Lastname", MailboxHash: "SampleHash" },
    ],
    Cc: '"First Cc" <firstcc@postmarkapp.com>, secondCc@postmarkapp.com>',
    CcFull: [{ Email: "firstcc@postmarkapp.com", Name: "First Cc", MailboxHash: "" }],
    OriginalRecipient: recipient,
    Subject: "Test subject",
    MessageID: "73e6d360-66eb-11e1-8e72-a8904824019b",
    ReplyTo: "replyto@postmarkapp.com",
    MailboxHash: "SampleHash",
    Date: "Fri, 1 Aug 2014 16:45:32 -04:00",
    TextBody: "This is a test text body.",
    HtmlBody: "<html><body><p>This is a test html body.</p></body></html>",
    StrippedTextReply: "This is the reply text",
    Tag: "TestTag",
    ...(raw !== undefined && { RawEmail: raw }),
    Headers: [{ Name: "X-Header-Test", Value: "" }],
    Attachments: [
      {
        Name: "test.txt",
        Content: "VGhpcyBpcyBhdHRhY2htZW50IGNvbnRlbnRz",
        ContentType: "text/plain",
        ContentLength: 45,
      },
    ],
  });
export const byPostmark = (
  url: string,
  raw: string | undefined,
  { secret = SECRET, recipient = ADDRESS } = {},
): Promise<Reply> =>
  post(url, { "content-type": "application/json", authorization: basic(secret) }, postmarkBody(raw, recipient));

export interface Signature {
  timestamp: string;
  token: string;
  signature: string;
}
export function signature({
  key = SIGNING_KEY,
  token = randomBytes(25).toString("hex"),
  ageSeconds = 0,
} = {}): Signature {
  const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds);
  return {
    timestamp,
    token,
    signature: createHmac("sha256", key)
      .update(timestamp + token)
      .digest("hex"),
  };
}
/** The fields that Mailgun's documentation names for a route whose address ends in `mime`. */
const mailgunFields = (raw: Buffer, signed: Signature, recipient: string): [string, string | Buffer][] => [
  ["recipient", recipient],
  ["sender", "bob@example.org"],
  ["from", "Bob <bob@example.org>"],
  ["subject", "Test subject"],
  ["body-mime", raw],
  ["timestamp", signed.timestamp],
  ["token", signed.token],
  ["signature", signed.signature],
];
const escaped = (value: string | Buffer): string =>
  Buffer.from(value)
    .toString("latin1")
    .replace(/[^\w.-]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, "0")}`)
    .replaceAll("%20", "+");
export function byMailgun(
  url: string,
  raw: string | Buffer,
  {
    as = "multipart",
    signed = signature(),
    recipient = ADDRESS,
    headers = {},
  }: {
    as?: "multipart" | "form" | "file";
    signed?: Signature;
    recipient?: string;
    headers?: Record<string, string>;
  } = {},
): Promise<Reply> {
  const fields = mailgunFields(Buffer.from(raw), signed, recipient);
  if (as === "form")
    return post(
      url,
      { ...headers, "content-type": "application/x-www-form-urlencoded" },
      fields.map(([name, value]) => `${name}=${escaped(value)}`).join("&"),
    );
  const parts = fields.flatMap(([name, value]) => [
    `--xyz\r\nContent-Disposition: form-data; name="${name}"${as === "file" && name === "body-mime" ? '; filename="mail.eml"' : ""}\r\n\r\n`,
    value,
    "\r\n",
  ]);
  return post(
    url,
    { ...headers, "content-type": "multipart/form-data; boundary=xyz" },
    Buffer.concat([...parts, "--xyz--\r\n"].map((part) => Buffer.from(part))),
  );
}

const REGION = "eu-central-1";
export const TOPIC = `arn:aws-test:sns:${REGION}:123456789012:incoming`;
const S3_KEYS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
export { S3_KEYS };

/** SNS and S3 in one region, on loopback. */
export interface Aws {
  url: string;
  host: string;
  readonly asked: string[];
  /** The tokens of the subscriptions that were confirmed. */
  readonly confirmed: string[];
  readonly objects: Map<string, Buffer>;
  /** Called where a whole object is asked for, of which only the beginning has been sent. Default: the rest follows at once. */
  held: (end: () => void) => void;
  close(): Promise<void>;
}
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** The signature of a request without query and body, version 4, as AWS documents it. */
function isSignedForS3({ method, url, headers }: IncomingMessage): boolean {
  const [, credential, names, given] =
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([\da-f]{64})$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  if (!credential || !names) return false;
  const [day, region] = credential.split("/") as [string, string];
  const canonical = [
    method,
    url,
    "",
    ...names.split(";").map((name) => `${name}:${headers[name] as string}`),
    "",
    names,
    headers["x-amz-content-sha256"],
  ].join("\n");
  const text = [
    "AWS4-HMAC-SHA256",
    headers["x-amz-date"],
    credential,
    createHash("sha256").update(canonical).digest("hex"),
  ].join("\n");
  const key = [day, region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${S3_KEYS.secretAccessKey}`);
  return region === REGION && hmac(key, text).toString("hex") === given;
}

export async function startAws(): Promise<Aws> {
  const server = http.createServer((request, response) => {
    const url = new URL(request.url!, "http://aws.invalid");
    aws.asked.push(url.pathname);
    if (url.pathname === CERTIFICATE_PATH) return void response.end(SNS_CERTIFICATE);
    if (url.searchParams.get("Action") === "ConfirmSubscription") {
      if (url.searchParams.get("TopicArn") !== TOPIC) return void response.writeHead(400).end();
      aws.confirmed.push(url.searchParams.get("Token")!);
      return void response.end("<ConfirmSubscriptionResponse/>");
    }
    const name = decodeURIComponent(url.pathname.slice(1));
    const object = aws.objects.get(name);
    if (!isSignedForS3(request)) return void response.writeHead(403).end();
    if (!object) return void response.writeHead(404).end();
    const [, most] = /^bytes=0-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    if (most) return void response.writeHead(206).end(object.subarray(0, Number(most) + 1));
    const begins = Math.ceil(object.length / 2);
    response.writeHead(200).write(object.subarray(0, begins));
    aws.held(() => response.end(object.subarray(begins)));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  const aws: Aws = {
    url: `http://${host}`,
    host,
    asked: [],
    confirmed: [],
    objects: new Map(),
    held: (end) => end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return aws;
}

const CERTIFICATE_PATH = "/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem";
const SIGNED: Record<string, string[]> = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
};
export type Sns = Record<string, string>;
/** A message as SNS's documentation shows it, signed. @param change what is changed before it is signed */
export function sns(aws: Aws, change: Sns, version: "1" | "2" = "2"): Sns {
  const message: Sns = {
    Type: "Notification",
    MessageId: randomUUID(),
    TopicArn: TOPIC,
    Subject: "Amazon SES Email Receipt Notification",
    Timestamp: new Date().toISOString(),
    SignatureVersion: version,
    SigningCertURL: aws.url + CERTIFICATE_PATH,
    UnsubscribeURL: `${aws.url}/?Action=Unsubscribe&SubscriptionArn=${TOPIC}`,
    ...change,
  };
  const text = SIGNED[message.Type!]!.filter((name) => message[name] !== undefined)
    .map((name) => `${name}\n${message[name]}\n`)
    .join("");
  return {
    ...message,
    Signature: createSign(version === "1" ? "RSA-SHA1" : "RSA-SHA256")
      .update(text)
      .sign(SNS_KEY, "base64"),
  };
}
export const bySns = (
  url: string,
  message: Sns,
  topic = message.TopicArn!,
  headers: Record<string, string> = {},
): Promise<Reply> =>
  post(
    url,
    {
      ...headers,
      "content-type": "text/plain; charset=UTF-8",
      "x-amz-sns-message-type": message.Type!,
      "x-amz-sns-topic-arn": topic,
    },
    JSON.stringify(message),
  );
/** A notification of a received mail, as SES's documentation shows it. */
export const received = (action: object, content?: string): string =>
  JSON.stringify({
    notificationType: "Received",
    receipt: {
      timestamp: "2015-09-11T20:32:33.936Z",
      processingTimeMillis: 222,
      recipients: [ADDRESS],
      spamVerdict: { status: "PASS" },
      virusVerdict: { status: "PASS" },
      spfVerdict: { status: "PASS" },
      dkimVerdict: { status: "PASS" },
      action: { topicArn: TOPIC, ...action },
    },
    mail: {
      timestamp: "2015-09-11T20:32:33.936Z",
      source: "61967230-7A45-4A9D-BEC9-87CBCF2211C9@example.com",
      messageId: "d6iitobk75ur44p8kdnnp7g2n800",
      destination: [ADDRESS],
      headersTruncated: false,
      headers: [{ name: "From", value: "sender@example.com" }],
    },
    ...(content !== undefined && { content }),
  });
