import { FieldVisibility } from "@parley/sdk/enums";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Copyable } from "../../../ui/copyable.js";
import { Field, Select } from "../../../ui/field.js";
import { useFirstFocus } from "../../../ui/focus.js";
import { TextArea } from "../../../ui/text-area.js";
import { snippet } from "../channels/addresses.js";
import { type Edits, NumberField, useEdits } from "../edits.js";
import { LanguageOptions } from "../workspaces/options.js";
import { OF_WIDGETS } from "./languages.js";
import { draftOf, type Kind, saveWidget, type Widget, type WidgetDraft } from "./queries.js";

const FIELDS = [
  "name",
  "allowedOrigins",
  "settings.title",
  "settings.placeholder",
  "settings.colour",
  "settings.language",
  "settings.results",
  "settings.minConfidence",
  "settings.thankYou",
  "settings.consent",
];
const ASKED = ["nameField", "phoneField", "subjectField"] as const;
type Texts = Exclude<keyof WidgetDraft, (typeof ASKED)[number]>;

/** The form for a widget, and, once there is one, the line that puts it on a page. */
export function WidgetForm({
  kind,
  workspaceId,
  widget,
  onSaved,
}: {
  kind: Kind;
  workspaceId: string;
  widget?: Widget;
  onSaved: (widget: Widget) => void;
}): ReactNode {
  const { t } = useTranslation();
  const first = useFirstFocus<HTMLInputElement>(widget === undefined);
  const edits = useEdits<WidgetDraft, Widget>({
    now: draftOf(widget),
    fields: FIELDS,
    send: (changes, draft) => saveWidget(kind, { workspaceId, id: widget?.id }, changes, draft),
    onSaved,
  });
  const { draft, edit, wrong, form, end } = edits;
  const bound = (name: Texts) => ({
    value: draft[name],
    autoComplete: "off",
    onChange: ({ target }: { target: { value: string } }) => edit({ [name]: target.value }),
  });
  return (
    <form {...form} className="flex flex-col gap-4">
      {widget && (
        <Copyable
          label={t("widgets.snippet")}
          hint={t("widgets.snippetHint")}
          value={snippet(kind === "kb" ? "search" : "form", widget.publicKey)}
        />
      )}
      <Field
        ref={first}
        label={t("widgets.name")}
        hint={t("widgets.nameHint")}
        dir="auto"
        maxLength={200}
        error={wrong("name", t("setup.text", { max: 200 }))}
        {...bound("name")}
      />
      <TextArea
        label={t("channelSetup.origins")}
        hint={t("channelSetup.originsHint")}
        dir="ltr"
        placeholder="https://www.example.com"
        error={wrong("allowedOrigins", t("channelSetup.originsWrong"))}
        {...bound("allowedOrigins")}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          label={t("widgets.title")}
          hint={t("widgets.ownWords")}
          dir="auto"
          maxLength={120}
          error={wrong("settings.title", t("setup.text", { max: 120 }))}
          {...bound("title")}
        />
        <Field
          label={t("widgets.placeholder")}
          hint={t("widgets.ownWords")}
          dir="auto"
          maxLength={120}
          error={wrong("settings.placeholder", t("setup.text", { max: 120 }))}
          {...bound("placeholder")}
        />
        <Field label={t("channelSetup.colour")} type="color" error={wrong("settings.colour")} {...bound("colour")} />
        <Select
          label={t("channelSetup.language")}
          value={draft.language}
          error={wrong("settings.language")}
          onChange={({ target }) => edit({ language: target.value })}
        >
          <option value="">{t("channelSetup.ofWorkspace")}</option>
          <LanguageOptions current={draft.language || null} offered={OF_WIDGETS} />
        </Select>
      </div>
      {kind === "kb" ? <SearchFields edits={edits} /> : <FormFields edits={edits} bound={bound} />}
      {end}
    </form>
  );
}

function SearchFields({ edits }: { edits: Edits<WidgetDraft> }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <NumberField
        edits={edits}
        name="results"
        path="settings.results"
        label={t("widgets.results")}
        hint={t("widgets.resultsHint")}
        min={1}
        max={10}
      />
      <NumberField
        edits={edits}
        name="minConfidence"
        path="settings.minConfidence"
        label={t("widgets.minConfidence")}
        hint={t("widgets.minConfidenceHint")}
        min={0}
        max={100}
      />
    </div>
  );
}

function FormFields({
  edits: { draft, edit, wrong },
  bound,
}: {
  edits: Edits<WidgetDraft>;
  bound: (name: "thankYou" | "consent") => object;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <fieldset>
        <legend className="mb-1 font-medium">{t("widgets.fields")}</legend>
        <p className="mb-2 text-sm text-muted">{t("widgets.fieldsHint")}</p>
        <div className="grid items-start gap-4 sm:grid-cols-3">
          {ASKED.map((name) => (
            <Select
              key={name}
              label={t(`widgets.${name}`)}
              value={draft[name]}
              onChange={({ target }) => edit({ [name]: target.value })}
            >
              {FieldVisibility.map((visibility) => (
                <option key={visibility} value={visibility}>
                  {t(`widgets.visibility.${visibility}`)}
                </option>
              ))}
            </Select>
          ))}
        </div>
      </fieldset>
      <TextArea
        label={t("widgets.thankYou")}
        hint={t("widgets.ownWords")}
        dir="auto"
        maxLength={500}
        error={wrong("settings.thankYou", t("setup.text", { max: 500 }))}
        {...bound("thankYou")}
      />
      <TextArea
        label={t("widgets.consent")}
        hint={t("widgets.consentHint")}
        dir="auto"
        maxLength={1_000}
        error={wrong("settings.consent", t("setup.text", { max: 1_000 }))}
        {...bound("consent")}
      />
    </>
  );
}
