import type { Conversation } from "../api/parley.js";
import { plain, withoutEmphasis } from "./plain.js";

/**
 * What a conversation is about, in one line: its subject, otherwise the first line of its summary. The last message says it only
 * if there is neither. After a hand-over that is the assistant's sentence, which is the same in every conversation.
 */
export function headlineOf({
  subject,
  summary,
  lastMessagePreview,
}: Pick<Conversation, "subject" | "summary" | "lastMessagePreview">): string {
  const line = summary?.trim().split("\n", 1)[0];
  return subject ?? (line ? withoutEmphasis(line) : plain(lastMessagePreview ?? ""));
}
