import { OWN_RIGHT_SIDE } from "../../platform/outbox/message-id.js";
import { deliveryReason } from "./delivery-reason.js";
import { addressOf, type MailHeaders } from "./mail-headers.js";

/** Somebody whom a mail of ours did not reach. */
export interface FailedRecipient {
  /** As we wrote it; undefined if the report does not name anybody. */
  address: string | undefined;
  /** For a person. */
  reason: string;
  /** What the server said: it may name the address. */
  said: string;
}

/** What a mail server reports about a mail of ours: a bounce, a delivery or a read receipt. */
export interface DeliveryReport {
  messageId: string;
  status: "failed" | "delivered" | "read";
  /** Of a bounce, at least one. */
  failed: FailedRecipient[];
  /** Otherwise: whom it reached, or who read it, as of `FailedRecipient`. At least one. */
  reached: FailedRecipient["address"][];
}

const REPORTED_ID = new RegExp(
  String.raw`^[> \t]*(?:original-)?message-id[ \t]*:[ \t]*(<[\da-f-]{36}${OWN_RIGHT_SIDE})`,
  "im",
);
const OWN_ID = new RegExp(
  String.raw`^\s*<([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})${OWN_RIGHT_SIDE}`,
  "i",
);

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
  const groups = groupsOf(parts);
  const failed = groups.filter(hasFailed);
  // Old servers write no machine-readable part.
  const named = headers.get("x-failed-recipients");
  if (!failed.length && !parts.length && named !== undefined)
    failed.push(...named.split(",", MAX_RECIPIENTS).map((one) => new Map([["final-recipient", one]])));
  if (failed.length) return { messageId, status: "failed", failed: failed.map(recipientOf), reached: [] };
  const read = groups.filter((group) => group.get("disposition")?.toLowerCase().includes("displayed"));
  if (read.length) return { messageId, status: "read", failed: [], reached: read.map(addressIn) };
  const arrived = groups.filter(
    (group) => group.get("action")?.toLowerCase() === "delivered" && group.get("status")?.startsWith("2"),
  );
  return arrived.length ? { messageId, status: "delivered", failed: [], reached: arrived.map(addressIn) } : undefined;
}

type Group = Map<string, string>;

/** A delay is no failure. A server that gives up after days says `failed`, with status 4.4.7. */
function hasFailed(group: Group): boolean {
  const action = group.get("action")?.toLowerCase();
  return action === undefined ? group.get("status")?.startsWith("5") === true : action === "failed";
}

/** The first is the address that we wrote to. The second may be where the other side passed it on to. */
function addressIn(group: Group): string | undefined {
  const [address] = ["original-recipient", "final-recipient"].flatMap((name) => {
    const valid = addressOf(withoutType(group.get(name))?.replace(/^<|>$/g, ""));
    return valid ? [valid] : [];
  });
  return address;
}

function recipientOf(group: Group): FailedRecipient {
  const address = addressIn(group);
  const [code, diagnostic] = [group.get("status"), withoutType(group.get("diagnostic-code"))];
  const said = (diagnostic || code || "").replace(/[\0\s]+/g, " ").trim();
  const reason = deliveryReason(code, diagnostic) ?? "the receiving server does not accept it";
  return { address, reason, said: said.slice(0, MAX_SAID) };
}

/** Without the type before a semicolon: `rfc822; ada@example.org`. */
const withoutType = (value: string | undefined): string | undefined => value?.replace(/^[^;]*;/, "").trim();
const unfold = (text: string): string => text.replace(/\r?\n[ \t]+/g, " ");

/** Longer than what a mail server writes about a failure. */
const MAX_FIELD = 2_000;
const MAX_SAID = 300;
/** More recipients of a report are not looked at. */
const MAX_RECIPIENTS = 50;

/**
 * The fields of each recipient, by their names in lower case. An empty line ends a group. The first of several with one name
 * counts.
 */
function groupsOf(parts: readonly string[]): Group[] {
  const groups: Group[] = [];
  let fields: Group = new Map();
  const end = (): void => {
    if (fields.size) groups.push(fields);
    fields = new Map();
  };
  for (const part of parts) {
    for (const line of unfold(part).split(/\r?\n/)) {
      if (!line.trim()) end();
      const colon = line.indexOf(":");
      const name = line.slice(0, colon).trimEnd().toLowerCase();
      const value = line.slice(colon + 1, colon + 1 + MAX_FIELD).trim();
      if (colon > 0 && value && !fields.has(name)) fields.set(name, value);
      if (groups.length > MAX_RECIPIENTS) return groups;
    }
    end();
  }
  return groups;
}
