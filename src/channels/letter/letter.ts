import type { Mail } from "../../platform/outbox/outbox-kind.js";
import type { BodyFormat } from "../../conversations/conversation.entity.js";

export interface Written {
  body: string;
  format: BodyFormat;
}
/** A message of before, and the line that says who wrote it when. */
export interface Quoted extends Written {
  heading: string;
}
/** Who wrote a mail that no person wrote: RFC 3834. */
export type Submitted = "auto-replied" | "auto-generated";

/**
 * A mail to a contact, as the outbox keeps it: the text as it was written, and what goes with it. All of it is decided when the
 * reply is written. So each attempt sends the same mail, and the test side shows it.
 */
export interface Letter extends Mail {
  letter: {
    format: BodyFormat;
    /** ISO 639-1. */
    language: string;
    timeZone: string;
    submitted?: Submitted;
    /** Markdown. */
    signature?: string;
    /** Markdown: the workspace's. */
    footer?: string;
    /** The picture's address, and what it shows. */
    logo?: { url: string; name: string };
    /** A part for calendars (RFC 6047). */
    calendar?: { method: "REPLY"; text: string };
    /** Newest first. */
    quoted?: Quoted[];
  };
}

export const isLetter = (mail: Mail): mail is Letter => "letter" in mail;

/** The files of a mail, where they go. */
export interface LetterFiles {
  /** Pictures in the text, by the id of their attachment. */
  pictures: ReadonlyMap<string, { width: number | null }>;
  /** Files that are too large for the mail, and where they can be downloaded until then. */
  links: readonly { fileName: string; size: number; url: string }[];
  linkedUntil: Date;
}
export const NO_FILES: LetterFiles = { pictures: new Map(), links: [], linkedUntil: new Date(0) };
