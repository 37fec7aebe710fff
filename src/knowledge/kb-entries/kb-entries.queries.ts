import { projection } from "../../platform/database/statement.js";
import { type Kind, LIFE } from "../review/entries.queries.js";
import { sameAnswer } from "../review/same-answer.js";
import type { Searched } from "../review/search.queries.js";
import type { KbEntryDto } from "./kb-entries.dto.js";

export const KB_ENTRIES: Kind<KbEntryDto> = {
  name: "kb-entries",
  table: "kb_entry",
  projection: projection<KbEntryDto>({
    ...LIFE,
    question: "r.question",
    answer: "r.answer",
    alternateQuestions: "r.alternate_questions",
    language: "r.language",
    labels: "r.labels",
  }),
  content: ["question", "answer", "alternateQuestions", "labels", "validUntil"],
};

/** What it is found by, and what it then says. */
export type KbSaid = Pick<KbEntryDto, "question" | "answer">;

export const KB_SEARCHED: Searched<KbEntryDto, KbSaid> = {
  kind: KB_ENTRIES,
  index: { said: "kb_question", postings: "kb_posting" },
  question: ({ question }) => question,
  agree: (one, other) => sameAnswer(one.answer, other.answer),
};
