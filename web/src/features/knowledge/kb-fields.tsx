import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/parley.js";
import { Field, Select } from "../../ui/field.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { TextArea } from "../../ui/text-area.js";
import { listOf, type Problems, textOf } from "./form.js";
import type { KbEntry } from "./kinds.js";
import type { EntriesSearch } from "./search.js";

/** The languages that are offered first come from the workspace and the entry; these follow. */
const LANGUAGES = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "da",
  "sv",
  "nb",
  "fi",
  "pl",
  "cs",
  "tr",
  "uk",
  "ar",
  "he",
];

/** What a new entry begins with. */
export type Begun = Pick<EntriesSearch, "write" | "also" | "language">;

export function KbFields({
  entry,
  begun,
  language,
  problems,
}: {
  entry: KbEntry | undefined;
  begun?: Begun | undefined;
  /** The language of the workspace, if the entry's can still be chosen. */
  language: string | undefined;
  problems: Problems;
}): ReactNode {
  const { t, i18n } = useTranslation();
  const names = new Intl.DisplayNames(i18n.language, { type: "language" });
  const chosen = entry?.language ?? begun?.language ?? language;
  return (
    <>
      <Field
        label={t("knowledge.heading")}
        name="question"
        defaultValue={entry?.question ?? begun?.write}
        error={problems.question}
        maxLength={2000}
        dir="auto"
        {...FIRST_FIELD}
      />
      <TextArea
        label={t("knowledge.text")}
        hint={t("entries.markdownHint")}
        name="answer"
        defaultValue={entry?.answer}
        error={problems.answer}
        rows={6}
        maxLength={20_000}
        dir="auto"
      />
      <TextArea
        label={t("entries.alternate")}
        hint={t("entries.linesHint")}
        name="alternateQuestions"
        defaultValue={entry?.alternateQuestions.join("\n") ?? begun?.also}
        dir="auto"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={t("entries.labels")}
          hint={t("entries.commasHint")}
          name="labels"
          defaultValue={entry?.labels.join(", ")}
        />
        {language !== undefined && (
          <Select label={t("entries.language")} name="language" defaultValue={chosen}>
            {[...new Set([chosen!, language, ...LANGUAGES])].map((code) => (
              <option key={code} value={code}>
                {names.of(code)}
              </option>
            ))}
          </Select>
        )}
      </div>
    </>
  );
}

export function readKb(form: FormData, problems: Problems, t: TFunction): Schemas["CreateKbEntry"] {
  const question = textOf(form, "question");
  const answer = textOf(form, "answer");
  if (!question) problems.question = t("entries.needed");
  if (!answer) problems.answer = t("entries.needed");
  const language = textOf(form, "language");
  return {
    question,
    answer,
    alternateQuestions: listOf(textOf(form, "alternateQuestions"), "\n"),
    labels: listOf(textOf(form, "labels"), ","),
    ...(language && { language }),
  };
}
