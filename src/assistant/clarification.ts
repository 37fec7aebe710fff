import type { KbEntryDto } from "../knowledge/kb-entries/kb-entries.dto.js";
import type { Plan } from "./plan.js";
import { fill, textsIn } from "./texts.js";

type Asked = Pick<KbEntryDto, "question" | "language"> & { kbEntryId: string };

const MARK = /[\s?？؟]/u;
/** Without its question mark: the sentence around both has one. */
function quoted({ question }: Asked): string {
  let end = question.length;
  while (end > 0 && MARK.test(question[end - 1]!)) end--;
  return question.slice(0, end) || question;
}

/** Asks which of two entries is meant, in their own words. */
export function clarification(first: Asked, second: Asked): Extract<Plan, { action: "clarify" }> {
  const body = fill(textsIn(first.language).clarify, { first: quoted(first), second: quoted(second) });
  const options = [first, second].map(({ kbEntryId, question }) => ({ kbEntryId, question }));
  return { action: "clarify", body, options };
}
