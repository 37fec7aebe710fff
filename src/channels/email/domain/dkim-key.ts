import type { MailCheckDto } from "../../../workspaces/channel.dto.js";
import type { DnsQuestions } from "./dns-questions.js";

/** What mail services call their keys, the most common first. Each costs one question. */
const COMMON_SELECTORS = [
  "google",
  "selector1",
  "selector2",
  "default",
  "dkim",
  "mail",
  "k1",
  "s1",
  "s2",
  "fm1",
  "protonmail",
  "sig1",
  "zoho",
  "mbo0001",
  "brevo1",
  "smtp",
];

/** The newest mail from the channel's own address that came back to it: who signed it. */
export interface OwnMail {
  /** The signatures that may speak for the domain. */
  signatures: readonly { keyName: string }[];
}

const said = (result: MailCheckDto["result"], message: string): MailCheckDto => ({ result, message, record: null });

/** Whether receivers find a key for the signatures of the channel's mails (RFC 6376). Only its mail server knows the key to publish. */
export async function checkDkim(
  dns: DnsQuestions,
  domain: string,
  selector: string | null | undefined,
  own: Promise<OwnMail | undefined>,
): Promise<MailCheckDto> {
  if (selector) {
    const name = keyNameOf(selector, domain);
    return (await hasKey(dns, name))
      ? said("pass", `The key of your selector is published at ${name}`)
      : said("fail", `There is no key at ${name}: publish the record that your mail server shows for it`);
  }
  // The questions of both go out at once, because the mailbox may take long to answer.
  const [guessed, mail] = await Promise.all([firstOf(dns, domain), own]);
  const signature = mail?.signatures[0];
  if (signature)
    return (await hasKey(dns, signature.keyName))
      ? said("pass", `The newest mail of the mailbox's own is signed, with the key at ${signature.keyName}`)
      : said("fail", `The newest mail of the mailbox's own is signed, but there is no key at ${signature.keyName}`);
  if (guessed)
    return said(
      "unknown",
      `There is a key at ${guessed}. Whether your mail server signs with it is not known: if it does, enter the selector in the settings of the channel`,
    );
  return said(
    "unknown",
    `No key was found under the usual selectors of ${domain}. Turn on DKIM at your mail server, publish the record that it shows, and enter its selector in the settings of the channel`,
  );
}

const keyNameOf = (selector: string, domain: string): string => `${selector}._domainkey.${domain}`;

async function firstOf(dns: DnsQuestions, domain: string): Promise<string | undefined> {
  const names = COMMON_SELECTORS.map((selector) => keyNameOf(selector, domain));
  const found = await Promise.all(names.map((name) => hasKey(dns, name).catch(() => false)));
  return names.find((_, index) => found[index]);
}

/** An empty `p` says that the key was withdrawn. */
async function hasKey(dns: DnsQuestions, name: string): Promise<boolean> {
  const records = await dns.texts(name);
  return records.some((text) => {
    const tags = tagsOf(text);
    return Boolean(tags.get("p")) && (tags.get("v") ?? "DKIM1").toUpperCase() === "DKIM1";
  });
}

/** The tags of a record such as `v=DKIM1; p=…`. */
export const tagsOf = (text: string): Map<string, string> =>
  new Map(
    text.split(";").flatMap((tag) => {
      const equals = tag.indexOf("=");
      return equals < 0 ? [] : [[tag.slice(0, equals).trim().toLowerCase(), tag.slice(equals + 1).trim()] as const];
    }),
  );
