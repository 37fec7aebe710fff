import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../../api/failure.js";
import { pagedQuery, QUIET_MS } from "../../../api/paged.js";
import { parley } from "../../../api/parley.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Confirm } from "../../../ui/confirm.js";
import { Part } from "../../../ui/detail-page.js";
import { Dialog } from "../../../ui/dialog.js";
import { Paged } from "../../../ui/paged.js";
import { toast } from "../../../ui/toasts.js";
import { type Tool, ToolForm } from "./tool-form.js";

export const toolsQuery = (workspaceId: string) =>
  pagedQuery<Tool>(["tools", workspaceId], (page, options) => parley.tools.list(workspaceId, page, options), {
    staleTime: QUIET_MS,
  });

/** The company's own endpoints that agents can use. */
export function Tools({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const tools = useInfiniteQuery(toolsQuery(workspaceId));
  const [open, setOpen] = useState<{ tool: Tool | undefined }>();
  const [removing, setRemoving] = useState<Tool>();
  const readAgain = (): void => void client.invalidateQueries({ queryKey: ["tools", workspaceId] });
  const remove = useMutation({
    mutationFn: ({ id }: Tool) => parley.tools.delete(id),
    onSuccess: (_, { name }) => toast(t("tools.removed", { name })),
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
    onSettled: readAgain,
  });
  return (
    <Part
      title={t("tools.title")}
      action={
        <Button small onClick={() => setOpen({ tool: undefined })}>
          {t("tools.add")}
        </Button>
      }
    >
      <p className="text-muted">{t("tools.explain")}</p>
      <Paged
        query={tools}
        label={t("tools.title")}
        keyOf={({ id }) => id}
        empty={<p className="rounded-lg border border-line p-3 text-muted">{t("tools.empty")}</p>}
        row={(tool) => (
          <div className="flex flex-wrap items-start gap-x-4 gap-y-2 p-3">
            <div className="min-w-48 flex-1">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-mono font-medium wrap-anywhere">{tool.name}</span>
                <Badge look={tool.effect === "write" ? "warn" : "plain"}>{t(`tools.effects.${tool.effect}`)}</Badge>
                {tool.hasCredentials && <Badge look="ok">{t("sources.stored")}</Badge>}
              </p>
              <p dir="auto" className="wrap-anywhere">
                {tool.description}
              </p>
              <p className="text-sm wrap-anywhere text-muted">{tool.url}</p>
            </div>
            <div role="group" aria-label={t("entries.actions", { name: tool.name })} className="flex gap-2">
              <Button small onClick={() => setOpen({ tool })}>
                {t("lists.edit")}
              </Button>
              <Button small look="danger" disabled={remove.isPending} onClick={() => setRemoving(tool)}>
                {t("lists.remove")}
              </Button>
            </div>
          </div>
        )}
      />
      <Dialog
        open={open !== undefined}
        wide
        onClose={() => setOpen(undefined)}
        title={open?.tool?.name ?? t("tools.add")}
      >
        {open && (
          <ToolForm
            workspaceId={workspaceId}
            tool={open.tool}
            onSaved={() => {
              setOpen(undefined);
              readAgain();
            }}
            onCancel={() => setOpen(undefined)}
          />
        )}
      </Dialog>
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
        {t("tools.removeExplain")}
      </Confirm>
    </Part>
  );
}
