import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { workspacesQuery } from "../../../api/queries.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Dialog } from "../../../ui/dialog.js";
import { Page } from "../../../ui/page.js";
import { Empty, Failed, Skeleton } from "../../../ui/states.js";
import { CreateAgent } from "./create-agent.js";
import { type Agent, agentsQuery } from "./queries.js";

/** Who the assistant is: Parley's own agents, and those of the organisation. */
export function Agents(): ReactNode {
  const { t } = useTranslation();
  const title = t("settings.section.agents");
  const navigate = useNavigate();
  const { data, error, isPending, refetch } = useQuery(agentsQuery());
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      {t("agents.create")}
    </Button>
  );
  return (
    <Page title={title} explain={t("agents.explain")} action={data?.length !== 0 && create}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending ? (
        <Skeleton lines={2} />
      ) : data?.length === 0 ? (
        <Empty text={t("agents.empty")}>{create}</Empty>
      ) : (
        <ul aria-label={title} className="flex flex-col divide-y divide-line rounded-lg border border-line">
          {data?.map((agent) => (
            <li key={agent.id}>
              <Row agent={agent} />
            </li>
          ))}
        </ul>
      )}
      <Dialog open={isCreating} wide onClose={() => setCreating(false)} title={t("agents.create")}>
        <CreateAgent
          onCancel={() => setCreating(false)}
          onCreated={({ id }) => void navigate({ to: "/settings/agents/$agentId", params: { agentId: id } })}
        />
      </Dialog>
    </Page>
  );
}

function Row({ agent: { id, name, kind, role, status, workspaceIds, pausedIn } }: { agent: Agent }): ReactNode {
  const { t } = useTranslation();
  const { data: workspaces } = useQuery(workspacesQuery());
  const where =
    kind === "platform"
      ? t("agents.everywhere")
      : workspaces
          ?.filter((workspace) => workspaceIds.includes(workspace.id))
          .map((workspace) => workspace.name)
          .join(", ");
  return (
    <Link
      to="/settings/agents/$agentId"
      params={{ agentId: id }}
      className="flex items-center gap-4 p-3 hover:bg-hover"
    >
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="font-medium wrap-anywhere">
            {name}
          </span>
          {kind === "platform" && <Badge>{t("agents.platform")}</Badge>}
          {status === "paused" && <Badge look="warn">{t("agents.paused")}</Badge>}
          {pausedIn.length > 0 && <Badge look="danger">{t("agents.stopped")}</Badge>}
        </span>
        <span className="block text-sm wrap-anywhere text-muted">
          {[role === "assistant" ? t("common.assistant") : role, where].filter(Boolean).join(", ")}
        </span>
      </span>
      <ChevronRight size={16} aria-hidden="true" className="shrink-0 text-muted rtl:-scale-x-100" />
    </Link>
  );
}
