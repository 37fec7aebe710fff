import dns from "node:dns/promises";
import { domainToASCII } from "node:url";
import { Injectable, Logger, ServiceUnavailableException } from "@nestjs/common";
import addressparser from "nodemailer/lib/addressparser/index.js";
import type { MessageAuthentication } from "../../conversations/conversation.entity.js";
import { Config } from "../../platform/config/config.js";
import { withTimeout } from "../../platform/outbound/with-timeout.js";
import { recordedBy } from "./authentication-results.js";
import { isAligned, signaturesFor } from "./dkim.js";
import type { FetchedMail } from "./fetched-mail.js";
import { type HeaderField, headerFieldsOf, isPlainFrom, repeatsFields } from "./header-fields.js";
import { addressOf } from "./mail-headers.js";
import { MailParser } from "./mail-parser.js";

/**
 * For one question. All questions about a mail are asked at once, after the one about its policy. A real mail whose key cannot be
 * read in time counts as forged, so a slow name server delays mails instead.
 */
const DNS_MS = 10_000;
/** So long mails wait in their mailbox for name servers that have begun to answer nothing. Then they come in without a proof. */
const MAX_OUTAGE_MS = 3_600_000;
/** There is no such record. Any other error says nothing about the name. */
const NO_RECORD = new Set(["ENOTFOUND", "ENODATA"]);
/** With these, too, a name server has answered. Otherwise none was reached, or none could ask the servers of the internet. */
const ANSWERS = new Set([...NO_RECORD, "EREFUSED", "ENOTIMP", "EFORMERR"]);
/** A From that is longer names nobody in particular. */
const MAX_FROM = 2_000;

interface Policy {
  /** `temperror`: the DNS did not answer. */
  result: "none" | "temperror" | "policy";
  enforced: boolean;
  strict: boolean;
}

/** Finds out whether a mail comes from the domain of its sender: by its signatures, or as the receiving server recorded it. */
@Injectable()
export class MailAuthentication {
  private readonly log = new Logger("mail");
  private readonly dns = new dns.Resolver({ timeout: DNS_MS / 2, tries: 2 });
  /** When the name servers last answered anything, by the process's clock. Never, where there are none. */
  private heardAt = -Infinity;

  constructor(
    private readonly parser: MailParser,
    { DNS_SERVERS }: Config,
  ) {
    if (DNS_SERVERS.length) this.dns.setServers(DNS_SERVERS);
  }

  /**
   * @param sender the address that the mail is put down to, from its From or its Reply-To
   * @param trustedServer whose `Authentication-Results` count
   * @throws ServiceUnavailableException: the name servers answer nothing at the moment; leave the mail where it is
   */
  async of(
    tenantId: string,
    mail: FetchedMail,
    sender: string,
    trustedServer: string | null | undefined,
  ): Promise<MessageAuthentication> {
    const fields = headerFieldsOf(mail.source)?.fields ?? [];
    const recorded = trustedServer ? recordedBy(trustedServer, fields) : undefined;
    const { spf = null, dkim = null, dmarc: result, from } = recorded ?? {};
    const domain = domainToASCII(sender.slice(sender.lastIndexOf("@") + 1));
    // The server may have read another sender than we do.
    const isAbout = from === undefined || isAligned(domainToASCII(from), domain, false);
    const repeats = repeatsFields(fields);
    if (result === "fail" || (result === "pass" && isAbout && !repeats && isFrom(fields, sender)))
      return { result, spf, dkim, dmarc: result, checkedBy: "receiving server", from: sender };
    const { enforced, strict, ...policy } = await this.policyOf(domain);
    const { signed, keyless } =
      policy.result === "temperror" || repeats
        ? { signed: [], keyless: policy.result === "temperror" }
        : await this.signedBy(tenantId, mail, fields, sender, domain).catch(() => ({ signed: [], keyless: false }));
    const passed = signed.some((signing) => isAligned(signing, domain, strict));
    if (!passed && keyless && (await this.isOutage()))
      throw new ServiceUnavailableException("The name servers do not answer");
    const failed = policy.result === "policy" && !passed;
    return {
      result: passed ? "pass" : failed && enforced ? "fail" : "none",
      spf,
      dkim: passed ? "pass" : "none",
      dmarc: failed ? "fail" : policy.result === "policy" ? "pass" : policy.result,
      checkedBy: "parley",
      from: sender,
    };
  }

  /** What the domain asks receivers to do with mail that is not from it. */
  private async policyOf(domain: string): Promise<Policy> {
    // Read for the first mail: it needs 4 MB.
    const { dmarc } = await import("mailauth/lib/dmarc/index.js");
    const found = await dmarc({
      headerFrom: `postmaster@${domain}`,
      spfDomains: [],
      dkimDomains: [],
      resolver: (name) => this.texts(name),
    }).catch((error: unknown) => {
      this.log.warn(`the policy of a mail's sender cannot be read: ${(error as Error).message}`);
      return false as const;
    });
    if (!found || found.status.result === "temperror") return { result: "temperror", enforced: false, strict: false };
    if (found.status.result === "none") return { result: "none", enforced: false, strict: false };
    const asked = String(found.policy).trim().toLowerCase();
    return {
      result: "policy",
      enforced: (asked === "reject" || asked === "quarantine") && found.pct !== 0,
      strict: found.alignment?.dkim?.strict ?? false,
    };
  }

  /** @returns whose signatures are valid, and whether the DNS failed to say what the key of one is */
  private async signedBy(
    tenantId: string,
    { source }: FetchedMail,
    fields: readonly HeaderField[],
    sender: string,
    domain: string,
  ): Promise<{ signed: string[]; keyless: boolean }> {
    const names = new Set(signaturesFor(domain, fields, source.length).map(({ keyName }) => keyName));
    let keyless = false;
    const known = new Map<string, string[][]>();
    await Promise.all(
      [...names].map(async (name) => {
        try {
          known.set(name, await this.texts(name));
        } catch (error) {
          keyless ||= !NO_RECORD.has(codeOf(error));
        }
      }),
    );
    const signed = known.size ? await this.parser.verify(tenantId, source, { sender, domain, keys: known }) : [];
    return { signed, keyless };
  }

  /**
   * Whether the name servers answer nothing, not even where the root of all names is, and did so within the last hour. If they
   * answer that, the servers of the sender are gone: who sends a mail chooses them, and may not hold up a mailbox with them.
   */
  private async isOutage(): Promise<boolean> {
    const before = performance.now();
    await this.ask(this.dns.resolveNs(".")).catch(() => undefined);
    return this.heardAt < before && before - this.heardAt < MAX_OUTAGE_MS;
  }

  private texts(name: string): Promise<string[][]> {
    return this.ask(this.dns.resolveTxt(name));
  }

  private async ask<T>(question: Promise<T>): Promise<T> {
    try {
      const answer = await withTimeout(question, DNS_MS, () =>
        Object.assign(new Error("The DNS did not answer in time"), { code: "ETIMEOUT" }),
      );
      this.heardAt = performance.now();
      return answer;
    } catch (error) {
      if (ANSWERS.has(codeOf(error))) this.heardAt = performance.now();
      throw error;
    }
  }
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? "";

/** Whether the mail is from this address alone. What a server checked is the From, and not where replies go. */
function isFrom(fields: readonly HeaderField[], sender: string): boolean {
  const [from, second] = fields.filter(({ name }) => name === "from");
  if (!from || second || from.value.length > MAX_FROM || !isPlainFrom(from.value)) return false;
  const people = addressparser(from.value, { flatten: true });
  return people.length === 1 && addressOf(people[0]!.address) === sender;
}
