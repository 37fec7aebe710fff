import { domainToASCII, domainToUnicode } from "node:url";

/** The headers of a mail, unfolded. */
export class MailHeaders {
  private readonly values = new Map<string, string>();

  constructor(lines: readonly { key: string; line: string }[]) {
    // The first of several with one name counts: it was added last.
    for (const { key, line } of lines)
      if (!this.values.has(key))
        this.values.set(
          key,
          line
            .slice(line.indexOf(":") + 1)
            .replace(/\r?\n[ \t]+/g, " ")
            .trim(),
        );
  }

  get(name: string): string | undefined {
    return this.values.get(name);
  }

  /** The first word of the value, in lower case. */
  word(name: string): string {
    return /^[^\s;()]*/.exec(this.get(name) ?? "")![0].toLowerCase();
  }
}

/** Text that PostgreSQL can store. */
export const clean = (text: string): string => text.toWellFormed().replace(/\0/g, "");

/** An address has 254 characters at most. More leaves room for spaces around it, and for an encoded domain. */
const MAX_GIVEN = 1_000;

/** A valid address as contacts have it: in lower case, with a Unicode domain. Otherwise undefined. */
export function addressOf(given: string | undefined): string | undefined {
  if (given === undefined || given.length > MAX_GIVEN) return undefined;
  const address = clean(given).trim().toLowerCase();
  const at = address.lastIndexOf("@");
  const domain = domainToUnicode(domainToASCII(address.slice(at + 1)));
  const whole = `${address.slice(0, at)}@${domain}`;
  return at > 0 && domain && whole.length <= 254 && /^[^\s@<>"(),:;\\[\]\x00-\x1f]+@[^\s@]+$/.test(whole)
    ? whole
    : undefined;
}

/** Whether an address, as above, is the mailbox's own. A channel may have its domain encoded (`xn--…`). */
export const isOwn = (address: string | undefined, box: string): boolean =>
  address !== undefined && address === (addressOf(box) ?? box);

const ID = /<[^<>\s]{1,900}>/g;
/** The Message-IDs in a header. */
export const idsIn = (value: string | undefined): string[] => clean(value ?? "").match(ID) ?? [];
