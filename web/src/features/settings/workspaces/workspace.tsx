import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useMember } from "../../../session/session.js";
import { Badge } from "../../../ui/badge.js";
import { DetailPage } from "../../../ui/detail-page.js";
import { Failed, Skeleton } from "../../../ui/states.js";
import { ManagersOnly } from "../managers-only.js";
import { isManager } from "../settings.js";
import { DeleteWorkspace } from "./delete-workspace.js";
import { General } from "./general.js";
import { workspaceQuery } from "./queries.js";
import { Retention } from "./retention.js";
import { Survey } from "./survey.js";
import { Verification } from "./verification.js";

/** Everything that is set for one workspace. */
export function WorkspacePage(): ReactNode {
  const { t } = useTranslation();
  const { workspaceId = "" }: { workspaceId?: string } = useParams({ strict: false });
  return isManager(useMember()) ? (
    <One key={workspaceId} id={workspaceId} />
  ) : (
    <ManagersOnly title={t("settings.section.workspaces")} />
  );
}

function One({ id }: { id: string }): ReactNode {
  const { t } = useTranslation();
  const { data: workspace, error, refetch } = useQuery(workspaceQuery(id));
  const back = { to: "/settings/workspaces", label: t("settings.section.workspaces") };
  if (!workspace)
    return (
      <DetailPage
        narrow
        id={id}
        back={back}
        title={error ? t("workspaces.one") : <span className="sr-only">{t("common.loading")}</span>}
      >
        {error ? <Failed error={error} onRetry={() => void refetch()} /> : <Skeleton lines={5} />}
      </DetailPage>
    );
  const { name, status } = workspace;
  return (
    <DetailPage
      narrow
      id={id}
      back={back}
      title={name}
      action={
        status !== "active" && (
          <Badge look={status === "inactive" ? "warn" : "plain"}>{t(`workspaces.status.${status}`)}</Badge>
        )
      }
    >
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      <div className="flex flex-col gap-10">
        <General workspace={workspace} />
        <Survey workspace={workspace} />
        <Verification workspaceId={id} />
        <Retention workspaceId={id} />
        <DeleteWorkspace workspace={workspace} />
      </div>
    </DetailPage>
  );
}
