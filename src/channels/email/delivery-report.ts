import type { MailHeaders } from "./mail-headers.js";

/** What a mail server reports about a mail of ours: a bounce, a delivery or a read receipt. */
export interface DeliveryReport {
  messageId: string;
  status: "failed" | "delivered" | "read";
  recipient?: string;
  reason?: string;
}

const REPORTED_ID = /^[> \t]*(?:original-)?message-id[ \t]*:[ \t]*(<[\da-f-]{36}@parley>)/im;
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
  const messageId = ownMessageId(REPORTED_ID.exec(unfold(source))?.[1] ?? headers.get("in-reply-to") ?? "");
  if (!messageId) return undefined;
  const fields = fieldsOf(parts);
  const field = (name: string): string | undefined => fields.get(name);
  if (field("disposition")?.toLowerCase().includes("displayed")) return { messageId, status: "read" };
  const [action, code] = [field("action")?.toLowerCase(), field("status")];
  if (action === "delivered" && code?.startsWith("2")) return { messageId, status: "delivered" };
  // A delay is not reported on. A server that gives up after days says `failed`, with status 4.4.7.
  const failed =
    action === undefined
      ? code?.startsWith("5") === true || (!parts.length && headers.get("x-failed-recipients") !== undefined)
      : action === "failed";
  if (!failed) return undefined;
  const recipient = (field("final-recipient") ?? headers.get("x-failed-recipients"))?.replace(/^[^;]*;/, "").trim();
  return {
    messageId,
    status: "failed",
    recipient,
    reason:
      field("diagnostic-code")
        ?.replace(/^[^;]*;/, "")
        .trim() ?? code,
  };
}

const unfold = (text: string): string => text.replace(/\r?\n[ \t]+/g, " ");

/** Longer than what a mail server writes about a failure. */
const MAX_FIELD = 2_000;

/** The fields of all parts, by their names in lower case. The first of several with one name counts. */
function fieldsOf(parts: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of unfold(parts.join("\n")).split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).trimEnd().toLowerCase();
    const value = line.slice(colon + 1, colon + 1 + MAX_FIELD).trim();
    if (colon > 0 && value && !fields.has(name)) fields.set(name, value);
  }
  return fields;
}
