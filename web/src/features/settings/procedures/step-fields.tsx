import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Check } from "../../../ui/check.js";
import { Field, Select } from "../../../ui/field.js";
import { TextArea } from "../../../ui/text-area.js";
import { Cases, Conditions, Options } from "./conditions.js";
import { type DraftStep, read } from "./draft.js";
import { PickEntries } from "./pick-entries.js";
import type { Step } from "./queries.js";

const KINDS = ["text", "number", "email", "date", "choice", "yes_no", "pattern"] as const;
type Slot = NonNullable<Step["slot"]>;

export interface Editing {
  workspaceId: string;
  draft: DraftStep;
  /** The other steps. */
  others: readonly string[];
  tools: readonly string[];
  onChange: (draft: DraftStep) => void;
}

/** The fields that only this type of step has. */
export function StepFields(editing: Editing): ReactNode {
  switch (editing.draft.step.type) {
    case "say":
      return <SayFields {...editing} />;
    case "ask":
      return <AskFields {...editing} />;
    case "require_level":
      return <LevelField {...editing} />;
    case "call":
      return <CallFields {...editing} />;
    case "confirm":
      return <PickStep {...editing} field="otherwise" none="confirm" />;
    case "branch":
      return <BranchFields {...editing} />;
    default:
      return null;
  }
}

const edited = ({ draft, onChange }: Editing, change: Partial<Step>): void =>
  onChange({ ...draft, step: { ...draft.step, ...change } });

const NONE = {
  next: "procedures.nextInList",
  call: "procedures.without.call",
  confirm: "procedures.without.confirm",
  once: "procedures.once",
} as const;

/** Another step, or none. */
export function PickStep({
  field,
  none,
  ...editing
}: Editing & { field: "next" | "otherwise" | "each"; none: keyof typeof NONE }): ReactNode {
  const { t } = useTranslation();
  return (
    <Select
      label={t(`procedures.${field}`)}
      value={editing.draft.step[field] ?? ""}
      onChange={({ target: { value } }) => edited(editing, { [field]: value || undefined })}
    >
      <option value="">{t(NONE[none])}</option>
      {editing.others.map((id) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </Select>
  );
}

function SayFields(editing: Editing): ReactNode {
  const { t } = useTranslation();
  const { entryId } = editing.draft.step;
  return (
    <PickEntries
      workspaceId={editing.workspaceId}
      label={t("procedures.entryId")}
      hint={t("procedures.entryIdHint")}
      ids={entryId ? [entryId] : []}
      most={1}
      onChange={([id]) => edited(editing, { entryId: id })}
    />
  );
}

function AskFields(editing: Editing): ReactNode {
  const { t } = useTranslation();
  const { check = [], slot } = editing.draft.step;
  const fill = (change: Partial<Slot>): void => edited(editing, { slot: { ...slot!, ...change } });
  if (!slot) return null;
  return (
    <>
      <SlotFields slot={slot} onChange={fill} />
      <PickStep {...editing} field="each" none="once" />
      {slot.kind === "choice" && slot.from === undefined && (
        <Options options={slot.options ?? []} onChange={(options) => fill({ options })} />
      )}
      {slot.kind === "choice" && slot.from !== undefined && (
        <Conditions
          label={t("procedures.where")}
          hint={t("procedures.whereHint")}
          conditions={slot.where ?? []}
          onChange={(where) => fill({ where })}
        />
      )}
      <Conditions
        label={t("procedures.check")}
        conditions={check}
        onChange={(conditions) => edited(editing, { check: conditions })}
      />
    </>
  );
}

function LevelField(editing: Editing): ReactNode {
  const { t } = useTranslation();
  return (
    <Select
      label={t("procedures.level")}
      value={editing.draft.step.level}
      onChange={({ target: { value } }) => edited(editing, { level: value as NonNullable<Step["level"]> })}
    >
      {(["identified", "high-assurance"] as const).map((level) => (
        <option key={level} value={level}>
          {t(`procedures.levels.${level}`)}
        </option>
      ))}
    </Select>
  );
}

function CallFields(editing: Editing): ReactNode {
  const { t } = useTranslation();
  const { draft, tools, onChange } = editing;
  const { tool = "" } = draft.step;
  const json = draft.arguments;
  return (
    <>
      <Select
        label={t("procedures.tool")}
        value={tool}
        onChange={({ target: { value } }) => edited(editing, { tool: value })}
      >
        {[...new Set(["", ...tools, tool, "add_note", "set_label"])].map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </Select>
      <PickStep {...editing} field="otherwise" none="call" />
      <PickStep {...editing} field="each" none="once" />
      <TextArea
        label={t("procedures.arguments")}
        hint={t("procedures.argumentsHint")}
        value={json}
        dir="ltr"
        spellCheck={false}
        rows={3}
        error={json.trim() && read(json) === undefined ? t("policy.notJson") : undefined}
        onChange={({ target: { value } }) => onChange({ ...draft, arguments: value })}
      />
    </>
  );
}

const BranchFields = (editing: Editing): ReactNode => (
  <Cases cases={editing.draft.step.cases ?? []} ids={editing.others} onChange={(cases) => edited(editing, { cases })} />
);

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
