import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { Button } from "../../ui/button.js";
import { Alert, Field, Select } from "../../ui/field.js";
import { Submit } from "../../ui/submit.js";
import { toast } from "../../ui/toasts.js";

/** The form that connects an account on a CalDAV server. Its credentials are never shown again. */
export function Connect({
  workspaces,
  onDone,
}: {
  workspaces: Schemas["WorkspaceSummary"][];
  onDone: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const connect = useMutation({
    mutationFn: (body: Schemas["CreateCalendarConnection"]) => parley.calendarConnections.create(body),
    onSuccess: () => {
      for (const queryKey of [["calendar-connections"], ["calendars"]]) void client.invalidateQueries({ queryKey });
      toast(t("calendar.connected"));
      onDone();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string): string => form.get(name) as string;
    connect.mutate({
      workspaceId: text("workspace"),
      serverUrl: text("server").trim(),
      username: text("username").trim(),
      password: text("password"),
    });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Select label={t("cases.workspace")} name="workspace">
        {workspaces.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Field
        label={t("calendar.server")}
        hint={t("calendar.serverHint")}
        name="server"
        type="url"
        required
        maxLength={2000}
        placeholder="https://"
      />
      <Field label={t("calendar.username")} name="username" required autoComplete="off" />
      <Field
        label={t("signIn.password")}
        hint={t("calendar.passwordHint")}
        name="password"
        type="password"
        required
        autoComplete="new-password"
      />
      {connect.error && <Alert>{failureOf(connect.error).sentence}</Alert>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone}>{t("common.cancel")}</Button>
        <Submit isBusy={connect.isPending}>{t("calendar.connect")}</Submit>
      </div>
    </form>
  );
}
