import { Readable } from "node:stream";
import type { DKIMResult } from "mailauth";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { signaturesFor } from "./dkim.js";
import { headerFieldsOf, isPlainFrom } from "./header-fields.js";
import { addressOf } from "./mail-headers.js";

/** Its types leave out which headers a signature covers, and how it was made. */
type Verified = DKIMResult & { signingHeaders?: { keys: string }; algo?: string };
/** SHA-1, which mailauth takes too, proves nothing (RFC 8301). */
const ALGORITHM = /^(?:rsa|ed25519)-sha256$/i;

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
  const [from, second] = head?.fields.filter(({ name }) => name === "from") ?? [];
  if (!head || !from || second || !isPlainFrom(from.value)) return [];
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
  const found = [headerFrom].flat();
  if (found.length !== 1 || addressOf(found[0] || undefined) !== sender) return [];
  return (results as Verified[]).flatMap(({ status, signingDomain, signingHeaders, algo }) =>
    status.result === "pass" &&
    !status.underSized &&
    ALGORITHM.test(algo?.trim() ?? "") &&
    signingDomain &&
    signingHeaders?.keys.split(":").some((name) => name.trim().toLowerCase() === "from")
      ? [signingDomain.toLowerCase()]
      : [],
  );
}
