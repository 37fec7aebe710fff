import type { Tx } from "../../platform/database/transaction.js";

/** Only the beginning of a larger mail is read. Most servers accept at most half of this. */
export const MAX_MAIL_BYTES = 40 * 1_048_576;
/** How much is read of a mail that is too large: enough for what a person writes. */
export const BEGINNING_BYTES = 1_048_576;

/** A mail as its server has it. */
export interface FetchedMail {
  /** When it arrived on the server. */
  at: Date;
  /** The whole mail, or its beginning. */
  source: Buffer;
  /** Size of the whole mail in bytes. */
  size: number;
  /** Whom the envelope names, where somebody says so: a mail need not name whoever is in bcc. */
  recipients?: readonly string[];
}

/** Where a mail comes from. What is recorded there makes it come in once. */
export interface MailPlace {
  /**
   * Records that the mail is about to be parsed, before it is: so it is known after a restart, too, if that ended the process.
   * @returns how often it has been begun; undefined if it is in already, or is somebody else's now
   */
  begin(tx: Tx): Promise<number | undefined>;
  /** Records that the mail is in, in the transaction that stores it. Of two with the same mail, the second waits here. @returns false: it is in already, or is somebody else's now */
  take(tx: Tx): Promise<boolean>;
  /** The mail was parsed and could not be stored: that it is read again is not its fault. */
  forget(tx: Tx): Promise<void>;
}
