import { getDomain } from "tldts";
import type { HeaderField } from "./header-fields.js";

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
