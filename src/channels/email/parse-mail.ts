import { createHash } from "node:crypto";
import { type Attachment, type ParsedMail, simpleParser } from "mailparser";
import { MAX_ATTACHMENTS, MAX_BODY } from "../../conversations/messages.dto.js";
import { withTimeout } from "../with-timeout.js";
import type { FetchedMail } from "./fetched-mail.js";
import { fold } from "./quoted-text.js";
import { addressOf, clean, idsIn, MailHeaders } from "./mail-headers.js";
import { type MailKind, classifyMail, type Report, reportOf } from "./classify-mail.js";

const READ_MS = 30_000;
/** Of what is made of HTML; the mail itself is kept. */
const MOST_HTML = 500_000;
/** Of a longer text a message holds the beginning. */
const LONG_BODY = 0.9 * MAX_BODY;
const MOST_SUBJECT = 500;
const MOST_NAME = 200;
/** Of References: the newest ones, which are at its end. */
const MOST_REFERENCES = 50;
const LONGEST_ID = 255;
const DAY_MS = 86_400_000;
/** A mail's own date is believed so far from the time at which the server got it. */
const MOST_DRIFT_MS = 30 * DAY_MS;

interface MailFile {
  name: string;
  type: string;
  bytes: Buffer;
}

export interface ParsedMessage {
  nature: MailKind;
  /** The same whenever the mail is read: its Message-ID, or what stands for it. */
  externalId: string;
  /** Whoever is to be answered. */
  from: { address: string; name: string | null };
  subject: string | null;
  /** What they wrote now. */
  body: string;
  occurredAt: string;
  /** Message-IDs of what it answers, the closest first. */
  answers: string[];
  files: MailFile[];
  /** All of it, where `body` and `files` are not. */
  original: MailFile | undefined;
  /** What could not be read, for a person. */
  missing: string[];
  report: Report | undefined;
}

/** Reads any mail, also one that is broken: what cannot be read is said. */
export async function parseMail(fetched: FetchedMail, channelAddress: string): Promise<ParsedMessage> {
  const options = {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    keepCidLinks: true,
    keepDeliveryStatus: true,
  };
  const parsed = await withTimeout(simpleParser(fetched.source, options), READ_MS, () => new Error("late")).catch(
    () => undefined,
  );
  return parsed ? describe(fetched, parsed, channelAddress) : unreadable(fetched, channelAddress);
}

/** A mail of which nothing but the head is understood. */
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
    nature: classifyMail(headers, { from, subject: "", channelAddress }),
    externalId: externalIdOf(headers, fetched),
    from: { address: from ?? NOBODY, name: null },
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

/** Of a mail that names no sender: nothing reaches it, by RFC 2606. */
const NOBODY = "unknown-sender@mail.invalid";

async function describe(fetched: FetchedMail, mail: ParsedMail, channelAddress: string): Promise<ParsedMessage> {
  const headers = new MailHeaders(mail.headerLines);
  const subject = clean(mail.subject ?? "")
    .replace(/\s+/g, " ")
    .trim();
  const from = senderOf(mail, channelAddress);
  const { text, formatted } = await textOf(mail);
  const { body, folded } = fold(text, subject);
  const beginning = fetched.source.length < fetched.size;
  // Of the last file of a mail that was cut off there is no more than a part.
  const attachments = beginning ? [] : mail.attachments;
  const machine = attachments.filter(({ contentType }) => FOR_MACHINES.test(contentType));
  const nature = classifyMail(headers, { from: from?.address, subject, channelAddress });
  return {
    nature,
    subject: subject.slice(0, MOST_SUBJECT).toWellFormed() || null,
    body,
    answers: answersOf(headers),
    externalId: externalIdOf(headers, fetched),
    from: from ?? { address: NOBODY, name: null },
    occurredAt: dateOf(mail.date, fetched.at).toISOString(),
    files: attachments.map(fileOf),
    original:
      !beginning && (folded || formatted || body.length > LONG_BODY || attachments.length >= MAX_ATTACHMENTS)
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
      nature === "report"
        ? reportOf(
            headers,
            fetched.source.toString("latin1"),
            machine.map(({ content }) => content.toString("latin1")),
          )
        : undefined,
  };
}

const FOR_MACHINES = /^message\/(?:delivery-status|disposition-notification|global-delivery-status)$/;

/** What is to be answered: the one address of Reply-To, unless it is the mailbox itself. */
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
  // A header that comes twice is a list.
  return [header]
    .flat()
    .flatMap((one) => one?.value ?? [])
    .flatMap((one) => one.group ?? [one])
    .flatMap(({ address, name }) => {
      const valid = addressOf(address);
      return valid
        ? [{ address: valid, name: clean(name).replace(/\s+/g, " ").trim().slice(0, MOST_NAME).toWellFormed() || null }]
        : [];
    });
}

/** @returns also whether the mail has a form that its text does not show */
async function textOf({ text = "", html }: ParsedMail): Promise<{ text: string; formatted: boolean }> {
  if (text.trim() || !html)
    return { text: clean(text), formatted: html !== false && html !== undefined && html !== "" };
  const alone = `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(html.slice(0, MOST_HTML)).toString("base64").replace(/.{76}/g, "$&\r\n")}`;
  const made = await withTimeout(
    simpleParser(alone, { skipTextToHtml: true, skipTextLinks: true }),
    READ_MS,
    () => new Error("late"),
  ).catch(() => undefined);
  return { text: clean(made?.text ?? ""), formatted: true };
}

function externalIdOf(headers: MailHeaders, { source }: FetchedMail): string {
  const [id] = idsIn(headers.get("message-id"));
  const whole = id ?? (headers.get("message-id") ? clean(headers.get("message-id")!) : "");
  if (whole && whole.length <= LONGEST_ID) return whole;
  return `sha256:${createHash("sha256")
    .update(whole || source)
    .digest("hex")}`;
}

function answersOf(headers: MailHeaders): string[] {
  return [
    ...new Set([
      ...idsIn(headers.get("in-reply-to")),
      ...idsIn(headers.get("references")).slice(-MOST_REFERENCES).reverse(),
    ]),
  ];
}

const dateOf = (date: Date | undefined, at: Date): Date =>
  date && Math.abs(date.getTime() - at.getTime()) < MOST_DRIFT_MS && date < at ? date : at;

function fileOf({ filename, contentType, content }: Attachment): MailFile {
  return { name: clean(filename ?? ""), type: contentType, bytes: content };
}

const originalOf = ({ source }: FetchedMail): MailFile => ({
  name: "original.eml",
  type: "message/rfc822",
  bytes: source,
});
