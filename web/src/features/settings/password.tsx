import { UnauthenticatedError } from "@parley/sdk/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Alert, Field } from "../../ui/field.js";
import { Page } from "../../ui/page.js";
import { toast } from "../../ui/toasts.js";

/** Changes your password. Your other sessions end with it. */
export function Password(): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const form = useRef<HTMLFormElement>(null);
  const change = useMutation({
    mutationFn: (body: Schemas["ChangePassword"]) => parley.me.changePassword(body),
    onSuccess: () => {
      form.current?.reset();
      toast(t("password.done"));
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    change.mutate({
      currentPassword: given.get("current") as string,
      newPassword: given.get("new") as string,
    });
  };
  const wrong = change.error instanceof UnauthenticatedError;
  return (
    <Page title={t("settings.section.password")} explain={t("password.explain")}>
      <form ref={form} onSubmit={submit} className="flex max-w-md flex-col gap-4">
        {/* For password managers. */}
        <input type="text" name="username" autoComplete="username" defaultValue={me.email} hidden readOnly />
        <Field
          label={t("password.current")}
          name="current"
          type="password"
          autoComplete="current-password"
          required
          maxLength={200}
          error={wrong ? t("reauthenticate.wrong") : undefined}
        />
        <Field
          label={t("signIn.choose.password")}
          hint={t("signIn.choose.hint")}
          name="new"
          type="password"
          autoComplete="new-password"
          required
          minLength={10}
          maxLength={200}
        />
        {change.error && !wrong && <Alert>{failureOf(change.error).sentence}</Alert>}
        <Button type="submit" look="primary" disabled={change.isPending} className="self-start">
          {t("password.button")}
        </Button>
      </form>
    </Page>
  );
}
