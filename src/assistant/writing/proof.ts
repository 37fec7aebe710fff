import { linksIn, visible, withoutOtherLinks } from "../context/links.js";
import { hasWords } from "../context/question.js";
import { figuresIn } from "../model/claim.js";
import type { Claimed, Shown } from "./prompts.js";
import type { SummarySentenceDto } from "./writing.dto.js";

/** How much is shown to the model, in characters: of one message, and of all. */
const MAX_MESSAGE = 4_000;
const MAX_SHOWN = 40_000;
/** A shorter quote proves nothing, unless it is all of the message. In letters and digits. */
const MIN_QUOTE = 8;
const MAX_SENTENCES = 12;
const MAX_SENTENCE = 500;

interface Said {
  id: string;
  direction: string;
  authorType: string;
  body: string;
}
interface ShownMessage extends Shown {
  messageId: string;
}

/** In one line, without characters that are not seen. */
const plain = (text: string): string => visible(text).replace(/\s+/g, " ").trim();

/** @param said newest first. What is too much is left out, the oldest first. */
export function shownOf(said: readonly Said[]): ShownMessage[] {
  let room = MAX_SHOWN;
  return said
    .filter(({ body }) => hasWords(body))
    .map((message) => ({ ...message, text: plain(message.body.slice(0, MAX_MESSAGE)) }))
    .filter(({ text }) => (room -= text.length) >= 0)
    .reverse()
    .map(({ id, direction, authorType, text }, n) => ({
      id: `M${n + 1}`,
      messageId: id,
      from: direction === "internal" ? "colleague, in a note" : authorType === "contact" ? "contact" : "company",
      text,
    }));
}

/**
 * The sentences whose quote stands in the message that they name, and whose figures do. Links that do not stand there are removed.
 * @param claimed what the model gave
 * @returns undefined if that is no list
 */
export function proven(claimed: unknown, shown: readonly ShownMessage[]): SummarySentenceDto[] | undefined {
  if (!Array.isArray(claimed)) return undefined;
  return (claimed as unknown[]).slice(0, MAX_SENTENCES).flatMap((one) => {
    const { text, message: id, quote } = (one ?? {}) as Partial<Record<keyof Claimed, unknown>>;
    const message = shown.find((other) => other.id === id);
    if (!message || typeof text !== "string" || typeof quote !== "string" || text.length > MAX_SENTENCE) return [];
    const said = plain(quote);
    const sentence = plain(withoutOtherLinks(text, linksIn(message.text)));
    return hasWords(sentence) && proves(said, message.text) && hasFigures(message.text, sentence)
      ? [{ text: sentence, messageId: message.messageId, quote: said }]
      : [];
  });
}

const proves = (quote: string, text: string): boolean =>
  text.includes(quote) && (quote === text || (quote.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= MIN_QUOTE);

function hasFigures(text: string, sentence: string): boolean {
  const there = new Set(figuresIn(text));
  return figuresIn(sentence).every((figure) => there.has(figure));
}
