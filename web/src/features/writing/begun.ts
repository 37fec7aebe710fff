import type { Begun } from "./suggestions.js";

/** At the beginning of a word. A lone slash is one between words, except at the beginning of a line. */
const SHORTCUT = /(?:^|\s)\/([\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,39})$|(?:^|\n)\/()$/u;
/** Two letters at least: a colon alone ends a clause. */
const EMOJI = /(?:^|[\s(])([:])([\p{L}\p{N}_+-]{2,30})$/u;

/** The shortcut of a canned reply that is being typed. */
export function begunShortcut(before: string): Begun | undefined {
  const match = SHORTCUT.exec(before.slice(-60));
  if (!match) return undefined;
  const text = match[1] ?? "";
  return { from: before.length - text.length - 1, text };
}

/** The name of an emoji that is being typed. */
export function begunEmoji(before: string): Begun | undefined {
  const text = EMOJI.exec(before.slice(-60))?.[2];
  return text === undefined ? undefined : { from: before.length - text.length - 1, text };
}
