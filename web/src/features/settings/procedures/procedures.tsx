import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../../api/failure.js";
import { parley } from "../../../api/parley.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Confirm } from "../../../ui/confirm.js";
import { Part } from "../../../ui/detail-page.js";
import { Paged } from "../../../ui/paged.js";
import { toast } from "../../../ui/toasts.js";
import { Editor } from "./editor.js";
import { type Procedure, proceduresQuery } from "./queries.js";

/** The procedures of a workspace: a list, or one of them in the editor. */
export default function Procedures({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const procedures = useInfiniteQuery(proceduresQuery(workspaceId));
  const [open, setOpen] = useState<{ procedure: Procedure | undefined }>();
  const [removing, setRemoving] = useState<Procedure>();
  const readAgain = (): void => void client.invalidateQueries({ queryKey: ["procedures", workspaceId] });
  const remove = useMutation({
    mutationFn: ({ id }: Procedure) => parley.procedures.delete(id),
    onSuccess: (_, { name }) => toast(t("procedures.removed", { name })),
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
    onSettled: readAgain,
  });
  if (open)
    return (
      <Editor
        key={open.procedure?.id ?? "new"}
        workspaceId={workspaceId}
        procedure={open.procedure}
        onSaved={(procedure) => {
          setOpen({ procedure });
          readAgain();
        }}
        onClose={() => setOpen(undefined)}
      />
    );
  return (
    <Part
      title={t("procedures.title")}
      action={
        <Button small onClick={() => setOpen({ procedure: undefined })}>
          {t("procedures.add")}
        </Button>
      }
    >
      <p className="text-muted">{t("procedures.explain")}</p>
      <Paged
        query={procedures}
        label={t("procedures.title")}
        keyOf={({ id }) => id}
        empty={<p className="rounded-lg border border-line p-3 text-muted">{t("procedures.empty")}</p>}
        row={(procedure) => (
          <div className="flex flex-wrap items-start gap-x-4 gap-y-2 p-3">
            <div className="min-w-48 flex-1">
              <p className="flex flex-wrap items-center gap-2">
                <span dir="auto" className="font-medium wrap-anywhere">
                  {procedure.name}
                </span>
                <Badge look={procedure.status === "active" ? "ok" : "plain"}>
                  {t(`procedures.status.${procedure.status}`)}
                </Badge>
              </p>
              <p className="text-sm text-muted">
                {t("procedures.steps", { count: procedure.steps.length })} ·{" "}
                {t("procedures.version", { version: procedure.version })}
              </p>
            </div>
            <div role="group" aria-label={t("entries.actions", { name: procedure.name })} className="flex gap-2">
              <Button small onClick={() => setOpen({ procedure })}>
                {t("lists.edit")}
              </Button>
              <Button small look="danger" disabled={remove.isPending} onClick={() => setRemoving(procedure)}>
                {t("lists.remove")}
              </Button>
            </div>
          </div>
        )}
      />
      <Confirm
        open={removing !== undefined}
        title={t("entries.removeTitle", { name: removing?.name ?? "" })}
        verb={t("lists.remove")}
        danger
        onClose={() => setRemoving(undefined)}
        onConfirm={() => {
          setRemoving(undefined);
          if (removing) remove.mutate(removing);
        }}
      >
        {t("procedures.removeExplain")}
      </Confirm>
    </Part>
  );
}
