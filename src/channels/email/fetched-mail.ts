/** Only the beginning of a larger mail is read. Most servers accept at most half of this. */
export const MAX_MAIL_BYTES = 40 * 1_048_576;
/** How much is read of a mail that is too large: enough for what a person writes. */
export const BEGINNING_BYTES = 1_048_576;

/** A mail as fetched from the IMAP server. */
export interface FetchedMail {
  /** Names the account and its UIDVALIDITY. */
  validity: string;
  uid: number;
  /** When it arrived on the server. */
  at: Date;
  /** The whole mail, or its beginning. */
  source: Buffer;
  /** Size of the whole mail in bytes. */
  size: number;
}
