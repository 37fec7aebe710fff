import { ProcedureOperator } from "@parley/sdk/enums";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Field, Select } from "../../../ui/field.js";
import { Rows } from "../rows.js";
import { type Condition, scalar, typed, valueTyped } from "./values.js";
import type { Step } from "./queries.js";

/** Conditions that must all hold: a value, how it is compared, and with what. */
export function Conditions({
  label,
  hint,
  conditions,
  onChange,
}: {
  label: string;
  hint?: string;
  conditions: readonly Condition[];
  onChange: (conditions: Condition[]) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Rows
      label={label}
      {...(hint !== undefined && { hint })}
      items={conditions}
      fresh={(): Condition => ({ value: "", op: "equals", to: "" })}
      add={t("procedures.addCondition")}
      remove={(place) => t("procedures.removeCondition", { place })}
      onChange={onChange}
    >
      {(condition, edit) => <ConditionFields condition={condition} onChange={edit} />}
    </Rows>
  );
}

function ConditionFields({
  condition,
  onChange,
}: {
  condition: Condition;
  onChange: (condition: Condition) => void;
}): ReactNode {
  const { t } = useTranslation();
  const { value, op } = condition;
  const [text, setText] = useState(() => typed(condition.to));
  const compare = (next: Condition["op"], with_: string): void => {
    const { to: _, ...rest } = condition;
    onChange({ ...rest, op: next, ...(next !== "exists" && { to: valueTyped(with_, next) as never }) });
  };
  return (
    <div className="grid items-start gap-2 sm:grid-cols-3">
      <Field
        label={t("procedures.condition.value")}
        value={value}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange({ ...condition, value: target.value })}
      />
      <Select
        label={t("procedures.condition.op")}
        value={op}
        onChange={({ target }) => compare(target.value as Condition["op"], text)}
      >
        {ProcedureOperator.map((one) => (
          <option key={one} value={one}>
            {t(`procedures.operators.${one}`)}
          </option>
        ))}
      </Select>
      {op !== "exists" && (
        <Field
          label={t("procedures.condition.to")}
          hint={op === "one_of" ? t("entries.commasHint") : undefined}
          value={text}
          dir="auto"
          autoComplete="off"
          onChange={({ target }) => {
            setText(target.value);
            compare(op, target.value);
          }}
        />
      )}
    </div>
  );
}

type Case = NonNullable<Step["cases"]>[number];

/** The cases of a branch, in their order: the first whose conditions hold says where it goes on. */
export function Cases({
  cases,
  ids,
  onChange,
}: {
  cases: readonly Case[];
  /** Where a branch can go. */
  ids: readonly string[];
  onChange: (cases: Case[]) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Rows
      label={t("procedures.cases")}
      hint={t("procedures.casesHint")}
      items={cases}
      fresh={(): Case => ({ when: [{ value: "", op: "equals", to: "" }], next: "" })}
      add={t("procedures.addCase")}
      remove={(place) => t("procedures.removeCase", { place })}
      onChange={onChange}
    >
      {(one, edit, place) => (
        <div className="flex flex-col gap-2">
          <Conditions
            label={t("procedures.case", { place })}
            conditions={one.when}
            onChange={(when) => edit({ ...one, when })}
          />
          <Select
            label={t("procedures.then")}
            value={one.next}
            onChange={({ target }) => edit({ ...one, next: target.value })}
          >
            {["", ...ids].map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </Select>
        </div>
      )}
    </Rows>
  );
}

type Option = NonNullable<NonNullable<Step["slot"]>["options"]>[number];

/** What a contact can choose from. */
export function Options({
  options,
  onChange,
}: {
  options: readonly Option[];
  onChange: (options: Option[]) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <Rows
      label={t("procedures.options")}
      items={options}
      fresh={(): Option => ({ value: "", label: "" })}
      add={t("procedures.addOption")}
      remove={(place) => t("procedures.removeOption", { place })}
      onChange={onChange}
    >
      {(option, edit) => <OptionFields option={option} onChange={edit} />}
    </Rows>
  );
}

function OptionFields({ option, onChange }: { option: Option; onChange: (option: Option) => void }): ReactNode {
  const { t } = useTranslation();
  const [value, setValue] = useState(() => typed(option.value));
  const [synonyms, setSynonyms] = useState(() => typed(option.synonyms ?? []));
  return (
    <div className="grid items-start gap-2 sm:grid-cols-3">
      <Field
        label={t("procedures.option.label")}
        value={option.label}
        dir="auto"
        autoComplete="off"
        onChange={({ target }) => onChange({ ...option, label: target.value })}
      />
      <Field
        label={t("procedures.option.value")}
        value={value}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          setValue(target.value);
          onChange({ ...option, value: scalar(target.value) });
        }}
      />
      <Field
        label={t("procedures.option.synonyms")}
        hint={t("entries.commasHint")}
        value={synonyms}
        dir="auto"
        autoComplete="off"
        onChange={({ target }) => {
          setSynonyms(target.value);
          const { synonyms: _, ...rest } = option;
          const words = target.value
            .split(",")
            .map((word) => word.trim())
            .filter(Boolean);
          onChange({ ...rest, ...(words.length > 0 && { synonyms: words }) });
        }}
      />
    </div>
  );
}
