import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { parley, type Schemas } from "../../../api/parley.js";
import { Button } from "../../../ui/button.js";
import { Alert, Field, Select } from "../../../ui/field.js";
import { useFirstFocus, useWrongFocus } from "../../../ui/focus.js";
import { Submit } from "../../../ui/submit.js";
import i18n from "../../../i18n/i18n.js";
import { otherRefusal, refusalOf } from "../edits.js";
import { LanguageOptions, TimeZoneOptions } from "./options.js";
import { type Brand, type Workspace, workspaceChanged } from "./queries.js";

/** The form for a new workspace. */
export function CreateWorkspace({
  brands,
  onCreated,
  onCancel,
}: {
  brands: Brand[];
  onCreated: (workspace: Workspace) => void;
  onCancel: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const first = useFirstFocus<HTMLInputElement>();
  const create = useMutation({
    mutationFn: (body: Schemas["CreateWorkspace"]) => parley.workspaces.create(body),
    onSuccess: (workspace) => {
      workspaceChanged(client, workspace);
      onCreated(workspace);
    },
  });
  const form = useWrongFocus(create.error);
  const other = otherRefusal(create.error, ["name", "primaryLanguage", "timezone"]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const text = (name: string): string => typed.get(name) as string;
    create.mutate({
      name: text("name"),
      brandId: text("brand"),
      primaryLanguage: text("language"),
      timezone: text("timezone"),
    });
  };
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field
        ref={first}
        label={t("workspaces.name")}
        name="name"
        dir="auto"
        maxLength={200}
        autoComplete="off"
        error={refusalOf(create.error, "name") && t("setup.text", { max: 200 })}
      />
      <Select label={t("workspaces.brand")} name="brand" hint={t("workspaces.brandHint")}>
        {brands.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        label={t("workspaces.language")}
        name="language"
        hint={t("workspaces.languageHint")}
        defaultValue={i18n.language}
        error={refusalOf(create.error, "primaryLanguage")}
      >
        <LanguageOptions current={i18n.language} />
      </Select>
      <Select
        label={t("workspaces.timezone")}
        name="timezone"
        defaultValue={here}
        error={refusalOf(create.error, "timezone")}
      >
        <TimeZoneOptions current={here} />
      </Select>
      <p className="text-sm text-muted">{t("workspaces.createHint")}</p>
      {other !== undefined && <Alert>{other}</Alert>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
        <Submit isBusy={create.isPending}>{t("workspaces.create")}</Submit>
      </div>
    </form>
  );
}
