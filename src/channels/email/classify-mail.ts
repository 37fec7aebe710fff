import type { MailHeaders } from "./mail-headers.js";

/**
 * Who is behind a mail. `machine`: it was sent by one, and may well be what a person should read, such as an order. `autoReply`: it
 * answers by itself whatever comes. `report`: a mail server tells what became of a mail. `ours`: it comes back.
 */
export type MailKind = "person" | "machine" | "autoReply" | "report" | "ours";

/** Under which address a mail of ours has left: what comes back with it goes round in a circle. */
export const LOOP_HEADER = "X-Loop";

const OUT_OF_OFFICE =
  /^\s*(?:auto(?:mati(?:c|sche|que|sch))?[\s-]*(?:reply|response|antwort|réponse|antwoord)\b|automatische(?:s)? antwort|automatisch antwoord|réponse automatique|respuesta automática|risposta automatica|out of (?:the )?office|abwesenheit(?:snotiz|sassistent)?\b|absence du bureau|afwezig)/i;
const MAIL_SERVER = /^(?:mailer-daemon|mail-daemon|mdaemon)@/;
const POSTMASTER = /^postmaster@/;

export function classifyMail(
  headers: MailHeaders,
  { from, subject, channelAddress }: { from: string | undefined; subject: string; channelAddress: string },
): MailKind {
  if (from === channelAddress || headers.word("x-loop") === channelAddress) return "ours";
  const type = headers.get("content-type")?.toLowerCase() ?? "";
  const emptySender = headers.get("return-path")?.replace(/\s/g, "") === "<>";
  const report =
    /^multipart\/report\b/.test(type) && /report-type\s*=\s*"?(?:delivery-status|disposition-notification)/.test(type);
  const submitted = headers.word("auto-submitted").replace(/^no$/, "");
  if (
    report ||
    headers.get("x-failed-recipients") !== undefined ||
    MAIL_SERVER.test(from ?? "") ||
    (POSTMASTER.test(from ?? "") && (emptySender || submitted))
  )
    return "report";
  const precedence = headers.word("precedence");
  if (
    submitted === "auto-replied" ||
    precedence === "auto_reply" ||
    emptySender ||
    headers.get("x-autoreply") !== undefined ||
    headers.get("x-autorespond") !== undefined ||
    OUT_OF_OFFICE.test(subject)
  )
    return "autoReply";
  if (
    submitted ||
    precedence === "bulk" ||
    precedence === "junk" ||
    headers.get("x-auto-response-suppress") !== undefined
  )
    return "machine";
  return "person";
}

export interface Report {
  messageId: string;
  became: "failed" | "delivered" | "read";
  recipient?: string;
  reason?: string;
}

const MESSAGE_ID = /^[>\s]*(?:original-)?message-id\s*:\s*(<[\da-f-]{36}@parley>)/im;
const OURS = /^\s*<([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})@parley>/i;
/** The id of a mail of ours; undefined for any other. */
export const ourId = (id: string): string | undefined => OURS.exec(id)?.[1]?.toLowerCase();

/**
 * What a report says of a mail of ours; undefined where it is about another, or nothing is decided yet.
 * @param parts its parts for machines: `message/delivery-status`, `message/disposition-notification`
 */
export function reportOf(headers: MailHeaders, source: string, parts: readonly string[]): Report | undefined {
  // Not just any id of ours in it: it also quotes the thread.
  const messageId = ourId(MESSAGE_ID.exec(source)?.[1] ?? headers.get("in-reply-to") ?? "");
  if (!messageId) return undefined;
  const text = parts.join("\n").replace(/\r?\n[ \t]+/g, " ");
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}\\s*:\\s*(.+)$`, "im").exec(text)?.[1]?.trim();
  if (/^disposition\s*:.*displayed/im.test(text)) return { messageId, became: "read" };
  const [action, status] = [field("action")?.toLowerCase(), field("status")];
  if (action === "delivered" && status?.startsWith("2")) return { messageId, became: "delivered" };
  // What is only late is not told. A server that gives up after days says so with `failed` and a status of 4.4.7.
  const failed =
    action === undefined
      ? status?.startsWith("5") === true || (!parts.length && headers.get("x-failed-recipients") !== undefined)
      : action === "failed";
  if (!failed) return undefined;
  const recipient = (field("final-recipient") ?? headers.get("x-failed-recipients"))?.replace(/^[^;]*;\s*/, "");
  return {
    messageId,
    became: "failed",
    recipient,
    reason: field("diagnostic-code")?.replace(/^[^;]*;\s*/, "") ?? status,
  };
}
