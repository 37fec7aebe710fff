import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { parley } from "../../../api/parley.js";
import { Badge } from "../../../ui/badge.js";
import { Dialog } from "../../../ui/dialog.js";
import { ManagedList } from "../managed-list.js";
import { toolsQuery } from "./queries.js";
import { type Tool, ToolForm } from "./tool-form.js";

/** The company's own endpoints that agents can use. */
export default function Tools({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const tools = useInfiniteQuery(toolsQuery(workspaceId));
  const [open, setOpen] = useState<{ tool: Tool | undefined }>();
  const readAgain = (): void => void client.invalidateQueries({ queryKey: ["tools", workspaceId] });
  return (
    <ManagedList
      texts={{
        title: t("tools.title"),
        explain: t("tools.explain"),
        add: t("tools.add"),
        empty: t("tools.empty"),
        removeExplain: t("tools.removeExplain"),
        removed: (name) => t("tools.removed", { name }),
      }}
      query={tools}
      onOpen={(tool) => setOpen({ tool })}
      onRemove={({ id }) => parley.tools.delete(id)}
      onChanged={readAgain}
      foot={
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
      }
    >
      {({ name, effect, hasCredentials, description, url }) => (
        <>
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-mono font-medium wrap-anywhere">{name}</span>
            <Badge look={effect === "write" ? "warn" : "plain"}>{t(`tools.effects.${effect}`)}</Badge>
            {hasCredentials && <Badge look="ok">{t("sources.stored")}</Badge>}
          </p>
          <p dir="auto" className="wrap-anywhere">
            {description}
          </p>
          <p className="text-sm wrap-anywhere text-muted">{url}</p>
        </>
      )}
    </ManagedList>
  );
}
