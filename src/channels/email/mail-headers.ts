import { domainToASCII, domainToUnicode } from "node:url";

/** The headers of a mail as they stand there, unfolded, in small letters where they are compared. */
export class MailHeaders {
  private readonly values = new Map<string, string>();

  constructor(lines: readonly { key: string; line: string }[]) {
    // Of several with one name the first counts: it was added last.
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

  /** The first word, as values of headers are compared. */
  word(name: string): string {
    return /^[^\s;()]*/.exec(this.get(name) ?? "")![0].toLowerCase();
  }
}

/** Text that a database takes. */
export const clean = (text: string): string => text.toWellFormed().replace(/\0/g, "");

/** As contacts have it: in small letters, a domain as people read it. Undefined where it is none. */
export function addressOf(given: string | undefined): string | undefined {
  const address = clean(given ?? "")
    .trim()
    .toLowerCase();
  const at = address.lastIndexOf("@");
  const domain = domainToUnicode(domainToASCII(address.slice(at + 1)));
  const whole = `${address.slice(0, at)}@${domain}`;
  return at > 0 && domain && whole.length <= 254 && /^[^\s@<>"(),:;\\[\]\x00-\x1f]+@[^\s@]+$/.test(whole)
    ? whole
    : undefined;
}

const ID = /<[^<>\s]{1,900}>/g;
/** The Message-IDs in a header. */
export const idsIn = (value: string | undefined): string[] => clean(value ?? "").match(ID) ?? [];
