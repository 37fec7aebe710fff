import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { FetchedMail } from "./fetched-mail.js";
import { addressOf, clean, idsIn, MailHeaders } from "./mail-headers.js";
import { classifyMail, type MailOrigin } from "./classify-mail.js";
import { type MailPeople, NOBODY, type Person } from "./mail-people.js";
import type { DeliveryReport } from "./delivery-report.js";

/** Hashed in one turn: a millisecond. */
const HASHED_AT_ONCE = 1_048_576;
/** Message-IDs read from `References`: the newest ones, which come last. */
const MAX_REFERENCES = 50;
const MAX_ID = 255;

export interface MailFile {
  name: string;
  type: string;
  bytes: Buffer;
}

export interface ParsedMessage {
  origin: MailOrigin;
  /** Its Message-ID, or a hash if it has none: the same each time the mail is read. */
  externalId: string;
  /** The person to answer. */
  from: Person;
  people: MailPeople;
  subject: string | null;
  /** The new text, without quotes and signature. */
  body: string;
  /** Whether `body` is only the beginning of the text. */
  cutOff: boolean;
  occurredAt: string;
  /** Message-IDs of the mails that it answers, the closest first. */
  answers: string[];
  /** Outlook's `Thread-Index`, in Base64. */
  threadIndex: string | null;
  /** The first ones, as many as a message may have. */
  files: MailFile[];
  /** How many more files the mail has. */
  moreFiles: number;
  /** Whether the mail itself is to be kept, because `body` and `files` do not hold all of it. */
  keepOriginal: boolean;
  /** Whether the mail has formatting that `body` lacks. */
  formatted: boolean;
  /** What could not be read, in sentences for a person. */
  missing: string[];
  report: DeliveryReport | undefined;
}

/** How much of a mail that cannot be parsed is searched for headers. */
const HEAD_BYTES = 65_536;

/** A mail that cannot be parsed: only its headers are used. Takes little time for any mail. */
export async function unreadable(fetched: FetchedMail, channelAddress: string): Promise<ParsedMessage> {
  const head = fetched.source
    .subarray(0, HEAD_BYTES)
    .toString("latin1")
    .split(/\r?\n\r?\n/, 1)[0]!
    .replace(/\r?\n[ \t]+/g, " ");
  const lines = head
    .split(/\r?\n/)
    .map((line) => ({ key: line.split(":", 1)[0]!.trim().toLowerCase(), line: line.replace(/[^\x20-\x7e]/g, "?") }));
  const headers = new MailHeaders(lines);
  const from = addressOf(/[^\s<>"(),:;@]{1,64}@[^\s<>"(),:;@]{1,255}/.exec(headers.get("from") ?? "")?.[0]);
  return {
    origin: classifyMail(headers, { from, subject: "", channelAddress }),
    externalId: await externalIdOf(headers, fetched),
    from: { address: from ?? UNKNOWN_SENDER, name: null },
    people: NOBODY,
    subject: null,
    body: "",
    cutOff: false,
    occurredAt: fetched.at.toISOString(),
    answers: answersOf(headers),
    threadIndex: threadIndexOf(headers),
    files: [],
    moreFiles: 0,
    keepOriginal: true,
    formatted: false,
    missing: ["The mail could not be read"],
    report: undefined,
  };
}

/** The sender of a mail that names none. RFC 2606: no mail reaches it. */
export const UNKNOWN_SENDER = "unknown-sender@mail.invalid";

/** Its Message-ID, or a hash if it has none. */
export async function externalIdOf(headers: MailHeaders, { source }: FetchedMail): Promise<string> {
  const [id] = idsIn(headers.get("message-id"));
  const whole = id ?? clean(headers.get("message-id") ?? "");
  // Brackets with nothing in them are the same in each mail of a broken program.
  if (!/[^<>\s]/.test(whole)) return hashOf(source);
  return whole.length <= MAX_ID ? whole : hashOf(Buffer.from(whole));
}

/** What a mail is known by whose Message-ID is another mail's already: the same each time it is read. */
export const contentIdOf = ({ source }: FetchedMail): Promise<string> => hashOf(source);

/** A mail may have 40 MB. To hash it on another thread would copy it first, in one turn of 30 ms. */
async function hashOf(bytes: Buffer): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    if (at) await setImmediate();
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE));
  }
  return `sha256:${hash.digest("hex")}`;
}

/** Message-IDs of the mails that it answers, the closest first. */
export function answersOf(headers: MailHeaders): string[] {
  return [
    ...new Set([
      ...idsIn(headers.get("in-reply-to")).slice(0, MAX_REFERENCES),
      ...idsIn(headers.get("references")).slice(-MAX_REFERENCES).reverse(),
    ]),
  ];
}

/** Outlook's own are short. Each answer makes it a little longer. */
const MAX_INDEX = 1_000;
export function threadIndexOf(headers: MailHeaders): string | null {
  const index = headers.get("thread-index")?.replace(/\s/g, "") ?? "";
  return index.length <= MAX_INDEX && /^[A-Za-z\d+/]{30,}={0,2}$/.test(index) ? index : null;
}

/** The mail itself, as a file. */
export const originalOf = ({ source }: FetchedMail): MailFile => ({
  name: "original.eml",
  type: "message/rfc822",
  bytes: source,
});
