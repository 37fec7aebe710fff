import type { MailHeaders } from "./mail-headers.js";

/**
 * Who sent a mail. `machine`: a program, but a person may want to read it, such as an order. `autoReply`: an automatic
 * answer, such as an out-of-office note. `report`: a mail server reports on a delivery. `ours`: our own mail came back.
 */
export type MailOrigin = "person" | "machine" | "autoReply" | "report" | "ours";

/** Carries the address that a mail of ours was sent from, so that it is recognised if it comes back. */
export const LOOP_HEADER = "X-Loop";

const OUT_OF_OFFICE =
  /^\s*(?:auto(?:mati(?:c|sche|que|sch))?[\s-]*(?:reply|response|antwort|réponse|antwoord)\b|automatische(?:s)? antwort|automatisch antwoord|réponse automatique|respuesta automática|risposta automatica|out of (?:the )?office|abwesenheit(?:snotiz|sassistent)?\b|absence du bureau|afwezig)/i;
const MAIL_SERVER = /^(?:mailer-daemon|mail-daemon|mdaemon)@/;
const POSTMASTER = /^postmaster@/;

export function classifyMail(
  headers: MailHeaders,
  { from, subject, channelAddress }: { from: string | undefined; subject: string; channelAddress: string },
): MailOrigin {
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
