import type { Question } from "../procedures/reading.js";
import { asked } from "./asked.js";
import type { ModelFunction, ModelMessage } from "./model-server.js";

export const MEANINGS = ["value", "no", "why", "stop", "question", "unclear"] as const;
export type Meaning = (typeof MEANINGS)[number];

export const RESPOND_WITH_MEANING: ModelFunction = {
  name: "respond",
  description: "Say what the contact means.",
  parameters: {
    type: "object",
    additionalProperties: false,
    required: ["means"],
    properties: {
      means: {
        type: "string",
        enum: MEANINGS,
        description:
          'value: the message answers "asked", or says another value for one of "given". no: it does not agree. why: it asks what this is ' +
          "needed for. stop: the contact does not want this any more. question: it asks something else. unclear: none of these.",
      },
      step: { type: "string", description: 'value: the "step" that the value is for.' },
      value: { type: "string", description: 'value: the value, as "expects" says.' },
    },
  },
};

/** At most so many characters of the texts that the contact has read. */
const MAX_SHOWN = 8_000;

export function toRead(question: Question, text: string): ModelMessage[] {
  const { step, text: said, options, given, today } = question;
  return asked(
    "You read what a contact of a company answered to a question. You say nothing to the contact: they are asked whether what you read is what they mean.",
    {
      today,
      asked: {
        step,
        question: said.slice(0, MAX_SHOWN),
        expects: expectedBy(question),
        ...(options.length && { options: options.map((label, n) => `${n + 1}. ${label}`.slice(0, 200)) }),
      },
      given: given.map(({ step: id, text: before, value }) => ({
        step: id,
        question: before.slice(0, 500),
        value: value.slice(0, 500),
      })),
      message: text,
    },
  );
}

function expectedBy({ slot }: Question): string {
  switch (slot?.kind) {
    case undefined:
      return "yes or no; a yes has to be the contact's own word, so it is no value";
    case "text":
      return "words of the message, letter for letter";
    case "number":
      return "a number, in digits";
    case "email":
      return "an email address";
    case "date":
      return "a day, as YYYY-MM-DD";
    case "yes_no":
      return '"yes" or "no"';
    case "pattern":
      return `signs of the form ${slot.pattern}: 0 is a digit, A a letter, all else itself`;
    case "choice":
      return slot.many ? 'the numbers of the options, such as "1 and 3"' : "the number of the option";
  }
}
