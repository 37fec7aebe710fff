import { CsatScale } from "@parley/sdk/enums";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { parley, type Schemas } from "../../../api/parley.js";
import { Button, IconButton } from "../../../ui/button.js";
import { Check } from "../../../ui/check.js";
import { Part } from "../../../ui/detail-page.js";
import { Alert, Field, Select } from "../../../ui/field.js";
import { FIRST_FIELD } from "../../../ui/focus.js";
import { Failed, Skeleton } from "../../../ui/states.js";
import { languageName, languages } from "../../contacts/language.js";
import { numberOf, NumberField, useEdits } from "../edits.js";
import { surveyQuery, type Workspace } from "./queries.js";

/** Whether, when and what contacts are asked after a conversation. */
export function Survey({ workspace }: { workspace: Workspace }): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(surveyQuery(workspace.id));
  return (
    <Part title={t("survey.title")}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {data ? <Form workspace={workspace} config={data} /> : !error && <Skeleton lines={3} />}
    </Part>
  );
}

function Form({ workspace, config }: { workspace: Workspace; config: Schemas["CsatConfig"] }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const id = useId();
  const edits = useEdits({
    now: {
      enabled: config.enabled,
      scale: config.scale,
      delayMinutes: String(config.delayMinutes),
      askOncePerDays: String(config.askOncePerDays),
      lowScoreThreshold: String(config.lowScoreThreshold),
      questions: config.questions,
    },
    fields: ["scale", "delayMinutes", "askOncePerDays", "lowScoreThreshold", "questions"],
    send: (_, { delayMinutes, askOncePerDays, lowScoreThreshold, ...rest }) =>
      parley.csatConfig.replace(workspace.id, {
        ...rest,
        delayMinutes: numberOf(delayMinutes),
        askOncePerDays: numberOf(askOncePerDays),
        lowScoreThreshold: numberOf(lowScoreThreshold),
      }),
    onSaved: (saved) => client.setQueryData(["csat-config", workspace.id], saved),
  });
  const { draft, edit, wrong, form, end } = edits;
  const asked = Object.entries(draft.questions);
  const unasked = languages(workspace.primaryLanguage).filter(({ code }) => draft.questions[code] === undefined);
  const next = unasked.find(({ code }) => code === workspace.primaryLanguage) ?? unasked[0];
  const questionsWrong = wrong("questions", t("survey.questionsWrong"));
  return (
    <form {...form} aria-label={t("survey.title")} className="flex flex-col gap-4">
      <Check
        label={t("survey.enabled")}
        hint={t("survey.enabledHint")}
        checked={draft.enabled}
        onChange={({ target }) => edit({ enabled: target.checked })}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Select
          label={t("survey.scale")}
          hint={t("survey.scaleHint")}
          value={draft.scale}
          error={wrong("scale")}
          onChange={({ target }) => edit({ scale: Number(target.value) as Schemas["CsatScale"] })}
        >
          {CsatScale.map((scale) => (
            <option key={scale} value={scale}>
              {t(`survey.scales.of${scale}`)}
            </option>
          ))}
        </Select>
        <NumberField
          edits={edits}
          name="lowScoreThreshold"
          label={t("survey.lowScoreThreshold")}
          hint={t("survey.lowScoreThresholdHint", { max: draft.scale - 1 })}
          min={1}
          max={draft.scale - 1}
        />
        <NumberField
          edits={edits}
          name="delayMinutes"
          label={t("survey.delayMinutes")}
          hint={t("survey.delayMinutesHint")}
          min={0}
          max={10_080}
        />
        <NumberField
          edits={edits}
          name="askOncePerDays"
          label={t("survey.askOncePerDays")}
          hint={t("survey.askOncePerDaysHint")}
          min={0}
          max={365}
        />
      </div>
      <fieldset className="flex flex-col gap-3" aria-describedby={`${id}-hint`}>
        <legend className="mb-1 font-medium">{t("survey.questions")}</legend>
        <p id={`${id}-hint`} className="text-sm text-muted">
          {t("survey.questionsHint")}
        </p>
        {asked.map(([code, question]) => (
          <div key={code} className="flex items-end gap-1">
            <Field
              label={languageName(code)}
              value={question}
              lang={code}
              dir="auto"
              maxLength={300}
              autoComplete="off"
              {...(question === "" && FIRST_FIELD)}
              aria-invalid={questionsWrong && !question.trim() ? true : undefined}
              onChange={({ target }) => edit({ questions: { ...draft.questions, [code]: target.value } })}
              className="min-w-0 flex-1"
            />
            <IconButton
              label={t("settings.removeNamed", { name: languageName(code) })}
              onClick={() => edit({ questions: Object.fromEntries(asked.filter(([other]) => other !== code)) })}
            >
              <X size={16} />
            </IconButton>
          </div>
        ))}
        {questionsWrong && <Alert>{questionsWrong}</Alert>}
        {next && (
          <AddQuestion
            key={next.code}
            unasked={unasked}
            first={next.code}
            onAdd={(code) => edit({ questions: { ...draft.questions, [code]: "" } })}
          />
        )}
      </fieldset>
      {end}
    </form>
  );
}

/** Chooses a language that has no question yet. */
function AddQuestion({
  unasked,
  first,
  onAdd,
}: {
  unasked: { code: string; name: string }[];
  first: string;
  onAdd: (code: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  const [code, setCode] = useState(first);
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Select
        label={t("survey.addLanguage")}
        value={code}
        onChange={({ target }) => setCode(target.value)}
        className="w-48"
      >
        {unasked.map((language) => (
          <option key={language.code} value={language.code}>
            {language.name}
          </option>
        ))}
      </Select>
      <Button onClick={() => onAdd(code)}>{t("survey.add")}</Button>
    </div>
  );
}
