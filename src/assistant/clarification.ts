import type { KbEntryDto } from "../knowledge/kb-entries/kb-entries.dto.js";
import type { Plan } from "./plan.js";
import { isQuestion } from "./context/parts.js";
import { fill, textsIn } from "./context/texts.js";
import { wordsOf } from "../knowledge/review/similarity.js";

type Asked = Pick<KbEntryDto, "question" | "language"> & { kbEntryId: string };

const MARK = /[\s?？؟]/u;
/** Without its question marks: the sentence around both has them. */
function quoted({ question }: Asked): string {
  const begin = /^[\s¿]*/u.exec(question)![0].length;
  let end = question.length;
  while (end > begin && MARK.test(question[end - 1]!)) end--;
  return question.slice(begin, end) || question;
}

/** What is as short as this and asks nothing is the heading of a page, such as "Contact" or "Opening hours". In words. */
const MAX_HEADING = 3;
const isHeading = (question: string): boolean => !isQuestion(question) && wordsOf(question).length <= MAX_HEADING;

/**
 * Asks whether the entry is meant, or which of two, in their own words.
 * @param isSorry the contact complains, so they first read that we are sorry
 */
export function clarification(
  first: Asked,
  second?: Asked,
  { isSorry = false } = {},
): Extract<Plan, { action: "clarify" }> {
  const texts = textsIn(first.language);
  const asks = second
    ? fill(texts.clarify, { first: quoted(first), second: quoted(second) })
    : fill(isHeading(first.question) ? texts.topic : texts.confirm, { question: quoted(first) });
  const body = isSorry && texts.because.complaint ? `${texts.because.complaint} ${asks}` : asks;
  const options = [first, ...(second ? [second] : [])].map(({ kbEntryId, question }) => ({ kbEntryId, question }));
  const choices = second ? [first.question, second.question] : [texts.yes, texts.no];
  return { action: "clarify", body, options, choices };
}
