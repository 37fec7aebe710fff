import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.js";
import { Check } from "../../../ui/check.js";
import { Field, Select } from "../../../ui/field.js";
import { TextArea } from "../../../ui/text-area.js";
import { type DraftStep, type JsonField, jsonOf, read } from "./draft.js";
import type { Step } from "./queries.js";

const KINDS = ["text", "number", "email", "date", "choice", "yes_no", "pattern"] as const;
type Slot = NonNullable<Step["slot"]>;

/** The fields that each type of step has, in their order. */
const TEXTS: Partial<Record<Step["type"], readonly ("text" | "why" | "wrong" | "entryId")[]>> = {
  ask: ["text", "why", "wrong"],
  say: ["text", "entryId"],
  confirm: ["text", "why"],
  hand_over: ["text"],
};

export function StepCard({
  draft,
  place,
  count,
  ids,
  tools,
  onChange,
  onMove,
  onRemove,
}: {
  draft: DraftStep;
  place: number;
  count: number;
  ids: readonly string[];
  tools: readonly string[];
  onChange: (draft: DraftStep) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { step, json } = draft;
  const { type } = step;
  const edit = (change: Partial<Step>): void => onChange({ ...draft, step: { ...step, ...change } });
  const named = t("procedures.nth", { place, type: t(`procedures.types.${type}`), id: step.id });
  const target = (field: "next" | "otherwise"): ReactNode => (
    <Select
      label={t(`procedures.${field}`)}
      value={step[field] ?? ""}
      onChange={({ target: { value } }) => edit({ [field]: value || undefined })}
    >
      <option value="">
        {t(field === "next" ? "procedures.nextInList" : `procedures.without.${otherwiseOf(type)}`)}
      </option>
      {ids
        .filter((id) => id !== step.id)
        .map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
    </Select>
  );
  return (
    <li data-step={draft.key} className="rounded-lg border border-line p-3">
      <fieldset className="flex flex-col gap-3">
        <legend className="sr-only">{named}</legend>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p aria-hidden className="font-medium">
            {place}. {t(`procedures.types.${type}`)}
          </p>
          <div role="group" aria-label={t("entries.actions", { name: named })} className="flex gap-1">
            <Button small data-part="up" disabled={place === 1} onClick={() => onMove(-1)}>
              {t("procedures.up")}
            </Button>
            <Button small data-part="down" disabled={place === count} onClick={() => onMove(1)}>
              {t("procedures.down")}
            </Button>
            <Button small look="danger" onClick={onRemove}>
              {t("lists.remove")}
            </Button>
          </div>
        </div>
        <div className="grid items-start gap-3 sm:grid-cols-2">
          <Field
            data-part="id"
            label={t("procedures.id")}
            value={step.id}
            dir="ltr"
            maxLength={40}
            autoComplete="off"
            onChange={({ target: { value } }) => edit({ id: value })}
          />
          {type !== "end" && type !== "hand_over" && target("next")}
        </div>
        {TEXTS[type]?.map((field) => (
          <TextArea
            key={field}
            label={t(`procedures.${field}`)}
            hint={field === "text" ? t("procedures.textHint") : undefined}
            value={step[field] ?? ""}
            dir={field === "entryId" ? "ltr" : "auto"}
            rows={2}
            maxLength={2000}
            onChange={({ target: { value } }) => edit({ [field]: value })}
          />
        ))}
        {step.slot && (
          <SlotFields slot={step.slot} onChange={(change) => edit({ slot: { ...step.slot!, ...change } })} />
        )}
        {type === "require_level" && (
          <Select
            label={t("procedures.level")}
            value={step.level}
            onChange={({ target: { value } }) => edit({ level: value as NonNullable<Step["level"]> })}
          >
            {(["identified", "high-assurance"] as const).map((level) => (
              <option key={level} value={level}>
                {t(`procedures.levels.${level}`)}
              </option>
            ))}
          </Select>
        )}
        {type === "call" && (
          <Select
            label={t("procedures.tool")}
            value={step.tool}
            onChange={({ target: { value } }) => edit({ tool: value })}
          >
            {["", ...new Set([...tools, ...(step.tool ? [step.tool] : []), "add_note", "set_label"])].map((tool) => (
              <option key={tool} value={tool}>
                {tool}
              </option>
            ))}
          </Select>
        )}
        {(type === "call" || type === "confirm") && target("otherwise")}
        {(type === "call" || type === "ask") && (
          <Select
            label={t("procedures.each")}
            value={step.each ?? ""}
            onChange={({ target: { value } }) => edit({ each: value || undefined })}
          >
            <option value="">{t("procedures.once")}</option>
            {ids
              .filter((id) => id !== step.id)
              .map((id) => (
                <option key={id} value={id}>
                  {id}
                </option>
              ))}
          </Select>
        )}
        {jsonOf(step).map((field) => (
          <JsonArea
            key={field}
            field={field}
            text={json[field] ?? ""}
            onChange={(text) => onChange({ ...draft, json: { ...json, [field]: text } })}
          />
        ))}
      </fieldset>
    </li>
  );
}

const otherwiseOf = (type: Step["type"]): "call" | "confirm" => (type === "call" ? "call" : "confirm");

function JsonArea({
  field,
  text,
  onChange,
}: {
  field: JsonField;
  text: string;
  onChange: (text: string) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <TextArea
      label={t(`procedures.${field}`)}
      hint={t(`procedures.${field}Hint`)}
      value={text}
      dir="ltr"
      spellCheck={false}
      rows={3}
      error={text.trim() && read(text) === undefined ? t("policy.notJson") : undefined}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function SlotFields({ slot, onChange }: { slot: Slot; onChange: (slot: Partial<Slot>) => void }): ReactNode {
  const { t } = useTranslation();
  const { kind } = slot;
  const typed = (field: "from" | "value" | "label" | "pattern"): ReactNode => (
    <Field
      label={t(`procedures.slot.${field}`)}
      hint={t(`procedures.slot.${field}Hint`)}
      value={slot[field] ?? ""}
      dir="ltr"
      autoComplete="off"
      onChange={({ target }) => onChange({ [field]: target.value || undefined })}
    />
  );
  const number = (field: "min" | "max" | "maxLength"): ReactNode => (
    <Field
      label={t(`procedures.slot.${field}`)}
      type="number"
      value={slot[field] ?? ""}
      onChange={({ target }) => onChange({ [field]: target.value === "" ? undefined : Number(target.value) })}
    />
  );
  return (
    <>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <Select
          label={t("procedures.slot.kind")}
          value={kind}
          // What another kind has is none of this one.
          onChange={({ target }) =>
            onChange({
              ...Object.fromEntries(Object.keys(slot).map((name) => [name, undefined])),
              kind: target.value as Slot["kind"],
            })
          }
        >
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {t(`procedures.kinds.${one}`)}
            </option>
          ))}
        </Select>
        {kind === "pattern" && typed("pattern")}
        {kind === "text" && number("maxLength")}
        {kind === "number" && number("min")}
        {kind === "number" && number("max")}
        {kind === "choice" && typed("from")}
        {kind === "choice" && slot.from !== undefined && typed("value")}
        {kind === "choice" && slot.from !== undefined && typed("label")}
      </div>
      {(kind === "choice" || kind === "pattern") && (
        <Check
          label={t("procedures.slot.many")}
          checked={slot.many ?? false}
          onChange={({ target }) => onChange({ many: target.checked || undefined })}
        />
      )}
    </>
  );
}
