import { Priority } from "@parley/sdk/enums";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { useOnce } from "../../api/once.js";
import { type Conversation, parley, type Schemas } from "../../api/parley.js";
import { workspacesQuery } from "../../api/queries.js";
import { Button } from "../../ui/button.js";
import { Alert, Field, Select } from "../../ui/field.js";
import { useFirstFocus } from "../../ui/focus.js";
import { Submit } from "../../ui/submit.js";
import { CaseFields, valuesOf } from "./case-fields.js";
import { type Case, caseChanged, caseTypesQuery } from "./queries.js";

/** The form for a new case, for example about a conversation. */
export function CreateCase({
  about,
  onCreated,
  onCancel,
}: {
  about?: Conversation;
  onCreated: (created: Case) => void;
  onCancel: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const first = useFirstFocus<HTMLInputElement>();
  const { data: types } = useQuery(caseTypesQuery());
  const { data: workspaces } = useQuery({ ...workspacesQuery(), enabled: !about });
  const [typeId, setTypeId] = useState("");
  const type = types?.find(({ id }) => id === typeId);
  const once = useOnce();
  const create = useMutation({
    mutationFn: (body: Schemas["CreateCase"]) => parley.cases.create(body, once(body)),
    onSuccess: (created) => {
      caseChanged(client, created);
      onCreated(created);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const title = (form.get("title") as string).trim();
    if (!title) return;
    create.mutate({
      workspaceId: about?.workspaceId ?? (form.get("workspace") as string),
      title,
      priority: form.get("priority") as Schemas["Priority"],
      ...(about && { contactId: about.contactId, conversationIds: [about.id] }),
      ...(type && { typeId: type.id, fields: valuesOf(type, form) }),
    });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        ref={first}
        label={t("cases.title")}
        name="title"
        required
        maxLength={500}
        defaultValue={about?.subject ?? ""}
        autoComplete="off"
      />
      {!about && (
        <Select label={t("cases.workspace")} name="workspace">
          {workspaces?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <Select label={t("cases.priority")} name="priority">
        {Priority.map((one) => (
          <option key={one} value={one}>
            {t(`priority.${one}`)}
          </option>
        ))}
      </Select>
      {types && types.length > 0 && (
        <Select label={t("cases.type")} value={typeId} onChange={({ target }) => setTypeId(target.value)}>
          <option value="">{t("cases.noType")}</option>
          {types.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      {type && <CaseFields key={type.id} type={type} />}
      {create.error && <Alert>{failureOf(create.error).sentence}</Alert>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
        <Submit isBusy={create.isPending} disabled={!about && !workspaces?.length}>
          {t("cases.create")}
        </Submit>
      </div>
    </form>
  );
}
