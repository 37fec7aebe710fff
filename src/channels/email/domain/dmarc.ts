import { getDomain } from "tldts";
import type { MailCheckDto } from "../../../workspaces/channel.dto.js";
import { tagsOf } from "./dkim-key.js";
import type { DnsQuestions } from "./dns-questions.js";

const POLICIES = new Set(["none", "quarantine", "reject"]);
const ASKED = {
  none: "asks receivers to do nothing about the rest",
  quarantine: "asks receivers to put the rest among spam",
  reject: "asks receivers to reject the rest",
};

/**
 * Whether the channel's mails pass the domain's policy (RFC 7489). They do if SPF or DKIM passes: a mail leaves with the
 * address of the channel as its envelope sender, so what passes is aligned.
 */
export async function checkDmarc(
  dns: DnsQuestions,
  domain: string,
  { spf, dkim }: { spf: MailCheckDto; dkim: MailCheckDto },
): Promise<MailCheckDto> {
  const { owner, records } = await recordsOf(dns, domain);
  const publish = { type: "TXT" as const, name: `_dmarc.${domain}`, value: "v=DMARC1; p=none" };
  if (records.length === 0) return { result: "fail", message: `${domain} has no DMARC record`, record: publish };
  if (records.length > 1)
    return { result: "fail", message: `_dmarc.${owner} has ${records.length} records, so none counts`, record: null };
  const tags = tagsOf(records[0]!);
  const policy = ((owner === domain ? undefined : tags.get("sp")) ?? tags.get("p") ?? "").toLowerCase();
  if (!POLICIES.has(policy))
    return { result: "fail", message: `The DMARC record at _dmarc.${owner} has no policy`, record: publish };
  const asks = `The policy of ${owner} (p=${policy}) ${ASKED[policy as keyof typeof ASKED]}`;
  const passed = [spf.result === "pass" ? "SPF" : undefined, dkim.result === "pass" ? "DKIM" : undefined].filter(
    Boolean,
  );
  if (passed.length > 0)
    return { result: "pass", message: `Mails of this address pass by ${passed.join(" and ")}. ${asks}`, record: null };
  return spf.result === "fail" && dkim.result === "fail"
    ? { result: "fail", message: `Mails of this address pass neither SPF nor DKIM. ${asks}`, record: null }
    : {
        result: "unknown",
        message: `Whether mails of this address pass SPF or DKIM is not known. ${asks}`,
        record: null,
      };
}

/** The domain's own records, or those of the organisation that it belongs to. */
async function recordsOf(dns: DnsQuestions, domain: string): Promise<{ owner: string; records: string[] }> {
  const organisation = getDomain(domain, { allowPrivateDomains: true }) ?? domain;
  for (const owner of new Set([domain, organisation])) {
    const records = (await dns.texts(`_dmarc.${owner}`)).filter((text) => /^v=DMARC1\s*(?:;|$)/i.test(text.trim()));
    if (records.length > 0) return { owner, records };
  }
  return { owner: domain, records: [] };
}
