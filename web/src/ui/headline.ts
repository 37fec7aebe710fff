import { plain, withoutEmphasis } from "./plain.js";

/** A line on the page shows less. A summary that an integration wrote can have 5,000 characters in one line. */
const MAX_HEADLINE = 200;

/**
 * What a conversation is about, in one line: its subject, otherwise the first line of its summary. The last message says it only
 * if there is neither.
 */
export function headlineOf({
  subject,
  summary,
  lastMessagePreview,
}: Record<"subject" | "summary" | "lastMessagePreview", string | null>): string {
  if (subject !== null) return subject;
  const [line = ""] = (summary ?? "").trim().split("\n", 1);
  return line === "" ? plain(lastMessagePreview ?? "") : withoutEmphasis(line.slice(0, MAX_HEADLINE));
}
