/** Larger mails are not fetched whole: of them the beginning is taken in. Most servers take no more than half of it. */
export const MAX_MAIL_BYTES = 40 * 1_048_576;
/** Of one that is larger: enough for what somebody writes by hand. */
export const BEGINNING_BYTES = 1_048_576;

/** A mail as it came from the server. */
export interface FetchedMail {
  /** Names the account and its UIDVALIDITY. */
  validity: string;
  uid: number;
  /** When the server got it. */
  at: Date;
  /** All of it, or its beginning. */
  source: Buffer;
  /** Bytes of all of it. */
  size: number;
}
