import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { parley } from "../../../api/parley.js";
import { Badge } from "../../../ui/badge.js";
import { ManagedList } from "../managed-list.js";
import { Editor } from "./editor.js";
import { type Procedure, proceduresQuery } from "./queries.js";

/** The procedures of a workspace: a list, or one of them in the editor. */
export default function Procedures({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const procedures = useInfiniteQuery(proceduresQuery(workspaceId));
  const [open, setOpen] = useState<{ procedure: Procedure | undefined }>();
  const readAgain = (): void => void client.invalidateQueries({ queryKey: ["procedures", workspaceId] });
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
    <ManagedList
      texts={{
        title: t("procedures.title"),
        explain: t("procedures.explain"),
        add: t("procedures.add"),
        empty: t("procedures.empty"),
        removeExplain: t("procedures.removeExplain"),
        removed: (name) => t("procedures.removed", { name }),
      }}
      query={procedures}
      onOpen={(procedure) => setOpen({ procedure })}
      onRemove={({ id }) => parley.procedures.delete(id)}
      onChanged={readAgain}
    >
      {({ name, status, steps, version }) => (
        <>
          <p className="flex flex-wrap items-center gap-2">
            <span dir="auto" className="font-medium wrap-anywhere">
              {name}
            </span>
            <Badge look={status === "active" ? "ok" : "plain"}>{t(`procedures.status.${status}`)}</Badge>
          </p>
          <p className="text-sm text-muted">
            {t("procedures.steps", { count: steps.length })} · {t("procedures.version", { version })}
          </p>
        </>
      )}
    </ManagedList>
  );
}
