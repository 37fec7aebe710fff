import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../../api/failure.js";
import { parley } from "../../../api/parley.js";
import { Button } from "../../../ui/button.js";
import { Part } from "../../../ui/detail-page.js";
import { Dialog } from "../../../ui/dialog.js";
import { Alert, Field } from "../../../ui/field.js";
import type { Workspace } from "./queries.js";

/** Deletes the workspace once its name was typed. */
export function DeleteWorkspace({ workspace: { id, name } }: { workspace: Workspace }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const remove = useMutation({
    mutationFn: () => parley.workspaces.delete(id),
    onSuccess: async () => {
      await navigate({ to: "/settings/workspaces", replace: true });
      // Almost every list showed something of it.
      client.removeQueries({ queryKey: ["workspace", id] });
      void client.invalidateQueries();
    },
  });
  const close = (): void => {
    setOpen(false);
    setTyped("");
    remove.reset();
  };
  return (
    <Part title={t("workspaces.delete.title")}>
      <p className="text-muted">{t("workspaces.delete.explain")}</p>
      <Button look="danger" className="self-start" onClick={() => setOpen(true)}>
        {t("workspaces.delete.button")}
      </Button>
      <Dialog open={isOpen} onClose={close} title={t("workspaces.delete.button")}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim() === name) remove.mutate();
          }}
          className="flex flex-col gap-3"
        >
          <p className="wrap-anywhere">{t("workspaces.delete.goes", { name })}</p>
          <ul className="flex list-disc flex-col gap-1 ps-5">
            <li>{t("workspaces.delete.conversations")}</li>
            <li>{t("workspaces.delete.channels")}</li>
            <li>{t("workspaces.delete.knowledge")}</li>
            <li>{t("workspaces.delete.keys")}</li>
          </ul>
          <p>{t("workspaces.delete.stays")}</p>
          <p className="font-medium text-danger">{t("workspaces.delete.final")}</p>
          <Field
            label={t("workspaces.delete.type", { name })}
            value={typed}
            dir="auto"
            autoComplete="off"
            onChange={({ target }) => setTyped(target.value)}
          />
          {remove.error && <Alert>{failureOf(remove.error).sentence}</Alert>}
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={close}>{t("common.cancel")}</Button>
            <Button type="submit" look="danger" disabled={typed.trim() !== name || remove.isPending}>
              {t("workspaces.delete.button")}
            </Button>
          </div>
        </form>
      </Dialog>
    </Part>
  );
}
