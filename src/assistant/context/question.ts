import { ownWordsIn } from "../../channels/email/quoted-text.js";
import type { Context, Said } from "./context.queries.js";

/** What is longer is cut: the search uses the first words alone. In characters. */
const MAX_QUESTION = 2_000;
const MAILED = ["email", "contact_form"];
export const isMailed = (channelType: string): boolean => MAILED.includes(channelType);
/** A letter or a digit, of any script. */
const WORDS = /[\p{L}\p{N}]/u;

export const hasWords = (text: string): boolean => WORDS.test(text);

/**
 * Without the questions that asked for proof of identity and what the contact answered. An answer is nobody's to read but for
 * the comparison: it belongs into no search, no prompt, no activity and nothing that is learned.
 * @param open whether what was written after a question that is open may be its answer
 */
export function withoutProofs(context: Context, open = true): Context {
  const proofs = context.proofs.filter((proof) => open || !proof.open);
  const isProof = ({ sequence, direction }: Said): boolean =>
    proofs.some(({ asked, until, open: unanswered }) => {
      const last = unanswered ? Infinity : (until ?? asked);
      return sequence === asked || (direction === "inbound" && sequence > asked && sequence <= last);
    });
  return { ...context, messages: context.messages.filter((message) => !isProof(message)) };
}

/** The same once the question that was open has its answer. */
export const answeredUntil = (context: Context, until: number): Context => ({
  ...context,
  proofs: context.proofs.map((proof) => (proof.open ? { ...proof, until, open: false } : proof)),
});

/** Whether the message was taken as the answer to a question that asked for proof of identity. */
export const isAnswerIn = ({ proofs }: Context, sequence: number): boolean =>
  proofs.some(({ asked, until }) => sequence > asked && sequence <= (until ?? asked));

/** What the contact said since they last got a reply: several messages of one burst are one question. Oldest first. */
export function turnOf(messages: readonly Said[], sequence: number): Said[] {
  const said = messages.filter((message) => message.sequence <= sequence && message.authorType !== "system");
  const replied = said.findLastIndex(({ direction }) => direction === "outbound");
  return said.slice(replied + 1);
}

/** What our side said to the contact before that turn. */
export function saidBefore({ messages }: Pick<Context, "messages">, sequence: number): Said[] {
  const began = turnOf(messages, sequence)[0]?.sequence ?? sequence;
  return messages.filter(
    (message) => message.sequence < began && message.direction === "outbound" && message.authorType !== "system",
  );
}

/** That turn, or if nothing was said since, as where a run goes on after it waited: the turn before. */
function askedIn(messages: readonly Said[], sequence: number): Said[] {
  const turn = turnOf(messages, sequence);
  if (turn.length) return turn;
  const last = messages.findLast((message) => message.sequence <= sequence && message.direction === "inbound");
  return last ? turnOf(messages, last.sequence) : [];
}

/** The text of that turn, as the search takes it. On mail only the contact's own words count, and the subject where they have none. */
export function questionOf(context: Context, sequence: number): string {
  const { channelType, subject, messages } = context;
  const text = textOf(context, askedIn(messages, sequence));
  return (isMailed(channelType) && subject && !hasWords(text) ? subject : text).slice(0, MAX_QUESTION).toWellFormed();
}

/** What the contact asked before that turn, if they did. */
export function questionBefore(context: Context, sequence: number): string {
  const [first] = askedIn(context.messages, sequence);
  const earlier = context.messages.filter((message) => message.sequence < (first?.sequence ?? 0));
  return textOf(context, earlier.filter(({ direction }) => direction === "inbound").slice(-2))
    .slice(0, MAX_QUESTION)
    .toWellFormed();
}

/** What the contact said since anything was said to them, be it by the system. */
export const lastWordsOf = (context: Context, sequence: number): string => textOf(context, lastOf(context, sequence));

/** They sent us nothing but what others wrote. We cannot know what they want of us, and others do not tell us what to do. */
export function saidNothingOwn(context: Context, sequence: number): boolean {
  const last = lastOf(context, sequence);
  return (
    isMailed(context.channelType) &&
    !hasWords(textOf(context, last)) &&
    last.some(({ body }) => ownWordsIn(body, context.subject ?? "").others)
  );
}

function lastOf({ messages }: Context, sequence: number): Said[] {
  const said = messages.filter((message) => message.sequence <= sequence);
  return said.slice(said.findLastIndex(({ direction }) => direction === "outbound") + 1);
}

const textOf = (context: Context, messages: readonly Said[]): string =>
  messages
    .map((message) => ownWordsOf(context, message).trim())
    .filter(Boolean)
    .join("\n");

/** What the contact wrote themselves in the message: without what a mail quotes or forwards. */
export const ownWordsOf = (
  { channelType }: Pick<Context, "channelType">,
  { direction, body }: Pick<Said, "direction" | "body">,
): string => (direction === "inbound" && isMailed(channelType) ? ownWordsIn(body).words : body);
