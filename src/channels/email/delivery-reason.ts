/**
 * What an enhanced status code (RFC 3463) means to the person who wrote the mail, by subject and detail. Its class does not
 * matter: the server has given up, however often it tried before.
 */
const REASONS: Readonly<Record<string, string>> = {
  "1.0": "there is no such address",
  "1.1": "there is no such address",
  "1.2": "no mail server is known for this address",
  "1.3": "the address is not valid",
  "1.4": "several mailboxes have this address",
  "1.6": "the mailbox has moved and has no new address",
  "1.7": "the receiving server does not accept the address of our mailbox",
  "1.8": "the receiving server does not accept the address of our mailbox",
  "1.10": "this address takes no mail",
  "2.0": "the mailbox takes no mail",
  "2.1": "the mailbox is disabled",
  "2.2": "the mailbox is full",
  "2.3": "the mail is larger than the mailbox takes",
  "2.4": "the mailing list does not work",
  "3.1": "the receiving server is full",
  "3.2": "the receiving server takes no mail at the moment",
  "3.4": "the mail is larger than the receiving server takes",
  "4.1": "the receiving server did not answer",
  "4.2": "the connection to the receiving server broke off",
  "4.3": "no mail server is known for this address",
  "4.4": "no mail server is known for this address",
  "4.6": "the receiving servers sent the mail around in a circle",
  "4.7": "the receiving server could not be reached for too long",
  "5.3": "the mail has too many recipients",
  "6.0": "the receiving server does not accept the content of the mail",
  "7.0": "the receiving server does not accept the mail",
  "7.1": "the receiving server does not accept the mail",
  "7.2": "we may not write to this mailing list",
  "7.23": "our domain does not prove that the mail comes from it (SPF)",
  "7.20": "our domain does not prove that the mail comes from it (DKIM)",
  "7.21": "our domain does not prove that the mail comes from it (DKIM)",
  "7.22": "our domain does not prove that the mail comes from it (DKIM)",
  "7.25": "our mail server's address has no name (reverse DNS)",
  "7.26": "our domain does not prove that the mail comes from it (SPF and DKIM)",
  "7.27": "our domain says that it takes no mail (null MX)",
};

const ENHANCED = /\b[245]\.(\d{1,3})\.(\d{1,3})\b(?!\.)/;

/**
 * Why a mail was not delivered, for a person.
 * @param code the field `Status` of a report
 * @param diagnostic what the server said, such as `550 5.1.1 no such user`
 * @returns undefined if the codes do not say
 */
export function deliveryReason(code: string | undefined, diagnostic: string | undefined): string | undefined {
  // What the last server said is often more exact than the status: 5.0.0 stands for anything.
  for (const text of [code, diagnostic]) {
    const [, subject, detail] = ENHANCED.exec((text ?? "").slice(0, MAX_DIAGNOSTIC)) ?? [];
    if (subject !== undefined && Object.hasOwn(REASONS, `${subject}.${detail}`)) return REASONS[`${subject}.${detail}`];
  }
  return undefined;
}

/** What servers say is shorter. */
const MAX_DIAGNOSTIC = 2_000;
