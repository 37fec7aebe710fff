import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../ui/badge.js";
import { DetailPage, DetailPending } from "../../../ui/detail-page.js";
import { Missing } from "../../../ui/missing.js";
import { Failed, Skeleton } from "../../../ui/states.js";
import { useIsWide } from "../../../ui/wide.js";
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

/** Everything that is set for one workspace, in seven parts. On a phone they are a list, to which each leads back. */
export function WorkspacePage(): ReactNode {
  const { workspaceId = "", part }: { workspaceId?: string; part?: string } = useParams({ strict: false });
  const wide = useIsWide();
  const named = PARTS.find((one) => one === part);
  if (part !== undefined && named === undefined) return <Missing />;
  return <One key={workspaceId} id={workspaceId} part={named ?? (wide ? "general" : undefined)} />;
}

function One({ id, part }: { id: string; part: PartName | undefined }): ReactNode {
  const { t } = useTranslation();
  const wide = useIsWide();
  const { data: workspace, error, refetch } = useQuery(workspaceQuery(id));
  const list = { to: "/settings/workspaces", label: t("settings.section.workspaces") };
  if (!workspace)
    return <DetailPending narrow wide id={id} back={list} query={{ error, refetch }} one={t("workspaces.one")} />;
  const { name, status } = workspace;
  const isAlone = !wide && part !== undefined;
  return (
    <DetailPage
      // The editor has a try-out beside it. The column is the same for all parts, so that the tabs stay where they are.
      narrow={part !== "procedures"}
      wide
      id={isAlone ? `${id}/${part}` : id}
      back={isAlone ? { to: `/settings/workspaces/${id}`, label: name } : list}
      title={isAlone ? t(`workspaces.part.${part}`) : name}
      action={
        status !== "active" && (
          <Badge look={status === "inactive" ? "warn" : "plain"}>{t(`workspaces.status.${status}`)}</Badge>
        )
      }
    >
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!part ? <Parts id={id} /> : wide && <Tabs id={id} at={part} />}
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

function Parts({ id }: { id: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("workspaces.parts")}>
      <ul className="flex flex-col divide-y divide-line overflow-clip rounded-lg border border-line">
        {PARTS.map((part) => (
          <li key={part}>
            <Link
              to="/settings/workspaces/$workspaceId/$part"
              params={{ workspaceId: id, part }}
              className="flex min-h-12 items-center justify-between gap-2 px-3 font-medium -outline-offset-2 hover:bg-hover"
            >
              {t(`workspaces.part.${part}`)}
              <ChevronRight size={16} aria-hidden="true" className="shrink-0 text-muted rtl:-scale-x-100" />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Tabs({ id, at }: { id: string; at: PartName }): ReactNode {
  const { t } = useTranslation();
  // As wide as the widest part, so that the lines stay the same when the part changes.
  return (
    <nav
      aria-label={t("workspaces.parts")}
      className="-mx-1 mb-6 flex flex-wrap gap-1 p-1 xl:w-[min(52rem,100vw-32rem)]"
    >
      {PARTS.map((part) => (
        <Link
          key={part}
          to="/settings/workspaces/$workspaceId/$part"
          params={{ workspaceId: id, part }}
          aria-current={part === at ? "page" : undefined}
          className={`flex h-9 items-center rounded-md px-2.5 font-medium ${part === at ? "bg-selected text-accent-strong" : "text-muted hover:bg-hover hover:text-text"}`}
        >
          {t(`workspaces.part.${part}`)}
        </Link>
      ))}
    </nav>
  );
}
