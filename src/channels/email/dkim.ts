import { Readable } from "node:stream";
import type { DKIMResult } from "mailauth";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { getDomain } from "tldts";
import type { HeaderField } from "./header-fields.js";
import { headerFieldsOf } from "./header-fields.js";
import { addressOf } from "./mail-headers.js";

/** More signatures of a mail are not verified. */
const MAX_SIGNATURES = 5;
/** Bytes that are hashed for all signatures of a mail together. The first one is verified in any case. */
const MAX_HASHED_BYTES = 40 * 1_048_576;

export interface Signature {
  domain: string;
  /** Where its key is, in the DNS. */
  keyName: string;
  field: HeaderField;
}

/** Its types leave out which headers a signature covers. */
type Verified = DKIMResult & { signingHeaders?: { keys: string } };

const organisationOf = (domain: string): string => getDomain(domain, { allowPrivateDomains: true }) ?? domain;

/** Whether a signature of this domain speaks for addresses of the other one (RFC 7489, 3.1.1). */
export const isAligned = (signing: string, domain: string, strict: boolean): boolean =>
  strict ? signing === domain : organisationOf(signing) === organisationOf(domain);

/** The signatures that may speak for the domain. */
export function signaturesFor(domain: string, fields: readonly HeaderField[], size: number): Signature[] {
  const most = Math.max(1, Math.min(MAX_SIGNATURES, Math.floor(MAX_HASHED_BYTES / size)));
  const found: Signature[] = [];
  for (const field of fields) {
    if (found.length >= most) break;
    if (field.name !== "dkim-signature") continue;
    const tags = new Map(
      field.value.split(";").map((tag) => {
        const equals = tag.indexOf("=");
        return [
          tag.slice(0, equals).trim(),
          tag
            .slice(equals + 1)
            .trim()
            .toLowerCase(),
        ];
      }),
    );
    const [signing, selector] = [tags.get("d"), tags.get("s")];
    if (signing && selector && isAligned(signing, domain, false))
      found.push({ domain: signing, keyName: `${selector}._domainkey.${signing}`, field });
  }
  return found;
}

/**
 * Verifies the signatures that may speak for the sender. Runs in a worker: a mail may have 40 MB.
 * @param sender the mail must be from this address alone
 * @param keys the TXT records by their names. Nothing else is asked of the DNS.
 * @returns the domains whose signatures cover the sender and the whole mail
 */
export async function verifySignatures(
  source: Buffer,
  sender: string,
  domain: string,
  keys: ReadonlyMap<string, string[][]>,
): Promise<string[]> {
  const head = headerFieldsOf(source);
  if (!head || head.fields.filter(({ name }) => name === "from").length !== 1) return [];
  const signatures = new Set(signaturesFor(domain, head.fields, source.length).map(({ field }) => field));
  // What is not to be verified is left out: each signature costs a pass over the mail.
  const kept = head.fields.filter(
    (field) => signatures.has(field) || (field.name !== "dkim-signature" && !field.name.startsWith("arc-")),
  );
  const { headerFrom, results } = await dkimVerify(
    Readable.from([Buffer.from(kept.map(({ raw }) => raw).join(""), "latin1"), source.subarray(head.end)]),
    {
      resolver: (name: string) => {
        const found = keys.get(name.toLowerCase());
        return found ? Promise.resolve(found) : Promise.reject(Object.assign(new Error("no key"), { code: "ENODATA" }));
      },
    },
  );
  const from = [headerFrom].flat();
  if (from.length !== 1 || addressOf(from[0] || undefined) !== sender) return [];
  return (results as Verified[]).flatMap(({ status, signingDomain, signingHeaders }) =>
    status.result === "pass" &&
    !status.underSized &&
    signingDomain &&
    signingHeaders?.keys.split(":").some((name) => name.trim().toLowerCase() === "from")
      ? [signingDomain.toLowerCase()]
      : [],
  );
}
