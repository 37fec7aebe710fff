import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { useOnce } from "../../api/once.js";
import { type Contact, parley, type Schemas } from "../../api/parley.js";
import { Button } from "../../ui/button.js";
import { Alert, Field } from "../../ui/field.js";
import { useFirstFocus, useWrongFocus } from "../../ui/focus.js";
import { Submit } from "../../ui/submit.js";
import { contactChanged, filled, refusedField } from "./queries.js";

/** The form for a new contact. It asks for what one knows at first; the rest is on the contact's page. */
export function CreateContact({
  onCreated,
  onCancel,
}: {
  onCreated: (contact: Contact) => void;
  onCancel: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const first = useFirstFocus<HTMLInputElement>();
  const [isEmpty, setEmpty] = useState(false);
  const once = useOnce();
  const create = useMutation({
    mutationFn: (body: Schemas["CreateContact"]) => parley.contacts.create(body, once(body)),
    onSuccess: (contact) => {
      contactChanged(client, contact);
      onCreated(contact);
    },
  });
  const form = useWrongFocus(create.error ?? isEmpty);
  const refused = create.error ? refusedField(create.error, ["name", "emails", "phones"]) : undefined;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const text = (field: string): string[] => filled([typed.get(field) as string]);
    const [name] = text("name");
    const body = { ...(name && { name }), emails: text("email"), phones: text("phone") };
    const missing = !name && body.emails.length + body.phones.length === 0;
    setEmpty(missing);
    if (!missing) create.mutate(body);
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field
        label={t("contacts.name")}
        name="name"
        maxLength={200}
        autoComplete="off"
        ref={first}
        error={isEmpty ? t("contacts.needed") : refused === "name" ? t("contacts.wrong.name") : undefined}
      />
      <Field
        label={t("contacts.email")}
        name="email"
        type="email"
        autoComplete="off"
        error={refused === "emails" ? t("contacts.wrong.emails") : undefined}
      />
      <Field
        label={t("contacts.phone")}
        name="phone"
        type="tel"
        autoComplete="off"
        hint={t("contacts.phoneHint")}
        error={refused === "phones" ? t("contacts.wrong.phones") : undefined}
      />
      {create.error && refused === undefined && <Alert>{failureOf(create.error).sentence}</Alert>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
        <Submit isBusy={create.isPending}>{t("contacts.create")}</Submit>
      </div>
    </form>
  );
}
