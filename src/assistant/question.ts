import { withoutQuotedText } from "../channels/email/quoted-text.js";
import type { Context, Said } from "./context.queries.js";

/** What is longer is cut: the search uses the first words alone. In characters. */
const MAX_QUESTION = 2_000;
const MAILED = ["email", "contact_form"];
/** A letter or a digit, of any script. */
const WORDS = /[\p{L}\p{N}]/u;

export const hasWords = (text: string): boolean => WORDS.test(text);

/** What the contact said since they last got a reply: several messages of one burst are one question. Oldest first. */
export function turnOf(messages: readonly Said[], sequence: number): Said[] {
  const said = messages.filter((message) => message.sequence <= sequence && message.authorType !== "system");
  const replied = said.findLastIndex(({ direction }) => direction === "outbound");
  return said.slice(replied + 1);
}

/** The text of that turn, as the search takes it. On mail only the contact's own words count, and the subject where they have none. */
export function questionOf({ channelType, subject, messages }: Context, sequence: number): string {
  const mailed = MAILED.includes(channelType);
  const texts = turnOf(messages, sequence).map(({ body }) =>
    mailed ? withoutQuotedText(body, subject ?? "").body : body,
  );
  const text = texts
    .map((part) => part.trim())
    .filter(Boolean)
    .join("\n");
  return (mailed && subject && !hasWords(text) ? subject : text).slice(0, MAX_QUESTION);
}
