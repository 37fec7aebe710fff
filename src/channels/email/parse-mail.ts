import { type Attachment, type ParsedMail, simpleParser } from "mailparser";
import { MAX_ATTACHMENTS, MAX_BODY } from "../../conversations/message-limits.js";
import type { FetchedMail } from "./fetched-mail.js";
import { withoutQuotedText } from "./quoted-text.js";
import { MAX_PEOPLE, withoutTag } from "../../conversations/participants/addresses.js";
import { peopleIn, peopleOf } from "./mail-people.js";
import { clean, isOwn, MailHeaders } from "./mail-headers.js";
import { readMail } from "./read-mail.js";
import { charsetOf, repairName } from "./repair-mail.js";
import { withoutDepth } from "./html-depth.js";
import { classifyMail, isOwnGroup } from "./classify-mail.js";
import { readDeliveryReport } from "./delivery-report.js";
import {
  answersOf,
  externalIdOf,
  type MailFile,
  type ParsedMessage,
  threadIndexOf,
  UNKNOWN_SENDER,
  unreadable,
} from "./parsed-message.js";

/** Characters of HTML that are converted to text. The original mail is kept. */
const MAX_HTML = 500_000;
/** Elements in one another. No program writes as many. */
const MAX_DEPTH = 1_000;
/** A longer text is cut off in the message, and the original mail is kept. */
const LONG_BODY = 0.9 * MAX_BODY;
const MAX_SUBJECT = 500;
/** A longer header is not read. This one names 100,000 people. */
const MAX_HEAD_BYTES = 4 * 1_048_576;
/** More senders are not looked at. */
const MAX_READ = 100;
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
    maxHeadSize: MAX_HEAD_BYTES,
  };
  const parsed = await readMail(fetched.source, options).catch(() => undefined);
  return parsed ? describe(fetched, parsed, channelAddress) : unreadable(fetched, channelAddress);
}

async function describe(fetched: FetchedMail, mail: ParsedMail, channelAddress: string): Promise<ParsedMessage> {
  const headers = new MailHeaders(mail.headerLines);
  const subject = clean(mail.subject ?? "")
    .replace(/\s+/g, " ")
    .trim();
  const from = senderOf(mail, headers, channelAddress);
  const { text, formatted } = await textOf(mail);
  // A mail whose boundaries are wrong has its text between them.
  const unparted =
    text.trim() || formatted || mail.attachments.length ? "" : await unpartedText(fetched.source, headers);
  const { body, shortened } = withoutQuotedText(text || unparted, subject);
  const characters = [...body.slice(0, 2 * MAX_BODY)];
  const beginning = fetched.source.length < fetched.size;
  // A mail that was cut off ends in the middle of a file.
  const attachments = beginning ? [] : mail.attachments;
  const machineReadable = attachments.filter(({ contentType }) => MACHINE_READABLE.test(contentType));
  const people = peopleOf(mail, headers, { sender: from?.address, channelAddress, recipients: fetched.recipients });
  const charset = charsetOf(fetched.source);
  const origin = classifyMail(headers, { from: from?.address, subject, channelAddress });
  return {
    origin,
    subject: subject.slice(0, MAX_SUBJECT).toWellFormed() || null,
    body: characters.slice(0, MAX_BODY).join("").toWellFormed(),
    cutOff: characters.length > MAX_BODY,
    answers: answersOf(headers),
    threadIndex: threadIndexOf(headers),
    externalId: await externalIdOf(headers, fetched),
    from: from ?? { address: UNKNOWN_SENDER, name: null },
    people,
    occurredAt: dateOf(mail.date, fetched.at).toISOString(),
    files: attachments.slice(0, MAX_ATTACHMENTS).map((file) => fileOf(file, charset)),
    moreFiles: Math.max(attachments.length - MAX_ATTACHMENTS, 0),
    keepOriginal:
      !beginning &&
      (shortened ||
        formatted ||
        unparted !== "" ||
        body.length > LONG_BODY ||
        subject.length > MAX_SUBJECT ||
        attachments.length >= MAX_ATTACHMENTS),
    formatted,
    missing: [
      ...(from ? [] : ["The mail names no sender"]),
      ...(people.more ? [`The mail names ${people.more} more people: ${MAX_PEOPLE} are kept`] : []),
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

/**
 * The one address of Reply-To, unless that is the mailbox itself; otherwise the sender. A group of the company's own and the form of
 * a website may write the mailbox as the sender, and whoever wrote in Reply-To. Any other mail from the mailbox's address is ours.
 */
function senderOf(
  { from, replyTo }: ParsedMail,
  headers: MailHeaders,
  channelAddress: string,
): ParsedMessage["from"] | undefined {
  const [first] = peopleIn(from, MAX_READ);
  const replies = peopleIn(replyTo, MAX_READ);
  const reply =
    replies.length === 1 &&
    !isOwn(withoutTag(replies[0]!.address), channelAddress) &&
    (!isOwn(first?.address, channelAddress) || isOwnGroup(headers, channelAddress) || !answersOf(headers).length)
      ? replies[0]!
      : undefined;
  return reply ? { address: reply.address, name: reply.name ?? first?.name ?? null } : first;
}

/** @returns also whether the mail has formatting that the text lacks */
async function textOf({ text = "", html }: ParsedMail): Promise<{ text: string; formatted: boolean }> {
  if (text.trim() || !html)
    return { text: clean(text), formatted: html !== false && html !== undefined && html !== "" };
  const htmlMail = `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(
    withoutDepth(html.slice(0, MAX_HTML), MAX_DEPTH),
  )
    .toString("base64")
    .replace(/.{76}/g, "$&\r\n")}`;
  const made = await simpleParser(htmlMail, { skipTextToHtml: true, skipTextLinks: true }).catch(() => undefined);
  return { text: clean(made?.text ?? ""), formatted: true };
}

/** How much of a mail without parts that could be found is its text. */
const MAX_UNPARTED = 200_000;

/** What follows the header, without the lines that only programs read. */
async function unpartedText(source: Buffer, headers: MailHeaders): Promise<string> {
  const beginning = source.subarray(0, MAX_UNPARTED).toString("latin1");
  const [whole] = /\r?\n\r?\n/.exec(beginning) ?? [];
  if (whole === undefined) return "";
  const rest = beginning.slice(beginning.indexOf(whole) + whole.length);
  const encoding = headers.word("content-transfer-encoding");
  const read = async (charset: string): Promise<string> => {
    const mail = `Content-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${rest}`;
    const made = await simpleParser(Buffer.from(mail, "latin1"), { skipTextToHtml: true }).catch(() => undefined);
    return clean(made?.text ?? "");
  };
  const decoded = await read(charsetOf(source) ?? "utf-8");
  const readable = decoded.includes("\ufffd") ? await read("windows-1252") : decoded;
  const text = readable.replace(/^(?:--\S.*|Content-[\w-]+:.*(?:\n[ \t].*)*)$/gim, "");
  return text.replace(/\n{3,}/g, "\n\n").trim();
}

const dateOf = (date: Date | undefined, at: Date): Date =>
  date && Math.abs(date.getTime() - at.getTime()) < MAX_DRIFT_MS && date < at ? date : at;

function fileOf({ filename, contentType, content }: Attachment, charset: string | undefined): MailFile {
  return {
    name: clean(repairName((filename ?? "").slice(0, MAX_FILE_NAME), charset)),
    // mailparser gives false, whatever its types say, for a header without a value.
    type: clean((contentType || "application/octet-stream").slice(0, MAX_FILE_NAME)),
    bytes: content,
  };
}
