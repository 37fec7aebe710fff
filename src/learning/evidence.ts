import { withoutLinks } from "../assistant/context/links.js";
import { withoutQuotedText } from "../channels/email/quoted-text.js";
import type { Facts, Message, Missed } from "./learning.queries.js";
import { matterOf } from "./redaction/courtesy.js";
import { namesGiven } from "./redaction/names.js";
import { withoutInstructions } from "./instructions.js";
import { fitsOneCase } from "./one-case.js";
import { redactor } from "./redaction/redact.js";

/** The most messages that make an answer, and its length in characters. */
const MAX_REPLIES = 20;
const MAX_ANSWER = 4_000;
/** A question that is longer is a story: the search reads its beginning. In characters. */
const MAX_QUESTION = 500;
const MAILED = ["email", "contact_form"];
const HAS_WORDS = /[\p{L}\p{N}]/u;

/** What one conversation teaches, without personal data. */
export interface Lesson {
  /** Of the message that was missed. */
  sequence: number;
  messageId: string;
  question: string;
  answer: string;
  /** The entries that the assistant found for it, best first. */
  found: string[];
}

/**
 * The question that the assistant knew least about, and what a person answered after it, without greetings and personal data.
 * @returns undefined if nobody answered, if nothing is left, or if the answer holds for this contact alone
 */
export function lessonOf(facts: Facts): Lesson | undefined {
  const missed = facts.missed
    .filter(({ question }) => question && HAS_WORDS.test(question))
    .reduce<Missed | undefined>((worst, one) => (!worst || one.confidence < worst.confidence ? one : worst), undefined);
  if (!missed) return undefined;
  const replies = facts.messages
    .filter(({ sequence, direction, byPerson }) => sequence > missed.sequence && direction === "outbound" && byPerson)
    .slice(0, MAX_REPLIES);
  if (!replies.length) return undefined;
  const redact = redactor({
    contact: [...facts.names, ...namesGiven(turnsOf(facts.messages))],
    members: facts.members,
    identifiers: facts.identifiers,
    ours: facts.ours,
  });
  const answer = shortened(
    replies
      .map(({ body }) => matterOf(redact(MAILED.includes(facts.channelType) ? withoutQuotedText(body).body : body)))
      .filter(Boolean)
      .join("\n\n"),
    MAX_ANSWER,
  );
  const question = matterAsked(redact(missed.question));
  if (!says(answer) || !says(question) || fitsOneCase(answer)) return undefined;
  return { sequence: missed.sequence, messageId: replies[0]!.id, question, answer, found: missed.found };
}

/**
 * What a question asks, as an entry may say it. A stranger's link would stand in an entry that is approved in a hurry.
 * @param said without personal data
 */
export function matterAsked(said: string): string {
  const asked = withoutInstructions(withoutLinks(said));
  return shortened(matterOf(asked, true) || asked, MAX_QUESTION);
}

export const says = (text: string): boolean => HAS_WORDS.test(text);

/** What the contact said, each with what our side said last before it. */
function turnsOf(messages: readonly Message[]): { asked: string | undefined; said: string }[] {
  let asked: string | undefined;
  return messages.flatMap(({ direction, body }) => {
    if (direction === "inbound") return [{ asked, said: body }];
    asked = body;
    return [];
  });
}

/** Up to a word's end. */
function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), max / 2)).trimEnd()}…`;
}
