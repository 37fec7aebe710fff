import { isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import { Injectable } from "@nestjs/common";
import { Config } from "../../../platform/config/config.js";
import { withTimeout } from "../../../platform/outbound/with-timeout.js";
import type { MailCheckDto, MailDomainDto } from "../../../workspaces/channel.dto.js";
import type { EmailSettings, MailServerSettings } from "../email.settings.js";
import { checkDkim, type OwnMail } from "./dkim-key.js";
import { checkDmarc } from "./dmarc.js";
import { DnsQuestions } from "./dns-questions.js";
import { checkSpf } from "./spf.js";

/** Less than the test of a channel may take. */
const CHECK_MS = 8_000;
/** What is sent by Microsoft Graph leaves from the same servers. */
const SENDS_FOR_GRAPH = "smtp.office365.com";

/** What receivers find when they ask who may send for a channel's address. */
@Injectable()
export class MailDomain {
  constructor(private readonly config: Config) {}

  /** @param own the newest mail of the mailbox's own, if one was found; it never fails */
  async check(
    address: string,
    { smtp, dkimSelector }: EmailSettings,
    own: Promise<OwnMail | undefined>,
  ): Promise<MailDomainDto> {
    const domain = domainToASCII(address.slice(address.lastIndexOf("@") + 1)).toLowerCase();
    const until = performance.now() + CHECK_MS;
    const dns = new DnsQuestions(this.config.DNS_SERVERS, until, smtp && this.isAllowed(smtp) ? smtp.host : undefined);
    const [spf, dkim] = await Promise.all([
      inTime(checkSpf(dns, domain, smtp?.host ?? SENDS_FOR_GRAPH), until),
      inTime(checkDkim(dns, domain, dkimSelector, own), until),
    ]);
    return { domain, spf, dkim, dmarc: await inTime(checkDmarc(dns, domain, { spf, dkim }), until) };
  }

  private isAllowed({ host, port }: MailServerSettings): boolean {
    return this.config.OUTBOUND_ALLOW.includes(`${isIPv6(host) ? `[${host}]` : host}:${port}`);
  }
}

const unanswered = (): MailCheckDto => ({
  result: "unknown",
  message: "It could not be looked up: the name servers do not answer",
  record: null,
});

async function inTime(check: Promise<MailCheckDto>, until: number): Promise<MailCheckDto> {
  try {
    return await withTimeout(check, Math.max(0, until - performance.now()), () => new Error("too late"));
  } catch {
    return unanswered();
  }
}
