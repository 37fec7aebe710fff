import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { parley } from "../../../api/parley.js";
import { Button } from "../../../ui/button.js";
import { Alert, Field } from "../../../ui/field.js";
import { useFirstFocus, useWrongFocus } from "../../../ui/focus.js";
import { Submit } from "../../../ui/submit.js";
import { toast } from "../../../ui/toasts.js";
import { otherRefusal, refusalOf } from "../edits.js";
import type { Brand } from "./queries.js";

/** Creates a brand, or renames one. */
export function BrandForm({ brand, onDone }: { brand: Brand | undefined; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const first = useFirstFocus<HTMLInputElement>();
  const save = useMutation({
    mutationFn: (name: string) => (brand ? parley.brands.update(brand.id, { name }) : parley.brands.create({ name })),
    onSuccess: () => {
      for (const queryKey of [["brands"], ["workspaces"], ["workspace"]]) void client.invalidateQueries({ queryKey });
      toast(t("settings.saved"));
      onDone();
    },
  });
  const form = useWrongFocus(save.error);
  const other = otherRefusal(save.error, ["name"]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    save.mutate(new FormData(event.currentTarget).get("name") as string);
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field
        ref={first}
        label={t("workspaces.name")}
        hint={t("workspaces.brandNameHint")}
        name="name"
        defaultValue={brand?.name}
        dir="auto"
        maxLength={200}
        autoComplete="off"
        error={refusalOf(save.error, "name") && t("setup.text", { max: 200 })}
      />
      {other !== undefined && <Alert>{other}</Alert>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onDone}>{t("common.cancel")}</Button>
        <Submit isBusy={save.isPending}>{t(brand ? "common.save" : "workspaces.createBrand")}</Submit>
      </div>
    </form>
  );
}
