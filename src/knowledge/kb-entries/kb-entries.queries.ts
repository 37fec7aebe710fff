import { sql } from "../../platform/database/sql.js";
import { projection } from "../../platform/database/statements.js";
import { type Kind, OMITTED, REVIEWED_FIELDS } from "../review/entries.queries.js";
import { sayTheSame } from "./opposed.js";
import type { SearchedEntries } from "../review/entry-search.service.js";
import { reviewStatements } from "../review/review-workflow.js";
import { type Searched, searchesOf, vectorsOf } from "../review/search.queries.js";
import type { KbEntryDto, KbEntryVersionDto } from "./kb-entries.dto.js";

export const KB_ENTRIES: Kind<KbEntryDto> = {
  name: "kb-entries",
  table: "kb_entry",
  projection: projection<KbEntryDto>(
    {
      ...REVIEWED_FIELDS,
      question: sql`r.question`,
      answer: sql`r.answer`,
      alternateQuestions: sql`r.alternate_questions`,
      language: sql`r.language`,
      labels: sql`r.labels`,
      readFrom: sql`r.read_from`,
      replacesDuplicate: sql`r.replaces_duplicate and r.duplicate_of_id is not null`,
    },
    OMITTED,
  ),
  sourced: true,
  replacing: true,
  content: ["question", "answer", "alternateQuestions", "labels", "validUntil"],
  lines: {
    question: "text",
    answer: "text",
    alternateQuestions: "list",
    language: "text",
    labels: "list",
    validUntil: "text",
    status: "text",
  },
};

/** The fields that a search uses and compares. */
export type KbSaid = Pick<KbEntryDto, "question" | "answer">;

const SEARCHED: Searched<KbEntryDto, KbSaid> = {
  kind: KB_ENTRIES,
  index: { said: "kb_question", postings: "kb_posting" },
  embedded: true,
  question: ({ question }) => question,
  agree: (one, other) => sayTheSame(one.answer, other.answer),
};

export const KB_STATEMENTS = reviewStatements<KbEntryDto, KbEntryVersionDto>(KB_ENTRIES);
export const KB_SEARCHED: SearchedEntries<KbEntryDto, KbSaid> = {
  ...SEARCHED,
  searches: searchesOf(SEARCHED),
  changes: KB_STATEMENTS.changes,
  vectors: vectorsOf("kb-entries", "kb_question"),
};
