import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../ui/badge.js";
import { DetailPage, DetailPending } from "../../../ui/detail-page.js";
import { useCurrentInSight } from "../../../ui/focus.js";
import { Failed, Skeleton } from "../../../ui/states.js";
import { AssistantSwitch, Thresholds } from "./assistant.js";
import { DeleteWorkspace } from "./delete-workspace.js";
import { General } from "./general.js";
import { Logo } from "./logo.js";
import { workspaceQuery } from "./queries.js";
import { Retention } from "./retention.js";
import { Schemes } from "./schemes.js";
import { Sources } from "./sources.js";
import { Survey } from "./survey.js";

const Breakers = lazy(() => import("./breakers.js"));
const Verification = lazy(() => import("./verification.js"));
const Tools = lazy(() => import("./tools.js"));
const Tests = lazy(() => import("../tests/tests.js"));
const Procedures = lazy(() => import("../procedures/procedures.js"));

const PARTS = ["general", "assistant", "procedures", "tests", "survey", "verification", "breakers"] as const;
type PartName = (typeof PARTS)[number];

/** Everything that is set for one workspace, in seven parts. */
export function WorkspacePage(): ReactNode {
  const { workspaceId = "", part }: { workspaceId?: string; part?: string } = useParams({ strict: false });
  return <One key={workspaceId} id={workspaceId} part={PARTS.find((one) => one === part) ?? "general"} />;
}

function One({ id, part }: { id: string; part: PartName }): ReactNode {
  const { t } = useTranslation();
  const { data: workspace, error, refetch } = useQuery(workspaceQuery(id));
  const back = { to: "/settings/workspaces", label: t("settings.section.workspaces") };
  if (!workspace)
    return <DetailPending narrow wide id={id} back={back} query={{ error, refetch }} one={t("workspaces.one")} />;
  const { name, status } = workspace;
  return (
    <DetailPage
      // The editor has a try-out beside it. The column is the same for all parts, so that the tabs stay where they are.
      narrow={part !== "procedures"}
      wide
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
      <Tabs id={id} at={part} />
      <div className="flex flex-col gap-10">
        <Suspense fallback={<Skeleton lines={5} />}>
          {part === "general" && (
            <>
              <Logo workspace={workspace} />
              <General workspace={workspace} />
              <DeleteWorkspace workspace={workspace} />
            </>
          )}
          {part === "assistant" && (
            <>
              <AssistantSwitch workspace={workspace} />
              <Thresholds workspaceId={id} />
              <Tools workspaceId={id} />
            </>
          )}
          {part === "procedures" && <Procedures workspaceId={id} />}
          {part === "tests" && <Tests workspaceId={id} />}
          {part === "survey" && <Survey workspace={workspace} />}
          {part === "verification" && (
            <>
              <Verification workspaceId={id} />
              <Sources workspaceId={id} />
              <Schemes workspaceId={id} />
              <Retention workspaceId={id} />
            </>
          )}
          {part === "breakers" && <Breakers workspaceId={id} />}
        </Suspense>
      </div>
    </DetailPage>
  );
}

function Tabs({ id, at }: { id: string; at: PartName }): ReactNode {
  const { t } = useTranslation();
  // As wide as the widest part, so that the lines stay the same when the part changes.
  return (
    <nav
      ref={useCurrentInSight(at)}
      aria-label={t("workspaces.parts")}
      className="-mx-1 mb-6 flex gap-1 overflow-x-auto p-1 max-md:fade-ends md:flex-wrap xl:w-[min(52rem,100vw-32rem)]"
    >
      {PARTS.map((part) => (
        <Link
          key={part}
          to="/settings/workspaces/$workspaceId/$part"
          params={{ workspaceId: id, part }}
          aria-current={part === at ? "page" : undefined}
          className={`flex h-9 shrink-0 items-center rounded-md px-2.5 font-medium ${part === at ? "bg-selected text-accent-strong" : "text-muted hover:bg-hover hover:text-text"}`}
        >
          {t(`workspaces.part.${part}`)}
        </Link>
      ))}
    </nav>
  );
}
