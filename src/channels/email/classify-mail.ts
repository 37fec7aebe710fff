import { isOwn, type MailHeaders } from "./mail-headers.js";

/**
 * Who sent a mail. `machine`: a program, but a person may want to read it, such as an order, or a mailing list. `autoReply`: an automatic
 * answer, such as an out-of-office note. `report`: a mail server reports on a delivery. `ours`: our own mail came back.
 */
export type MailOrigin = "person" | "machine" | "autoReply" | "report" | "ours";

/** Carries the address that a mail of ours was sent from, so that it is recognised if it comes back. */
export const LOOP_HEADER = "X-Loop";

/** In a subject. A person may begin with the same words, such as a parent who writes to a school. */
const OUT_OF_OFFICE =
  /^\s*(?:auto(?:mati(?:c|sche|que|sch))?[\s-]*(?:reply|response|antwort|réponse|antwoord)\b|automatische(?:s)? antwort|automatisch antwoord|réponse automatique|respuesta automática|risposta automatica|out of (?:the )?office|abwesenheit(?:snotiz|sassistent)?\b|absence du bureau|afwezig)/i;
/** Sendmail names itself without a domain. */
const MAIL_SERVER = /^(?:mailer-daemon|mail-daemon|mdaemon)(?:@|$)/;
const POSTMASTER = /^postmaster@/;
/** Old servers say what their report is in its subject alone. */
const FAILED =
  /^\s*(?:undeliver(?:able|ed)|returned mail|delivery (?:status|failure)|mail delivery failed|unzustellbar)/i;

/** Programs that answer without `Auto-Submitted` set one of these. */
const AUTO_REPLY_HEADERS = [
  "x-autoreply",
  "x-autorespond",
  "x-autoresponder",
  "x-auto-reply",
  "x-autoreply-from",
  "x-mail-autoreply",
];

/**
 * Whether the mailbox is a group of its own company, such as a Google Group, that passes on what others write to it. Its headers are
 * those of a mailing list, and people write there all the same.
 */
export function isOwnGroup(headers: MailHeaders, channelAddress: string): boolean {
  const id = /<([^<>]{1,255})>/.exec(headers.get("list-id") ?? "")?.[1]?.toLowerCase();
  const post = /<mailto:([^<>?]{1,255})/i.exec(headers.get("list-post") ?? "")?.[1]?.toLowerCase();
  return id === channelAddress.replace("@", ".") || post === channelAddress;
}

export function classifyMail(
  headers: MailHeaders,
  { from, subject, channelAddress }: { from: string | undefined; subject: string; channelAddress: string },
): MailOrigin {
  if (isOwn(from, channelAddress) || headers.word("x-loop") === channelAddress) return "ours";
  const has = (name: string): boolean => headers.get(name) !== undefined;
  const type = headers.get("content-type")?.toLowerCase() ?? "";
  const emptySender = headers.get("return-path")?.replace(/\s/g, "") === "<>";
  const isReport = /^multipart\/report\b/.test(type);
  const report = isReport && /report-type\s*=\s*"?(?:delivery-status|disposition-notification)/.test(type);
  const submitted = headers.word("auto-submitted").replace(/^no$/, "");
  if (
    report ||
    has("x-failed-recipients") ||
    MAIL_SERVER.test(from ?? headers.word("from")) ||
    (POSTMASTER.test(from ?? "") && (emptySender || submitted || FAILED.test(subject)))
  )
    return "report";
  const precedence = headers.word("precedence");
  const soundsAutomatic = OUT_OF_OFFICE.test(subject);
  const answers = has("in-reply-to") || has("references");
  if (
    submitted === "auto-replied" ||
    precedence === "auto_reply" ||
    emptySender ||
    AUTO_REPLY_HEADERS.some(has) ||
    // Those that answer nothing are dropped, so what only sounds like one starts a conversation, for people.
    (soundsAutomatic && answers)
  )
    return "autoReply";
  // A newsletter answers nothing. What a person writes in a program for sales may be unsubscribed from as well.
  const newsletter = has("list-unsubscribe") && !has("in-reply-to");
  const list = ["bulk", "junk", "list"].includes(precedence) || has("list-id") || newsletter;
  if (
    isReport ||
    submitted ||
    soundsAutomatic ||
    has("x-auto-response-suppress") ||
    (list && !isOwnGroup(headers, channelAddress))
  )
    return "machine";
  return "person";
}
