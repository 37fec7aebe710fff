import { namedEnum } from "../platform/enums/named-enum.js";

/** What a mail repeats below its text. */
export const QUOTES = namedEnum("Quote", "What a mail repeats below its text.", {
  none: "nothing",
  last: "the contact's last message",
  all: "the conversation so far, newest first",
});
export type Quote = (typeof QUOTES)[number];
