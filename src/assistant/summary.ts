import type { Context } from "./context/context.queries.js";
import type { Found } from "./plan.js";
import { ownWordsOf, turnOf } from "./context/question.js";
import { fill, textsIn } from "./context/texts.js";
import type { Why } from "./context/why.js";

/** A part of the summary is at most so long, in characters. */
const MAX_PART = 300;
const MAX_ANSWERS = 3;

export const shortened = (text: string, max = MAX_PART): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > max ? `${line.slice(0, max - 1).trimEnd()}…` : line;
};

/**
 * What a person reads who takes over: what the contact asked and what the assistant tried. It quotes the messages and the
 * entries, in the workspace's language, and adds nothing.
 */
export function summaryOf(
  context: Context,
  sequence: number,
  question: string,
  why: Why,
  found: readonly Found[],
): string {
  const texts = textsIn(context.primaryLanguage);
  const say = (text: string, value: string): string => fill(text, { text: shortened(value) });
  const began = turnOf(context.messages, sequence)[0]?.sequence ?? sequence;
  const earlier = context.messages.filter((message) => message.sequence < began);
  const first = earlier.find(({ direction }) => direction === "inbound");
  const replies = earlier.filter(({ authorType }) => authorType === "assistant").slice(-MAX_ANSWERS);
  return [
    first && say(texts.asked, ownWordsOf(context, first) || first.body),
    ...replies.map(({ body }) => say(body.endsWith("?") ? texts.askedBack : texts.answered, body)),
    say(texts.asked, question),
    why === "unsure" && found[0]
      ? say(texts.unsure, found[0].question)
      : texts[why === "unsure" ? "nothingFound" : why],
  ]
    .filter(Boolean)
    .join("\n");
}
