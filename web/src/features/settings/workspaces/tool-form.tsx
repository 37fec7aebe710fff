import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { parley, type Schemas } from "../../../api/parley.js";
import { Button } from "../../../ui/button.js";
import { Check } from "../../../ui/check.js";
import { Alert, Field, Select } from "../../../ui/field.js";
import { useFirstFocus, useWrongFocus } from "../../../ui/focus.js";
import { Submit } from "../../../ui/submit.js";
import { TextArea } from "../../../ui/text-area.js";
import { toast } from "../../../ui/toasts.js";
import { useUnsavedInput } from "../../../ui/unsaved.js";
import { readJson } from "../../knowledge/form.js";
import { wordsOf } from "../channels/draft.js";
import { numberOf, orDefaults, otherRefusal, refusalOf } from "../edits.js";

export type Tool = Schemas["Tool"];

const FIELDS = [
  "name",
  "description",
  "parameters",
  "url",
  "credentials.authorization",
  "statusUrl",
  "publicFields",
  "timeoutSeconds",
  "expiresAfterHours",
] as const;

/** What a new tool begins with: no arguments. */
const NO_ARGUMENTS = { type: "object", properties: {}, required: [], additionalProperties: false };

const draftOf = (tool: Tool | undefined) => ({
  ...orDefaults<Pick<Tool, "name" | "description" | "effect" | "url" | "idempotent"> & { statusUrl: string }>(tool, {
    name: "",
    description: "",
    effect: "write",
    url: "",
    idempotent: false,
    statusUrl: "",
  }),
  parameters: JSON.stringify(tool?.parameters ?? NO_ARGUMENTS, null, 2),
  publicFields: (tool?.publicFields ?? []).join("\n"),
  authorization: "",
  forgets: false,
  timeoutSeconds: String(tool?.timeoutSeconds ?? 10),
  expiresAfterHours: String(tool?.expiresAfterHours ?? 24),
});

