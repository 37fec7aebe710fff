import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { changeAll } from "../../api/many.js";
import { parley, type Schemas } from "../../api/parley.js";
import { manages } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { Dialog } from "../../ui/dialog.js";
import { Field } from "../../ui/field.js";
import { useFirstFocus } from "../../ui/focus.js";
import { leaveBar, SelectionBar } from "../../ui/selection.js";
import { toast } from "../../ui/toasts.js";
import { ACCOUNT_TEXTS } from "./account-form.js";
import { useValues } from "./filters.js";

type Change = Omit<Schemas["ChangeAccounts"], "ids">;
type AccountText = (typeof ACCOUNT_TEXTS)[number];

interface Props {
  ids: ReadonlySet<string>;
  /** Those that are shown. */
  shown: readonly string[];
  onSelect: (ids: ReadonlySet<string>) => void;
}

/** What can be done with all selected accounts. */
export default function Many({ ids, shown, onSelect }: Props): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const mayDelete = manages(useMember());
  const [asked, setAsked] = useState<AccountText | "delete">();
  const close = (): void => setAsked(undefined);
  const change = useMutation({
    mutationFn: (action: Change) => changeAll(ids, (some) => parley.accounts.changeMany({ ids: some, ...action })),
    onSuccess: ({ done, errors }, { type }) => {
      onSelect(new Set());
      leaveBar(ids);
      const [why] = errors;
      if (why === undefined) toast(t(`accounts.many.done.${type}`, { count: done }));
      else toast(t("accounts.many.failed", { count: errors.length, why }), { failed: true });
    },
    onSettled: () => {
      close();
      for (const name of ["accounts", "account", "account-names", "account-name", "contacts", "contact"])
        void client.invalidateQueries({ queryKey: [name] });
    },
  });
  return (
    <SelectionBar title={t("accounts.many.title")} ids={ids} shown={shown} error={change.error} onSelect={onSelect}>
      {ACCOUNT_TEXTS.map((text) => (
        <Button key={text} small disabled={change.isPending} onClick={() => setAsked(text)}>
          {t(`accounts.${text}`)}
        </Button>
      ))}
      {mayDelete && (
        <Button small look="danger" disabled={change.isPending} onClick={() => setAsked("delete")}>
          {t("accounts.many.delete")}
        </Button>
      )}
      {ACCOUNT_TEXTS.map((text) => (
        <Dialog key={text} open={asked === text} onClose={close} title={t("accounts.many.change", { count: ids.size })}>
          <SetText
            text={text}
            isBusy={change.isPending}
            onSet={(value) => change.mutate({ type: "set", [text]: value })}
            onCancel={close}
          />
        </Dialog>
      ))}
      <Confirm
        open={asked === "delete"}
        title={t("accounts.many.sure", { count: ids.size })}
        verb={t("accounts.many.delete")}
        danger
        busy={change.isPending}
        onConfirm={() => change.mutate({ type: "delete" })}
        onClose={close}
      >
        {t("accounts.many.explain")}
      </Confirm>
    </SelectionBar>
  );
}

/** One text for all of them, typed or taken from what accounts have. An empty one removes it. */
function SetText({
  text,
  isBusy,
  onSet,
  onCancel,
}: {
  text: AccountText;
  isBusy: boolean;
  onSet: (value: string | null) => void;
  onCancel: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const list = useId();
  const first = useFirstFocus<HTMLInputElement>();
  const values = useValues(text);
  const [value, setValue] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBusy) onSet(value.trim() || null);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label={t(`accounts.${text}`)}
        hint={t("accounts.many.empty")}
        value={value}
        dir="auto"
        maxLength={100}
        autoComplete="off"
        list={list}
        ref={first}
        onChange={({ target }) => setValue(target.value)}
      />
      <datalist id={list}>
        {values.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
        <Button type="submit" look="primary" disabled={isBusy}>
          {t("common.save")}
        </Button>
      </div>
    </form>
  );
}
