import ipaddr from "ipaddr.js";
import net from "node:net";
import { isPublic } from "../../../platform/outbound/public-address.js";
import type { MailCheckDto } from "../../../workspaces/channel.dto.js";
import { type DnsQuestions, noRecord, type RecordType } from "./dns-questions.js";

/** Services that send from other servers than the one they take mail at, and what their customers' SPF records include. */
const SERVICES: readonly (readonly [host: RegExp, include: string])[] = [
  [/(?:^|\.)(?:gmail|google)\.com$/, "_spf.google.com"],
  [/(?:^|\.)(?:office365|outlook)\.com$/, "spf.protection.outlook.com"],
  [/(?:^|\.)amazonaws\.com$/, "amazonses.com"],
  [/(?:^|\.)sendgrid\.net$/, "sendgrid.net"],
  [/(?:^|\.)mailgun\.org$/, "mailgun.org"],
  [/(?:^|\.)postmarkapp\.com$/, "spf.mtasv.net"],
  [/(?:^|\.)brevo\.com$/, "spf.brevo.com"],
  [/(?:^|\.)fastmail\.com$/, "spf.messagingengine.com"],
  [/(?:^|\.)protonmail\.ch$/, "_spf.protonmail.ch"],
  [/(?:^|\.)mail\.me\.com$/, "icloud.com"],
  [/(?:^|\.)mailbox\.org$/, "mailbox.org"],
];
/** A name with more addresses is not the one that a customer's mail leaves from. */
const MAX_ADDRESSES = 4;
/**
 * Many times the 450 bytes that RFC 7208 asks for. mailauth takes time in the square of a name's length, after it has expanded
 * the macros, so this limit is for the expanded record.
 */
const MAX_RECORD = 2_000;
/** An IPv6 address with a dot after each digit. */
const ADDRESS_IN_MACRO = 63;
const OUR_OWN_NETWORK = new Set(["private", "loopback", "linkLocal", "uniqueLocal", "carrierGradeNat"]);

const isRecord = (text: string): boolean => /^v=spf1(?:\s|$)/i.test(text.trim());

/** What has to be in the record, so that it names the servers that send for this one. */
function mechanismFor(host: string, include: string | undefined): string {
  if (include !== undefined) return `include:${include}`;
  const family = net.isIP(host);
  return family ? `ip${family}:${host}` : `a:${host}`;
}

/** A record with the mechanism: before what ends it, or a new one. */
function recordWith(mechanism: string, old: string | undefined): string {
  if (old === undefined) return `v=spf1 ${mechanism} ~all`;
  const [version = "", ...terms] = old.trim().split(/\s+/);
  const end = terms.findIndex((term) => /^(?:[-+~?]?all$|redirect=)/i.test(term));
  return [version, ...terms.toSpliced(end < 0 ? terms.length : end, 0, mechanism)].join(" ");
}

/** Whether receivers find that the domain lets its server for sending speak for it (RFC 7208). */
export async function checkSpf(dns: DnsQuestions, domain: string, host: string): Promise<MailCheckDto> {
  const records = (await dns.texts(domain)).filter(isRecord);
  const include = SERVICES.find(([name]) => name.test(host))?.[1];
  const record = (old?: string): MailCheckDto["record"] => ({
    type: "TXT",
    name: domain,
    value: recordWith(mechanismFor(host, include), old),
  });
  if (records.length === 0) return { result: "fail", message: `${domain} has no SPF record`, record: record() };
  if (records.length > 1)
    return {
      result: "fail",
      message: `${domain} has ${records.length} SPF records, so none counts: join them into one`,
      record: null,
    };
  const addresses = (await dns.addresses(host)).slice(0, MAX_ADDRESSES);
  if (addresses.length === 0)
    return { result: "unknown", message: `No public address of ${host} was found`, record: null };
  const results = await Promise.all(addresses.map((address) => evaluate(dns, domain, address)));
  const broken = results.find(({ result }) => result === "permerror");
  if (broken)
    return { result: "fail", message: `The SPF record of ${domain} is not valid: ${broken.comment}`, record: null };
  if (results.some(({ result }) => result === "temperror"))
    return { result: "unknown", message: `The DNS did not answer all questions of the SPF record`, record: null };
  if (include !== undefined && dns.wasAskedFor(include))
    return { result: "pass", message: `The SPF record of ${domain} includes ${include}`, record: null };
  const missing = addresses.filter((_, index) => results[index]!.result !== "pass");
  if (missing.length === 0)
    return { result: "pass", message: `The SPF record of ${domain} names ${host}`, record: null };
  if (include === undefined && missing.every((address) => OUR_OWN_NETWORK.has(ipaddr.process(address).range())))
    return {
      result: "unknown",
      message: `${host} is in a private network: from which address it sends mail outside is not known`,
      record: null,
    };
  return {
    result: "fail",
    message: `The SPF record of ${domain} does not name ${host} (${missing.join(", ")})`,
    record: record(records[0]),
  };
}

async function evaluate(
  { ask }: DnsQuestions,
  domain: string,
  ip: string,
): Promise<{ result: string; comment: string }> {
  const { spf } = await import("mailauth/lib/spf/index.js");
  const sender = `postmaster@${domain}`;
  const { status } = await spf({
    ip,
    helo: domain,
    sender,
    mta: "parley",
    resolver: async (name, type) => {
      // Whom an internal address belongs to is for nobody outside.
      if (type === "PTR" && !isPublic(ip)) throw noRecord();
      const records = await ask(name, type as RecordType);
      if (type === "TXT") (records as string[][]).forEach((parts) => assertShort(parts.join(""), name, sender));
      return records as string[][];
    },
  });
  return {
    result: status.result,
    comment: String(status.comment || "")
      .replace(/^parley: /, "")
      .slice(0, 300),
  };
}

/** @throws what mailauth takes for an invalid record */
function assertShort(text: string, name: string, sender: string): void {
  if (!isRecord(text)) return;
  const macros = text.split("%{").length - 1;
  if (text.length + macros * Math.max(sender.length, ADDRESS_IN_MACRO) <= MAX_RECORD) return;
  const spfResult = { error: "permerror", text: `the record of ${name} is longer than ${MAX_RECORD} characters` };
  throw Object.assign(new Error(spfResult.text), { spfResult });
}