/** Creates a tool, or changes one. Its name stays, because agents and policies name it. */
export function ToolForm({
  workspaceId,
  tool,
  onSaved,
  onCancel,
}: {
  workspaceId: string;
  tool: Tool | undefined;
  onSaved: () => void;
  onCancel: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const first = useFirstFocus<HTMLInputElement>(tool === undefined);
  const [isNoJson, setNoJson] = useState(false);
  const [draft, setDraft] = useState(() => draftOf(tool));
  const edit = (change: Partial<typeof draft>): void => setDraft({ ...draft, ...change });
  const save = useMutation({
    mutationFn: (sent: Omit<Schemas["CreateTool"], "name">) =>
      tool
        ? parley.tools.update(tool.id, sent)
        : parley.tools.create(workspaceId, { ...sent, name: draft.name.trim() }),
    onSuccess: () => {
      toast(t("settings.saved"));
      onSaved();
    },
  });
  const form = useWrongFocus(save.error);
  const { onInput, question } = useUnsavedInput(save.isSuccess);
  const wrong = (field: (typeof FIELDS)[number], words?: string): string | undefined => {
    const said = refusalOf(save.error, field);
    return said && (words ?? said);
  };
  const other = otherRefusal(save.error, FIELDS);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    let isFaulty = false;
    const parameters = readJson(draft.parameters.trim(), () => (isFaulty = true));
    setNoJson(isFaulty || !parameters);
    if (isFaulty || !parameters) return;
    save.mutate({
      description: draft.description,
      parameters,
      effect: draft.effect,
      url: draft.url.trim(),
      idempotent: draft.idempotent,
      statusUrl: draft.statusUrl.trim() || null,
      publicFields: wordsOf(draft.publicFields),
      timeoutSeconds: numberOf(draft.timeoutSeconds),
      expiresAfterHours: numberOf(draft.expiresAfterHours),
      // What is left out stays stored.
      ...(draft.authorization && { credentials: { authorization: draft.authorization } }),
      ...(draft.forgets && !draft.authorization && { credentials: null }),
    });
  };
  return (
    <form ref={form} noValidate onInput={onInput} onSubmit={submit} className="flex flex-col gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          ref={first}
          label={t("tools.name")}
          hint={t(tool ? "tools.nameStays" : "tools.nameHint")}
          value={draft.name}
          disabled={tool !== undefined}
          dir="ltr"
          maxLength={64}
          autoComplete="off"
          error={wrong("name")}
          onChange={({ target }) => edit({ name: target.value })}
        />
        <Select
          label={t("tools.effect")}
          hint={t(`tools.effectMeaning.${draft.effect}`)}
          value={draft.effect}
          onChange={({ target }) => edit({ effect: target.value as Tool["effect"] })}
        >
          <option value="read">{t("tools.effects.read")}</option>
          <option value="write">{t("tools.effects.write")}</option>
        </Select>
      </div>
      <Field
        label={t("tools.description")}
        hint={t("tools.descriptionHint")}
        value={draft.description}
        dir="auto"
        maxLength={1000}
        autoComplete="off"
        error={wrong("description", t("setup.text", { max: 1000 }))}
        onChange={({ target }) => edit({ description: target.value })}
      />
      <TextArea
        label={t("tools.parameters")}
        hint={t("tools.parametersHint")}
        value={draft.parameters}
        dir="ltr"
        spellCheck={false}
        error={isNoJson ? t("policy.notJson") : wrong("parameters")}
        onChange={({ target }) => edit({ parameters: target.value })}
      />
      <Field
        label={t("tools.url")}
        hint={t("tools.urlHint")}
        type="url"
        dir="ltr"
        placeholder="https://shop.example.com/tools/refund"
        value={draft.url}
        maxLength={2000}
        autoComplete="off"
        error={wrong("url")}
        onChange={({ target }) => edit({ url: target.value })}
      />
      <Field
        label={t("sources.authorization")}
        hint={t(tool?.hasCredentials ? "sources.secretStays" : "sources.authorizationHint")}
        type="password"
        dir="ltr"
        value={draft.authorization}
        autoComplete="new-password"
        error={wrong("credentials.authorization")}
        onChange={({ target }) => edit({ authorization: target.value })}
      />
      {tool?.hasCredentials && (
        <Check
          label={t("sources.forget")}
          checked={draft.forgets}
          onChange={({ target }) => edit({ forgets: target.checked })}
        />
      )}
      <Check
        label={t("tools.idempotent")}
        hint={t("tools.idempotentHint")}
        checked={draft.idempotent}
        onChange={({ target }) => edit({ idempotent: target.checked })}
      />
      <Field
        label={t("tools.statusUrl")}
        hint={t("tools.statusUrlHint")}
        type="url"
        dir="ltr"
        value={draft.statusUrl}
        maxLength={2000}
        autoComplete="off"
        error={wrong("statusUrl")}
        onChange={({ target }) => edit({ statusUrl: target.value })}
      />
      <TextArea
        label={t("tools.publicFields")}
        hint={t("tools.publicFieldsHint")}
        value={draft.publicFields}
        dir="ltr"
        spellCheck={false}
        error={wrong("publicFields")}
        onChange={({ target }) => edit({ publicFields: target.value })}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {(
          [
            ["timeoutSeconds", 30],
            ["expiresAfterHours", 168],
          ] as const
        ).map(([name, max]) => (
          <Field
            key={name}
            label={t(`tools.${name}`)}
            hint={t(`tools.${name}Hint`)}
            type="number"
            inputMode="numeric"
            min={1}
            max={max}
            step={1}
            value={draft[name]}
            error={wrong(name, t("setup.number", { min: 1, max }))}
            onChange={({ target }) => edit({ [name]: target.value })}
          />
        ))}
      </div>
      {other !== undefined && <Alert>{other}</Alert>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
        <Submit isBusy={save.isPending}>{t(tool ? "common.save" : "tools.add")}</Submit>
      </div>
      {question}
    </form>
  );
}
