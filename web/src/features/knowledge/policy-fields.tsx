import { PolicyDecision, RequiredAssuranceLevel } from "@parley/sdk/enums";
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../api/parley.js";
import { Field, Select } from "../../ui/field.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { TextArea } from "../../ui/text-area.js";
import { listOf, type Problems, readJson, textOf } from "./form.js";
import type { PolicyEntry } from "./kinds.js";

const EXAMPLE = '{"field": "refund.amount", "op": "lte", "value": 20}';
const DEFAULT_PRIORITY = 100;

export function PolicyFields({ entry, problems }: { entry: PolicyEntry | undefined; problems: Problems }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Field
        label={t("policies.heading")}
        name="title"
        defaultValue={entry?.title}
        error={problems.title}
        maxLength={200}
        dir="auto"
        {...FIRST_FIELD}
      />
      <TextArea
        label={t("policies.text")}
        name="rule"
        defaultValue={entry?.rule}
        error={problems.rule}
        maxLength={20_000}
        dir="auto"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label={t("policy.effect")} name="effect" defaultValue={entry?.effect ?? "require_approval"}>
          {PolicyDecision.map((effect) => (
            <option key={effect} value={effect}>
              {t(`policy.effects.${effect}`)}
            </option>
          ))}
        </Select>
        <Select
          label={t("policy.level")}
          name="requiredAssuranceLevel"
          defaultValue={entry?.requiredAssuranceLevel ?? ""}
        >
          <option value="">{t("policy.levels.none")}</option>
          {RequiredAssuranceLevel.map((level) => (
            <option key={level} value={level}>
              {t(`policy.levels.${level}`)}
            </option>
          ))}
        </Select>
      </div>
      <Field
        label={t("policy.tools")}
        hint={t("policy.toolsHint")}
        name="tools"
        defaultValue={entry?.tools.join(", ")}
        className="[&_input]:font-mono"
      />
      <TextArea
        label={t("policy.conditions")}
        hint={t("policy.conditionsHint", { example: EXAMPLE })}
        name="conditions"
        defaultValue={entry?.conditions ? JSON.stringify(entry.conditions, null, 2) : ""}
        error={problems.conditions}
        spellCheck={false}
        className="[&_textarea]:font-mono [&_textarea]:text-sm"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label={t("policy.priority")}
          hint={t("policy.priorityHint")}
          name="priority"
          type="number"
          min={0}
          max={1000}
          defaultValue={entry?.priority ?? DEFAULT_PRIORITY}
        />
        <Field label={t("policy.category")} name="category" defaultValue={entry?.category ?? ""} maxLength={100} />
      </div>
    </>
  );
}

export function readPolicy(form: FormData, problems: Problems, t: TFunction): Schemas["CreatePolicyEntry"] {
  const title = textOf(form, "title");
  const rule = textOf(form, "rule");
  if (!title) problems.title = t("entries.needed");
  if (!rule) problems.rule = t("entries.needed");
  return {
    title,
    rule,
    effect: textOf(form, "effect") as Schemas["PolicyEffect"],
    requiredAssuranceLevel: (textOf(form, "requiredAssuranceLevel") || null) as
      | Schemas["RequiredAssuranceLevel"]
      | null,
    tools: listOf(textOf(form, "tools"), ","),
    conditions: readJson(textOf(form, "conditions"), () => (problems.conditions = t("policy.notJson"))) ?? null,
    priority: Number(textOf(form, "priority") || DEFAULT_PRIORITY),
    category: textOf(form, "category") || null,
  };
}
