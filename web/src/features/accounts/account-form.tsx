import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley } from "../../api/parley.js";
import { Button } from "../../ui/button.js";
import { Alert, Field } from "../../ui/field.js";
import { useFirstFocus, useWrongFocus } from "../../ui/focus.js";
import { Save } from "../../ui/save.js";
import { Submit } from "../../ui/submit.js";
import { useTouched } from "../../ui/touched.js";
import { ValueList } from "../../ui/value-list.js";
import { type Account, accountChanged, filled, refusedField } from "../contacts/queries.js";

/** Lines of text, in the order of the form, the details and the list. */
export const ACCOUNT_TEXTS = ["industry", "plan"] as const;
const FIELDS = ["name", "domains", ...ACCOUNT_TEXTS] as const;
const HINTS = { industry: undefined, plan: "accounts.planHint" } as const;

/** Finds the field to mark. Whether a domain is right is for the server to say. */
const DOMAIN = /^[^\s.@/:]+(?:\.[^\s.@/:]+)+$/;

type Texts<Value> = Record<(typeof ACCOUNT_TEXTS)[number], Value>;
const textsOf = <Value,>(valueOf: (text: keyof Texts<Value>) => Value) =>
  Object.fromEntries(ACCOUNT_TEXTS.map((text) => [text, valueOf(text)])) as Texts<Value>;

const draftOf = (account: Account | undefined) => ({
  name: account?.name ?? "",
  domains: account?.domains ?? [],
  ...textsOf((text) => account?.[text] ?? ""),
});
type Draft = ReturnType<typeof draftOf>;

const bodyOf = (draft: Draft) => ({
  name: draft.name.trim(),
  domains: filled(draft.domains),
  ...textsOf((text) => draft[text].trim() || null),
});

/** The form for an account: a new one, or one that changes. What nobody touched is not sent. */
export function AccountForm({
  account,
  onSaved,
  onCancel,
}: {
  account?: Account;
  onSaved: (account: Account) => void;
  /** Without it, the form stays, and can be set back. */
  onCancel?: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const first = useFirstFocus<HTMLInputElement>(!account);
  const { draft, changes, isEdited, edit, saved, discard } = useTouched(draftOf(account));
  const [isNameless, setNameless] = useState(false);
  const save = useMutation({
    mutationFn: ({ body }: { body: ReturnType<typeof bodyOf>; sent: Partial<Draft> }) => {
      if (!account) return parley.accounts.create(body);
      const before = bodyOf(draftOf(account));
      const changed = FIELDS.filter((field) => JSON.stringify(body[field]) !== JSON.stringify(before[field]));
      return parley.accounts.update(account.id, Object.fromEntries(changed.map((field) => [field, body[field]])));
    },
    onSuccess: (answer, { sent }) => {
      accountChanged(client, answer);
      saved(sent);
      onSaved(answer);
    },
  });
  const form = useWrongFocus(save.error ?? isNameless);
  const refused = save.error ? refusedField(save.error, FIELDS) : undefined;
  const wrong = (field: (typeof FIELDS)[number]): string | undefined =>
    refused === field || (field === "name" && isNameless) ? t(`accounts.wrong.${field}`) : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (save.isPending) return;
    const body = bodyOf(draft);
    setNameless(!body.name);
    if (body.name) save.mutate({ body, sent: changes });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field
        label={t("accounts.name")}
        value={draft.name}
        dir="auto"
        maxLength={200}
        autoComplete="off"
        ref={first}
        error={wrong("name")}
        onChange={({ target }) => edit({ name: target.value })}
      />
      <ValueList
        label={t("accounts.domains")}
        nth={(n) => t("accounts.nthDomain", { n })}
        add={t("accounts.addDomain")}
        hint={t("accounts.domainsHint")}
        inputMode="url"
        looksRight={(domain) => DOMAIN.test(domain)}
        values={draft.domains}
        error={wrong("domains")}
        onChange={(domains) => edit({ domains })}
      />
      {ACCOUNT_TEXTS.map((text) => (
        <Field
          key={text}
          label={t(`accounts.${text}`)}
          value={draft[text]}
          hint={HINTS[text] && t(HINTS[text])}
          maxLength={100}
          autoComplete="off"
          error={wrong(text)}
          onChange={({ target }) => edit({ [text]: target.value })}
        />
      ))}
      {save.error && refused === undefined && <Alert>{failureOf(save.error).sentence}</Alert>}
      {onCancel ? (
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onCancel}>{t("common.cancel")}</Button>
          <Submit isBusy={save.isPending}>{t("accounts.create")}</Submit>
        </div>
      ) : (
        <Save
          isEdited={isEdited}
          isSaving={save.isPending}
          onDiscard={() => {
            discard();
            setNameless(false);
            save.reset();
          }}
        />
      )}
    </form>
  );
}
