import { asked } from "../model/asked.js";
import type { ModelFunction, ModelMessage } from "../model/model-server.js";
import type { Rewriting } from "./writing.dto.js";

/** A sentence of a summary as the model gives it. */
export interface Claimed {
  text: string;
  message: string;
  quote: string;
}
/** A message as the model reads it. */
export interface Shown {
  /** M1, M2 … */
  id: string;
  from: string;
  text: string;
}

const NAMES = new Intl.DisplayNames("en", { type: "language" });

const AS: Record<Exclude<Rewriting, "translation">, string> = {
  shorter: "Say the same in fewer words, in the language of the text.",
  friendlier: "Say the same in a warmer, friendlier tone, in the language of the text, and no longer than needed.",
};

export const RESPOND_WITH_TEXT: ModelFunction = {
  name: "respond",
  description: "Give the text, and nothing around it.",
  parameters: {
    type: "object",
    additionalProperties: false,
    required: ["text"],
    properties: { text: { type: "string", description: "The text as it is now." } },
  },
};

/** @param language of a translation, ISO 639-1 */
export function toRewrite(text: string, as: Rewriting, language: string): ModelMessage[] {
  const task = as === "translation" ? `Translate it into ${NAMES.of(language)} (${language}).` : AS[as];
  return asked(
    `You rewrite the "text" of the data. ${task} Keep its meaning, figures, names, lines and Markdown, and links and pictures letter for letter.`,
    { text },
  );
}

export const RESPOND_WITH_SENTENCES: ModelFunction = {
  name: "respond",
  description: "Give the summary.",
  parameters: {
    type: "object",
    additionalProperties: false,
    required: ["sentences"],
    properties: {
      sentences: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["text", "message", "quote"],
          properties: {
            text: { type: "string", description: "One short sentence of the summary." },
            message: { type: "string", description: "The id of the message that says it, such as M2." },
            quote: {
              type: "string",
              description: "The words of that message that say it, copied letter for letter: at least eight letters.",
            },
          },
        },
      },
    },
  },
};

export const toSummarise = (messages: readonly Shown[], language: string): ModelMessage[] =>
  asked(
    `You summarise a conversation of a company with a contact, for the colleague who answers next: what the contact wants, what was done and promised, what is open. At most eight short sentences in ${NAMES.of(language)} (${language}), in the order of the messages. Each sentence rests on one message, which it names and quotes. A sentence whose quote is not in its message is dropped.`,
    { conversation: messages },
  );
