import { type Attachment, type ParsedMail, simpleParser } from "mailparser";
import { MAX_ATTACHMENTS, MAX_BODY } from "../../conversations/message-limits.js";
import type { FetchedMail } from "./fetched-mail.js";
import { withoutQuotedText } from "./quoted-text.js";
import { addressOf, clean, MailHeaders } from "./mail-headers.js";
import { classifyMail } from "./classify-mail.js";
import { readDeliveryReport } from "./delivery-report.js";
import {
  answersOf,
  externalIdOf,
  type MailFile,
  type ParsedMessage,
  UNKNOWN_SENDER,
  unreadable,
} from "./parsed-message.js";

/** Characters of HTML that are converted to text. The original mail is kept. */
const MAX_HTML = 500_000;
/** A longer text is cut off in the message, and the original mail is kept. */
const LONG_BODY = 0.9 * MAX_BODY;
const MAX_SUBJECT = 500;
const MAX_NAME = 200;
/** More addresses of a header are not looked at. */
const MAX_PEOPLE = 100;
const MAX_FILE_NAME = 1_000;
/** How far into a report the header of the reported mail is looked for. */
const REPORT_BYTES = 1_048_576;
const DAY_MS = 86_400_000;
/** The mail's own date counts if it is within this time before its arrival on the server. */
const MAX_DRIFT_MS = 30 * DAY_MS;

/**
 * Parses any mail, broken ones included: `missing` says what could not be read. The libraries that it uses need more than linear
 * time for some mails, so it runs in a worker: see `mail-parser.ts`.
 */
export async function parseMail(fetched: FetchedMail, channelAddress: string): Promise<ParsedMessage> {
  const options = {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    keepCidLinks: true,
    keepDeliveryStatus: true,
  };
  const parsed = await simpleParser(fetched.source, options).catch(() => undefined);
  return parsed ? describe(fetched, parsed, channelAddress) : unreadable(fetched, channelAddress);
}

async function describe(fetched: FetchedMail, mail: ParsedMail, channelAddress: string): Promise<ParsedMessage> {
  const headers = new MailHeaders(mail.headerLines);
  const subject = clean(mail.subject ?? "")
    .replace(/\s+/g, " ")
    .trim();
  const from = senderOf(mail, channelAddress);
  const { text, formatted } = await textOf(mail);
  const { body, shortened } = withoutQuotedText(text, subject);
  const characters = [...body.slice(0, 2 * MAX_BODY)];
  const beginning = fetched.source.length < fetched.size;
  // A mail that was cut off ends in the middle of a file.
  const attachments = beginning ? [] : mail.attachments;
  const machineReadable = attachments.filter(({ contentType }) => MACHINE_READABLE.test(contentType));
  const origin = classifyMail(headers, { from: from?.address, subject, channelAddress });
  return {
    origin,
    subject: subject.slice(0, MAX_SUBJECT).toWellFormed() || null,
    body: characters.slice(0, MAX_BODY).join("").toWellFormed(),
    cutOff: characters.length > MAX_BODY,
    answers: answersOf(headers),
    externalId: await externalIdOf(headers, fetched),
    from: from ?? { address: UNKNOWN_SENDER, name: null },
    occurredAt: dateOf(mail.date, fetched.at).toISOString(),
    files: attachments.slice(0, MAX_ATTACHMENTS).map(fileOf),
    moreFiles: Math.max(attachments.length - MAX_ATTACHMENTS, 0),
    keepOriginal:
      !beginning &&
      (shortened ||
        formatted ||
        body.length > LONG_BODY ||
        subject.length > MAX_SUBJECT ||
        attachments.length >= MAX_ATTACHMENTS),
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
            fetched.source.subarray(0, REPORT_BYTES).toString("latin1"),
            machineReadable.map(({ content }) => content.subarray(0, REPORT_BYTES).toString("latin1")),
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
    .slice(0, MAX_PEOPLE)
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
  const made = await simpleParser(htmlMail, { skipTextToHtml: true, skipTextLinks: true }).catch(() => undefined);
  return { text: clean(made?.text ?? ""), formatted: true };
}

const dateOf = (date: Date | undefined, at: Date): Date =>
  date && Math.abs(date.getTime() - at.getTime()) < MAX_DRIFT_MS && date < at ? date : at;

function fileOf({ filename, contentType, content }: Attachment): MailFile {
  return {
    name: clean((filename ?? "").slice(0, MAX_FILE_NAME)),
    // mailparser gives false, whatever its types say, for a header without a value.
    type: clean((contentType || "application/octet-stream").slice(0, MAX_FILE_NAME)),
    bytes: content,
  };
}
