import type { Tx } from "../../platform/database/transaction.js";
import { ALL_OF_CONTEXT, type Context, GET_CONTEXT } from "./context.queries.js";
import { languageOf } from "./language.js";
import { ownWordsOf, questionOf, withoutProofs } from "./question.js";
import { textsIn } from "./texts.js";

/**
 * The language that the contact is spoken to in: the one that is set for them or for the conversation, else that of their
 * question, else that of all they wrote since the last resolution, else the workspace's.
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
  return (await languageOf(questionOf(context, sequence))) ?? (await languageOf(written())) ?? context.primaryLanguage;
}

/** What the assistant says in a conversation, where no run is at hand that knows its language. */
export async function textsFor(tx: Tx, conversationId: string): Promise<ReturnType<typeof textsIn>> {
  const [context] = await tx.query(GET_CONTEXT, { conversationId, ...ALL_OF_CONTEXT });
  return context ? textsIn(await languageIn(withoutProofs(context)), context.primaryLanguage) : textsIn();
}
