import { createVerify, type X509Certificate } from "node:crypto";
import { originOf, type Topic } from "./aws.js";

/** What SNS posts to an address, as far as it is read. */
export interface SnsMessage {
  Type: string;
  MessageId: string;
  TopicArn: string;
  Message: string;
  Timestamp: string;
  SignatureVersion: string;
  Signature: string;
  SigningCertURL: string;
  Subject?: string;
  Token?: string;
  SubscribeURL?: string;
}

const NEEDED = [
  "Type",
  "MessageId",
  "TopicArn",
  "Message",
  "Timestamp",
  "SignatureVersion",
  "Signature",
  "SigningCertURL",
] as const;
const OPTIONAL = ["Subject", "Token", "SubscribeURL"] as const;
const CONFIRMATION = ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"] as const;
/** What a signature covers, by the type of the message: `Subject` only where there is one. */
const SIGNED: Readonly<Record<string, readonly (keyof SnsMessage)[]>> = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: CONFIRMATION,
  UnsubscribeConfirmation: CONFIRMATION,
};
/** RSA by the version of the signature. Topics have version 1 unless somebody sets 2. */
const ALGORITHMS: Readonly<Record<string, string>> = { "1": "RSA-SHA1", "2": "RSA-SHA256" };
const CERTIFICATE = /^\/SimpleNotificationService-[0-9a-f]{16,64}\.pem$/;
/** SNS repeats a message for an hour at most. */
const MAX_AGE_MS = 86_400_000;
const SKEW_MS = 300_000;

/** @returns undefined if it is no message of SNS */
export function snsMessageOf(body: Readonly<Record<string, unknown>>): SnsMessage | undefined {
  const isText = (name: keyof SnsMessage): boolean => typeof body[name] === "string";
  const isMessage =
    NEEDED.every(isText) &&
    OPTIONAL.every((name) => body[name] == null || isText(name)) &&
    Object.hasOwn(SIGNED, body.Type as string);
  return isMessage ? (body as unknown as SnsMessage) : undefined;
}

/** Whether the certificate at this address is Amazon's: it is served by SNS itself, in the region of the topic. */
export function isCertificateOf(topic: Topic, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, pathname, username, password, search, hash } = new URL(address);
  return origin === originOf("sns", topic) && CERTIFICATE.test(pathname) && !username && !password && !search && !hash;
}

/** Whether this certificate's key has signed the message, within the last day. */
export function isSignedBy(message: SnsMessage, certificate: X509Certificate, now: number): boolean {
  const algorithm = Object.hasOwn(ALGORITHMS, message.SignatureVersion) && ALGORITHMS[message.SignatureVersion];
  const at = Date.parse(message.Timestamp);
  if (!algorithm || !(now - at < MAX_AGE_MS) || at - now > SKEW_MS) return false;
  const signed = SIGNED[message.Type]!.filter((name) => message[name] != null)
    .map((name) => `${name}\n${message[name]}\n`)
    .join("");
  try {
    return createVerify(algorithm).update(signed).verify(certificate.publicKey, message.Signature, "base64");
  } catch {
    return false;
  }
}
