import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import type { SavedView } from "../../api/views.js";
import { manages } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { Alert, Field } from "../../ui/field.js";

interface Props {
  title: string;
  /** One that exists. */
  view?: SavedView | undefined;
  write: (given: { name: string; shared: boolean }) => Promise<SavedView>;
  onWritten: (view: SavedView) => void | Promise<void>;
  onClose: () => void;
}

/** Asks what a view is called and, of those who may share it, who sees it. */
export function NameView({ title, view, write, onWritten, onClose }: Props): ReactNode {
  const { t } = useTranslation();
  const mayShare = manages(useMember());
  const [isMissing, setMissing] = useState(false);
  const save = useMutation({ mutationFn: write, onSuccess: onWritten });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = (form.get("name") as string).trim();
    setMissing(name === "");
    if (name !== "" && !save.isPending) save.mutate({ name, shared: form.get("shared") === "on" });
  };
  return (
    <Dialog open onClose={onClose} title={title}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field
          label={t("filters.name")}
          name="name"
          defaultValue={view?.name}
          maxLength={100}
          autoComplete="off"
          error={isMissing ? t("filters.nameNeeded") : undefined}
        />
        {mayShare && (
          <label className="flex items-center gap-2">
            <input type="checkbox" name="shared" defaultChecked={view?.shared} className="size-4 accent-accent" />
            {t("filters.shared")}
          </label>
        )}
        {save.error && <Alert>{failureOf(save.error).sentence}</Alert>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" look="primary" disabled={save.isPending}>
            {t("common.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
