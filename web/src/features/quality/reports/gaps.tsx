import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { QUIET_MS } from "../../../api/paged.js";
import { parley, type Schemas } from "../../../api/parley.js";
import { workspacesQuery } from "../../../api/queries.js";
import { mayWrite } from "../../../session/roles.js";
import { useMember } from "../../../session/session.js";
import { When } from "../../../ui/dates.js";
import { Failed, Skeleton } from "../../../ui/states.js";
import { Part } from "../part.js";

const gapsQuery = (workspaceId: string) =>
  queryOptions({
    // An entry that is approved may end a gap.
    queryKey: ["knowledge", "gaps", workspaceId],
    queryFn: ({ signal }) => parley.kbEntries.listGaps(workspaceId, { signal }),
    staleTime: QUIET_MS,
  });

/** What the knowledge base of a workspace lacks, each with a button that begins its entry. */
export function Gaps({ workspaceId }: { workspaceId: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const { data: workspaces } = useQuery(workspacesQuery());
  const shown = workspaceId ?? (workspaces?.length === 1 ? workspaces[0]!.id : undefined);
  return (
    <Part id="gaps" title={t("gaps.title")}>
      <p className="max-w-2xl text-pretty text-muted">{t("gaps.about")}</p>
      {shown !== undefined ? (
        <List workspaceId={shown} />
      ) : (
        workspaces && workspaces.length > 1 && <p className="text-muted">{t("gaps.choose")}</p>
      )}
    </Part>
  );
}

function List({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(gapsQuery(workspaceId));
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={3} />;
  if (!data.gaps.length) return <p className="text-muted">{t("gaps.empty")}</p>;
  return (
    <>
      <ul aria-label={t("gaps.title")} className="divide-y divide-line rounded-lg border border-line">
        {data.gaps.map((gap) => (
          <li key={`${gap.language} ${gap.question}`} className="p-3">
            <Gap gap={gap} workspaceId={workspaceId} />
          </li>
        ))}
      </ul>
      {data.skipped > 0 && <p className="text-sm text-muted">{t("gaps.skipped", { count: data.skipped })}</p>}
    </>
  );
}

function Gap({ gap, workspaceId }: { gap: Schemas["KbGap"]; workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { question, alternateQuestions, language } = gap;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span dir="auto" className="min-w-0 flex-1 basis-60 font-medium wrap-anywhere">
          {question}
        </span>
        <span className="text-muted tabular-nums">{t("gaps.times", { count: gap.count })}</span>
        {mayWrite(me) && (
          <Link
            to="/knowledge"
            search={{ workspace: workspaceId, write: question, also: alternateQuestions.join("\n"), language }}
            aria-label={t("gaps.writeNamed", { question })}
            className="inline-flex h-8 items-center rounded-md border border-line px-3 font-medium whitespace-nowrap hover:bg-hover"
          >
            {t("gaps.write")}
          </Link>
        )}
      </div>
      <details className="text-sm">
        <summary aria-label={t("gaps.examplesNamed", { question })} className="cursor-pointer text-muted">
          {t("gaps.examples")}
        </summary>
        <ul className="mt-2 flex flex-col gap-2 border-s-2 border-line ps-3">
          {gap.examples.map(({ conversationId, messageId, question: said, at }) => (
            <li key={messageId} className="flex flex-wrap gap-x-4">
              <Link
                to="/inbox/$view/$conversationId"
                params={{ view: "all", conversationId }}
                dir="auto"
                className="wrap-anywhere text-accent hover:underline"
              >
                {said || t("reports.open")}
              </Link>
              <When at={at} className="text-muted tabular-nums" />
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
