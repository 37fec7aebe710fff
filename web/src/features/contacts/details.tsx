import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Contact, parley, type Schemas } from "../../api/parley.js";
import { Check } from "../../ui/check.js";
import { Alert, Field, Select } from "../../ui/field.js";
import { useWrongFocus } from "../../ui/focus.js";
import { Save } from "../../ui/save.js";
import { toast } from "../../ui/toasts.js";
import { useTouched } from "../../ui/touched.js";
import { ValueList } from "../../ui/value-list.js";
import { languages } from "./language.js";
import { contactChanged, filled, refusedField } from "./queries.js";

const FIELDS = ["name", "emails", "phones", "language", "labels", "blocked"] as const;

// They find the field to mark. Whether an address is right is for the server to say.
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const PHONE = /^\+[\d\s()/.-]{6,}$/;

const draftOf = (contact: Contact) => ({
  name: contact.name ?? "",
  emails: contact.emails.map(({ value }) => value),
  phones: contact.phones.map(({ value }) => value),
  language: contact.language ?? "",
  labels: contact.labels.join(", "),
  blocked: contact.blocked,
});
type Draft = ReturnType<typeof draftOf>;

/** What a draft changes. What nobody touched is not sent, so that a colleague's change of it stays. */
function changesOf(contact: Contact, draft: Draft): Schemas["UpdateContact"] {
  const wanted = {
    name: draft.name.trim() || null,
    emails: filled(draft.emails),
    phones: filled(draft.phones),
    language: draft.language || null,
    labels: [...new Set(filled(draft.labels.split(",")))],
    blocked: draft.blocked,
  };
  const shown = draftOf(contact);
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  // A text can stand for other values than it is read as, such as a label with a comma.
  const touched = FIELDS.filter((field) => !isSame(draft[field], shown[field]));
  const now = { ...contact, emails: shown.emails, phones: shown.phones };
  return Object.fromEntries(
    touched.filter((field) => !isSame(wanted[field], now[field])).map((field) => [field, wanted[field]]),
  );
}

/** The form with what is known about a contact. */
export function EditDetails({ contact, onSaved }: { contact: Contact; onSaved?: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { draft, changes, isEdited, edit, saved, discard } = useTouched(draftOf(contact));
  const save = useMutation({
    mutationFn: ({ change }: { change: Schemas["UpdateContact"]; sent: Partial<Draft> }) =>
      parley.contacts.update(contact.id, change),
    onSuccess: (changed, { sent }) => {
      contactChanged(client, changed);
      const isLeft = saved(sent);
      toast(t("contacts.saved"));
      if (!isLeft) onSaved?.();
    },
  });
  const form = useWrongFocus(save.error);
  const refused = save.error ? refusedField(save.error, FIELDS) : undefined;
  const wrong = (field: Exclude<(typeof FIELDS)[number], "blocked">): string | undefined =>
    refused === field ? t(`contacts.wrong.${field}`) : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (save.isPending) return;
    const change = changesOf(contact, draft);
    if (Object.keys(change).length > 0) save.mutate({ change, sent: changes });
    else discard();
  };
  const verified = new Set(
    [...contact.emails, ...contact.phones].filter(({ verifiedAt }) => verifiedAt !== null).map(({ value }) => value),
  );
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field
        label={t("contacts.name")}
        value={draft.name}
        dir="auto"
        maxLength={200}
        autoComplete="off"
        error={wrong("name")}
        onChange={({ target }) => edit({ name: target.value })}
      />
      <ValueList
        label={t("contacts.emails")}
        nth={(n) => t("contacts.nthEmail", { n })}
        add={t("contacts.addEmail")}
        type="email"
        looksRight={(email) => EMAIL.test(email)}
        values={draft.emails}
        verified={verified}
        error={wrong("emails")}
        onChange={(emails) => edit({ emails })}
      />
      <ValueList
        label={t("contacts.phones")}
        nth={(n) => t("contacts.nthPhone", { n })}
        add={t("contacts.addPhone")}
        type="tel"
        looksRight={(phone) => PHONE.test(phone)}
        values={draft.phones}
        verified={verified}
        error={wrong("phones")}
        onChange={(phones) => edit({ phones })}
      />
      <Select
        label={t("contacts.language")}
        value={draft.language}
        onChange={({ target }) => edit({ language: target.value })}
      >
        <option value="">{t("contacts.unknown")}</option>
        {languages(contact.language).map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
      <Field
        label={t("contacts.labels")}
        value={draft.labels}
        hint={t("contacts.labelsHint")}
        autoComplete="off"
        error={wrong("labels")}
        onChange={({ target }) => edit({ labels: target.value })}
      />
      <Check
        label={t("contacts.block")}
        hint={t("contacts.blockHint")}
        checked={draft.blocked}
        onChange={({ target }) => edit({ blocked: target.checked })}
      />
      {save.error && refused === undefined && <Alert>{failureOf(save.error).sentence}</Alert>}
      <Save
        isEdited={isEdited}
        isSaving={save.isPending}
        onDiscard={() => {
          discard();
          save.reset();
        }}
      />
    </form>
  );
}
