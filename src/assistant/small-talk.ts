import {
  asksWhatItIs,
  isAngry,
  isApproval,
  isGreeting,
  isOnlyDetails,
  isSign,
  reactionOf,
  saysNoHelp,
} from "./context/acts.js";
import type { Context, Said } from "./context/context.queries.js";
import { isCourtesy, isThanks } from "./context/courtesy.js";
import { hasWords, isMailed } from "./context/question.js";
import { named, textsIn } from "./context/texts.js";
import type { Plan } from "./plan.js";

const NOTHING: Plan = { action: "discard", reason: "Nothing was asked" };

interface Talk {
  context: Context;
  question: string;
  language: string;
  /** How the agent is called. Null: it has no name. */
  name: string | null;
  /** What our side said before this turn, newest last. */
  said: readonly Said[];
  /** Whether a question back is open, which the message may answer. */
  isAsked: boolean;
}

/** What to do about a message that asks nothing of the knowledge base. Undefined: it asks something. */
export function smallTalk({ context, question, language, name, said, isAsked }: Talk): Plan | undefined {
  const texts = textsIn(language, context.primaryLanguage);
  const spoken = (body: string): boolean => said.some((message) => message.body.startsWith(body));
  if (isAngry(question)) return { action: "hand_off", why: "angry" };
  // Mail has its own manners: nobody answers "Hello" there, or thanks for thanks.
  if (!isMailed(context.channelType) && !isAsked) {
    // A thumb up as the first message asks nothing, and is no greeting.
    if (isApproval(question) && !said.length) return NOTHING;
    const identity = named(texts.identity, name);
    if (isOnlyAboutIt(question))
      return spoken(identity) ? { action: "hand_off", why: "passedOn" } : { action: "converse", body: identity };
    const greetings = texts.greetings.map((text) => named(text, name));
    const isAnswer =
      reactionOf(question) === "yes" && greetings.some((greeting) => said.at(-1)?.body.startsWith(greeting));
    // Three dots, a wave or a question mark ask for us, and a thumb up after an answer does not.
    const isCall = isSign(question) && (!said.length || /[?❓❔⁉]/u.test(question));
    if (isGreeting(question) || isCall || isAnswer) {
      const body = (said.length ? greetings.slice(1) : greetings).find((one) => !spoken(one));
      return body ? { action: "converse", body } : { action: "hand_off", why: "passedOn" };
    }
    if (isThanks(question) && !spoken(texts.welcome)) return { action: "converse", body: texts.welcome };
  }
  // "Ok", "yes thanks" and "thanks" answer what was asked back.
  const isAnswering = isAsked && (reactionOf(question) === "yes" || isThanks(question));
  return said.length && !isAnswering && isCourtesy(question) ? NOTHING : undefined;
}

/** What follows an answer and is no new question. Undefined: it is one. */
export function afterAnswer({ question, said, isAsked }: Talk): Plan | undefined {
  if (isAsked || said.at(-1)?.authorType !== "assistant") return undefined;
  const reaction = reactionOf(question);
  if (reaction === "yes") return NOTHING;
  if (reaction === "no" || saysNoHelp(question)) return { action: "hand_off", why: "notHelped" };
  return isOnlyDetails(question) ? { action: "hand_off", why: "details" } : undefined;
}

/** Each sentence asks what it is, or is a greeting. */
function isOnlyAboutIt(question: string): boolean {
  const sentences = question.split(/(?<=[.!?])\s+|\n+/).filter(hasWords);
  return (
    sentences.some(asksWhatItIs) &&
    sentences.every((sentence) => asksWhatItIs(sentence) || isGreeting(sentence) || isCourtesy(sentence))
  );
}
