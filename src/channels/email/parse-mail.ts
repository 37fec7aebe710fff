import { createHash } from "node:crypto";
import { type Attachment, type ParsedMail, simpleParser } from "mailparser";
import { MAX_ATTACHMENTS, MAX_BODY } from "../../conversations/messages.dto.js";
import { withTimeout } from "../../platform/outbound/with-timeout.js";
import type { FetchedMail } from "./fetched-mail.js";
import { withoutQuotedText } from "./quoted-text.js";
import { addressOf, clean, idsIn, MailHeaders } from "./mail-headers.js";
import { classifyMail, type MailOrigin } from "./classify-mail.js";
import { type DeliveryReport, readDeliveryReport } from "./delivery-report.js";

const READ_MS = 30_000;
/** Characters of HTML that are converted to text. The original mail is kept. */
const MAX_HTML = 500_000;
/** A longer text is cut off in the message, and the original mail is kept. */
const LONG_BODY = 0.9 * MAX_BODY;
const MAX_SUBJECT = 500;
const MAX_NAME = 200;
/** Message-IDs read from `References`: the newest ones, which come last. */
const MAX_REFERENCES = 50;
const MAX_ID = 255;
const DAY_MS = 86_400_000;
/** The mail's own date counts if it is within this time before its arrival on the server. */
const MAX_DRIFT_MS = 30 * DAY_MS;

interface MailFile {
  name: string;
  type: string;
  bytes: Buffer;
}

export interface ParsedMessage {
  origin: MailOrigin;
  /** Its Message-ID, or a hash if it has none: the same each time the mail is read. */
  externalId: string;
  /** The person to answer. */
  from: { address: string; name: string | null };
  subject: string | null;
  /** The new text, without quotes and signature. */
  body: string;
  occurredAt: string;
  /** Message-IDs of the mails that it answers, the closest first. */
  answers: string[];
  files: MailFile[];
  /** The whole mail, if `body` and `files` do not hold all of it. */
  original: MailFile | undefined;
  /** What could not be read, in sentences for a person. */
  missing: string[];
  report: DeliveryReport | undefined;
}

/** Parses any mail, broken ones included: `missing` says what could not be read. */
export async function parseMail(fetched: FetchedMail, channelAddress: string): Promise<ParsedMessage> {
  const options = {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    keepCidLinks: true,
    keepDeliveryStatus: true,
  };
  const parsed = await withTimeout(
    simpleParser(fetched.source, options),
    READ_MS,
    () => new Error("the mail took too long to parse"),
  ).catch(() => undefined);
  return parsed ? describe(fetched, parsed, channelAddress) : unreadable(fetched, channelAddress);
}

/** A mail that cannot be parsed: only its headers are used. */
export function unreadable(fetched: FetchedMail, channelAddress: string): ParsedMessage {
  const head = fetched.source
    .subarray(0, 65_536)
    .toString("latin1")
    .split(/\r?\n\r?\n/, 1)[0]!
    .replace(/\r?\n[ \t]+/g, " ");
  const lines = head
    .split(/\r?\n/)
    .map((line) => ({ key: line.split(":", 1)[0]!.trim().toLowerCase(), line: line.replace(/[^\x20-\x7e]/g, "?") }));
  const headers = new MailHeaders(lines);
  const from = addressOf(/[^\s<>"(),:;]+@[^\s<>"(),:;]+/.exec(headers.get("from") ?? "")?.[0]);
  return {
    origin: classifyMail(headers, { from, subject: "", channelAddress }),
    externalId: externalIdOf(headers, fetched),
    from: { address: from ?? UNKNOWN_SENDER, name: null },
    subject: null,
    body: "",
    occurredAt: fetched.at.toISOString(),
    answers: answersOf(headers),
    files: [],
    original: originalOf(fetched),
    missing: ["The mail could not be read"],
    report: undefined,
  };
}

/** The sender of a mail that names none. RFC 2606: no mail reaches it. */
const UNKNOWN_SENDER = "unknown-sender@mail.invalid";

