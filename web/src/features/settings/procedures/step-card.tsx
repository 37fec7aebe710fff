import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.js";
import { Field } from "../../../ui/field.js";
import { TextArea } from "../../../ui/text-area.js";
import type { DraftStep } from "./draft.js";
import type { Step } from "./queries.js";
import { PickStep, StepFields } from "./step-fields.js";

/** The fields that each type of step has, in their order. */
const TEXTS: Partial<Record<Step["type"], readonly ("text" | "why" | "wrong")[]>> = {
  ask: ["text", "why", "wrong"],
  say: ["text"],
  confirm: ["text", "why"],
  hand_over: ["text"],
};

export function StepCard({
  workspaceId,
  draft,
  place,
  count,
  ids,
  tools,
  onChange,
  onMove,
  onRemove,
}: {
  workspaceId: string;
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
  const { step } = draft;
  const { type } = step;
  const others = ids.filter((id) => id !== step.id);
  const edit = (change: Partial<Step>): void => onChange({ ...draft, step: { ...step, ...change } });
  const named = t("procedures.nth", { place, type: t(`procedures.types.${type}`), id: step.id });
  const editing = { workspaceId, draft, others, tools, onChange };
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
          {type !== "end" && type !== "hand_over" && <PickStep {...editing} field="next" none="next" />}
        </div>
        {TEXTS[type]?.map((field) => (
          <TextArea
            key={field}
            label={t(`procedures.${field}`)}
            hint={field === "text" ? t("procedures.textHint") : undefined}
            value={step[field] ?? ""}
            dir="auto"
            rows={2}
            maxLength={2000}
            onChange={({ target: { value } }) => edit({ [field]: value })}
          />
        ))}
        <StepFields {...editing} />
      </fieldset>
    </li>
  );
}
