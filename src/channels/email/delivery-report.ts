import type { MailHeaders } from "./mail-headers.js";

/** What a mail server reports about a mail of ours: a bounce, a delivery or a read receipt. */
export interface DeliveryReport {
  messageId: string;
  status: "failed" | "delivered" | "read";
  recipient?: string;
  reason?: string;
}

const REPORTED_ID = /^[>\s]*(?:original-)?message-id\s*:\s*(<[\da-f-]{36}@parley>)/im;
const OWN_ID = /^\s*<([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})@parley>/i;

/** The id of the message that a Message-ID of ours names; undefined for other mails. */
export const ownMessageId = (id: string): string | undefined => OWN_ID.exec(id)?.[1]?.toLowerCase();

/**
 * What a report says about a mail of ours; undefined if it is about another mail, or only about a delay.
 * @param parts the machine-readable parts: `message/delivery-status`, `message/disposition-notification`
 */
export function readDeliveryReport(
  headers: MailHeaders,
  source: string,
  parts: readonly string[],
): DeliveryReport | undefined {
  // Not any id of ours: the report may quote the whole thread.
  const messageId = ownMessageId(REPORTED_ID.exec(source)?.[1] ?? headers.get("in-reply-to") ?? "");
  if (!messageId) return undefined;
  const text = parts.join("\n").replace(/\r?\n[ \t]+/g, " ");
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}\\s*:\\s*(.+)$`, "im").exec(text)?.[1]?.trim();
  if (/^disposition\s*:.*displayed/im.test(text)) return { messageId, status: "read" };
  const [action, code] = [field("action")?.toLowerCase(), field("status")];
  if (action === "delivered" && code?.startsWith("2")) return { messageId, status: "delivered" };
  // A delay is not reported on. A server that gives up after days says `failed`, with status 4.4.7.
  const failed =
    action === undefined
      ? code?.startsWith("5") === true || (!parts.length && headers.get("x-failed-recipients") !== undefined)
      : action === "failed";
  if (!failed) return undefined;
  const recipient = (field("final-recipient") ?? headers.get("x-failed-recipients"))?.replace(/^[^;]*;\s*/, "");
  return {
    messageId,
    status: "failed",
    recipient,
    reason: field("diagnostic-code")?.replace(/^[^;]*;\s*/, "") ?? code,
  };
}