async function describe(fetched: FetchedMail, mail: ParsedMail, channelAddress: string): Promise<ParsedMessage> {
  const headers = new MailHeaders(mail.headerLines);
  const subject = clean(mail.subject ?? "")
    .replace(/\s+/g, " ")
    .trim();
  const from = senderOf(mail, channelAddress);
  const { text, formatted } = await textOf(mail);
  const { body, shortened } = withoutQuotedText(text, subject);
  const beginning = fetched.source.length < fetched.size;
  // A mail that was cut off ends in the middle of a file.
  const attachments = beginning ? [] : mail.attachments;
  const machineReadable = attachments.filter(({ contentType }) => MACHINE_READABLE.test(contentType));
  const origin = classifyMail(headers, { from: from?.address, subject, channelAddress });
  return {
    origin,
    subject: subject.slice(0, MAX_SUBJECT).toWellFormed() || null,
    body,
    answers: answersOf(headers),
    externalId: externalIdOf(headers, fetched),
    from: from ?? { address: UNKNOWN_SENDER, name: null },
    occurredAt: dateOf(mail.date, fetched.at).toISOString(),
    files: attachments.map(fileOf),
    original:
      !beginning && (shortened || formatted || body.length > LONG_BODY || attachments.length >= MAX_ATTACHMENTS)
        ? originalOf(fetched)
        : undefined,
    missing: [
      ...(from ? [] : ["The mail names no sender"]),
      ...(beginning
        ? [
            `The mail has ${Math.round(fetched.size / 1_048_576)} MB, and more than 40 MB are not taken in: this is its beginning, without its files; all of it is in the mailbox`,
          ]
        : []),
    ],
    report:
      origin === "report"
        ? readDeliveryReport(
            headers,
            fetched.source.toString("latin1"),
            machineReadable.map(({ content }) => content.toString("latin1")),
          )
        : undefined,
  };
}

const MACHINE_READABLE = /^message\/(?:delivery-status|disposition-notification|global-delivery-status)$/;

/** The one address of Reply-To, unless that is the mailbox itself; otherwise the sender. */
function senderOf({ from, replyTo }: ParsedMail, channelAddress: string): ParsedMessage["from"] | undefined {
  const [first] = people(from);
  const replies = people(replyTo);
  const reply =
    replies.length === 1 && replies[0]!.address !== channelAddress && first?.address !== channelAddress
      ? replies[0]!
      : undefined;
  return reply ? { address: reply.address, name: reply.name ?? first?.name ?? null } : first;
}

function people(header: ParsedMail["from"]): ParsedMessage["from"][] {
  // A repeated header is a list.
  return [header]
    .flat()
    .flatMap((one) => one?.value ?? [])
    .flatMap((one) => one.group ?? [one])
    .flatMap(({ address, name }) => {
      const valid = addressOf(address);
      return valid
        ? [{ address: valid, name: clean(name).replace(/\s+/g, " ").trim().slice(0, MAX_NAME).toWellFormed() || null }]
        : [];
    });
}

/** @returns also whether the mail has formatting that the text lacks */
async function textOf({ text = "", html }: ParsedMail): Promise<{ text: string; formatted: boolean }> {
  if (text.trim() || !html)
    return { text: clean(text), formatted: html !== false && html !== undefined && html !== "" };
  const htmlMail = `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(html.slice(0, MAX_HTML)).toString("base64").replace(/.{76}/g, "$&\r\n")}`;
  const made = await withTimeout(
    simpleParser(htmlMail, { skipTextToHtml: true, skipTextLinks: true }),
    READ_MS,
    () => new Error("the mail took too long to parse"),
  ).catch(() => undefined);
  return { text: clean(made?.text ?? ""), formatted: true };
}

function externalIdOf(headers: MailHeaders, { source }: FetchedMail): string {
  const [id] = idsIn(headers.get("message-id"));
  const whole = id ?? (headers.get("message-id") ? clean(headers.get("message-id")!) : "");
  if (whole && whole.length <= MAX_ID) return whole;
  return `sha256:${createHash("sha256")
    .update(whole || source)
    .digest("hex")}`;
}

function answersOf(headers: MailHeaders): string[] {
  return [
    ...new Set([
      ...idsIn(headers.get("in-reply-to")),
      ...idsIn(headers.get("references")).slice(-MAX_REFERENCES).reverse(),
    ]),
  ];
}

const dateOf = (date: Date | undefined, at: Date): Date =>
  date && Math.abs(date.getTime() - at.getTime()) < MAX_DRIFT_MS && date < at ? date : at;

function fileOf({ filename, contentType, content }: Attachment): MailFile {
  return { name: clean(filename ?? ""), type: contentType, bytes: content };
}

const originalOf = ({ source }: FetchedMail): MailFile => ({
  name: "original.eml",
  type: "message/rfc822",
  bytes: source,
});
