import type { BodyFormat } from "../../conversations/conversation.entity.js";
import { escapeMarkdown } from "../../platform/markdown/escape.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ALL_OF_CONTEXT, type Context, GET_CONTEXT } from "./context.queries.js";
import { languagesOfGreeting } from "./acts.js";
import { languageOf } from "./language.js";
import { ownWordsOf, questionOf, withoutProofs } from "./question.js";
import { textsIn } from "./texts.js";

/** What the contact reads of a procedure: Markdown where an entry is among it, and text otherwise. */
export interface Spoken {
  body: string;
  bodyFormat: BodyFormat;
}

/** A text after what was said. */
export function after(said: Spoken | undefined, text: string): Spoken {
  if (!said) return { body: text, bodyFormat: "text" };
  const { body, bodyFormat } = said;
  return { body: `${body}\n\n${bodyFormat === "markdown" ? escapeMarkdown(text) : text}`, bodyFormat };
}

/** So few words are hardly of one language alone: "¿y a Portugal?" In words. */
const FEW = 3;

/**
 * The language that the contact is spoken to in: the one that is set for them or for the conversation, else that of their
 * question, else that of all they wrote since the last resolution, else the workspace's. Of a few words, what they wrote before says more.
 * @param sequence the message that is answered
 */
export async function languageIn(context: Context, sequence = Infinity): Promise<string> {
  if (context.language) return context.language;
  const written = (): string =>
    context.messages
      .filter((message) => message.direction === "inbound" && message.sequence <= sequence)
      .map((message) => ownWordsOf(context, message))
      .reverse()
      .join("\n");
  const question = questionOf(context, sequence);
  const texts = question.trim().split(/\s+/u).length <= FEW ? [written(), question] : [question, written()];
  return (await languageOf(texts[0]!)) ?? (await languageOf(texts[1]!)) ?? greetedIn(question, context.primaryLanguage);
}

/** "Hallo" is said in two languages: the workspace's if it is one of them, else the one with more speakers. "Hi" is said in all. */
function greetedIn(question: string, primaryLanguage: string): string {
  const [first, ...others] = languagesOfGreeting(question);
  if (!first || first === "en") return primaryLanguage;
  return others.some((language) => language === primaryLanguage) ? primaryLanguage : first;
}

/** What the assistant says in a conversation, where no run is at hand that knows its language. */
export async function textsFor(tx: Tx, conversationId: string): Promise<ReturnType<typeof textsIn>> {
  const [context] = await tx.query(GET_CONTEXT, { conversationId, ...ALL_OF_CONTEXT });
  return context ? textsIn(await languageIn(withoutProofs(context)), context.primaryLanguage) : textsIn();
}
