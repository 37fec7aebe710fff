import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { inWords } from "../../i18n/in-words.js";
import { failureOf, languageOf, spoken } from "../../api/failure.js";
import { pagedQuery, QUIET_MS, readNextPage } from "../../api/paged.js";
import { type Conversation, parley, type Schemas } from "../../api/parley.js";
import { Button } from "../../ui/button.js";
import { manages } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { Ago } from "../../ui/time.js";
import { toast } from "../../ui/toasts.js";
import { Values } from "../actions/values.js";
import { percent } from "../knowledge/percent.js";
import { agentsQuery } from "../settings/agents/queries.js";

type Run = Schemas["AgentRun"];
type Step = Schemas["AgentStep"];

const activityQuery = (id: string) =>
  pagedQuery<Run>(
    ["agent-activity", id],
    (page, options) => parley.conversations.listAgentActivity(id, page, options),
    { limit: 10, staleTime: QUIET_MS },
  );

/** What the assistant did about each message of the contact, the newest first. */
export default function Activity({
  conversation: { id, updatedAt, workspaceId },
}: {
  conversation: Conversation;
}): ReactNode {
  const { t } = useTranslation();
  const query = useInfiniteQuery(activityQuery(id));
  const { data, error, refetch, hasNextPage, isFetchingNextPage } = query;
  // No event tells about runs, but what they do changes the conversation.
  const readAt = useRef(updatedAt);
  useEffect(() => {
    if (readAt.current === updatedAt) return;
    readAt.current = updatedAt;
    void refetch();
  }, [updatedAt, refetch]);
  const runs = data?.pages.flatMap((page) => page.data);
  const me = useMember();
  return (
    <>
      {manages(me) && runs && runs.length > 0 && <SaveAsTest id={id} workspaceId={workspaceId} />}
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!runs && !error && <Skeleton lines={1} />}
      {runs?.length === 0 && <p className="text-muted">{t("activity.empty")}</p>}
      {runs && runs.length > 0 && (
        <ul aria-label={t("activity.runs")} className="flex flex-col divide-y divide-line">
          {runs.map((run) => (
            <li key={run.id}>
              <RunRow run={run} workspaceId={workspaceId} />
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button small className="self-start" disabled={isFetchingNextPage} onClick={() => void readNextPage(query)}>
          {t("lists.more")}
        </Button>
      )}
    </>
  );
}

/** How a run ended, in plain words. */
function headline({ outcome, waitsFor, startedAt, steps }: Run, t: TFunction): string {
  if (outcome === null)
    return t(waitsFor === null ? `activity.${startedAt === null ? "begins" : "works"}` : `activity.waits.${waitsFor}`);
  const found = steps.find(({ decision }) => decision === "answer")?.entries?.[0];
  if (outcome === "answered" && found) return t("activity.answeredWith", { entry: found.question });
  return t(`activity.outcome.${outcome}`);
}

/** What the contact wrote becomes a test: the assistant must go on doing what it did. */
function SaveAsTest({ id, workspaceId }: { id: string; workspaceId: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const save = useMutation({
    mutationFn: () => {
      const now = new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium", timeStyle: "medium" }).format(
        new Date(),
      );
      return parley.assistantTests.create(workspaceId, { name: now, conversationId: id });
    },
    onSuccess: ({ name }) => toast(t("tests.saved", { name })),
    onError: (failure) => toast(failureOf(failure).sentence, { failed: true }),
  });
  return (
    <Button small className="self-start" disabled={save.isPending} onClick={() => save.mutate()}>
      {t("tests.save")}
    </Button>
  );
}

/** One message: how it ended, and its steps once it is opened. */
function RunRow({ run, workspaceId }: { run: Run; workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { outcome, startedAt, endedAt, steps } = run;
  const reason = run.reason === null ? undefined : spoken(run.reason);
  const at = endedAt ?? startedAt;
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        className="-mx-2 flex w-[calc(100%+1rem)] items-start gap-1.5 rounded-md px-2 py-1.5 text-start hover:bg-hover"
      >
        <ChevronRight
          size={14}
          aria-hidden="true"
          className={`mt-1 shrink-0 text-muted transition-transform rtl:-scale-x-100 ${isOpen ? "rotate-90 rtl:-rotate-90" : ""}`}
        />
        <span className="min-w-0 flex-1">
          <span dir="auto" className={`block wrap-anywhere ${outcome === "failed" ? "text-danger" : ""}`}>
            {headline(run, t)}
          </span>
          {reason !== undefined && (
            <span dir="auto" lang={languageOf(reason)} className="block wrap-anywhere text-muted">
              {reason}
            </span>
          )}
        </span>
        {at !== null && <Ago at={at} className="shrink-0 text-muted" />}
      </button>
      {isOpen && (
        <div id={id} className="flex flex-col gap-2 ps-5 pb-2">
          {steps.length === 0 ? (
            <p className="text-muted">{t("activity.noSteps")}</p>
          ) : (
            <ol className="flex flex-col gap-2">
              {steps.map((step, i) => (
                <li key={i} className="border-s-2 border-line ps-2">
                  <StepLines step={step} workspaceId={workspaceId} />
                </li>
              ))}
            </ol>
          )}
          <Who run={run} />
        </div>
      )}
    </>
  );
}

function Who({ run: { agentId, instructionsVersion } }: { run: Run }): ReactNode {
  const { t } = useTranslation();
  const { data: agents } = useQuery(agentsQuery());
  const name = agents?.find((one) => one.id === agentId)?.name ?? t("common.assistant");
  return (
    <p dir="auto" className="text-xs text-muted">
      {t("activity.agent", { name, version: instructionsVersion })}
    </p>
  );
}

function StepLines({ step, workspaceId }: { step: Step; workspaceId: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const tool = step.tool === null ? "" : inWords(step.tool);
  switch (step.type) {
    case "retrieve":
      return (
        <>
          <p dir="auto" className="wrap-anywhere">
            {t("activity.lookedFor", { question: step.question ?? "" })}
          </p>
          {step.entries?.length ? (
            <ul aria-label={t("activity.found")}>
              {step.entries.map(({ kbEntryId, question, confidence }) => (
                <li key={kbEntryId} className="flex gap-2 text-muted">
                  <span dir="auto" className="min-w-0 flex-1 wrap-anywhere">
                    {question}
                  </span>
                  <span className="shrink-0 tabular-nums">{percent(confidence, i18n.language)}</span>
                </li>
              ))}
            </ul>
          ) : (
            <p className="text-muted">{t("activity.foundNothing")}</p>
          )}
        </>
      );
    case "model":
      return (
        <>
          <p className="wrap-anywhere">
            {step.action === null ? t("activity.askedModel") : t(`activity.modelWants.${step.action}`)}
          </p>
          {step.error !== null && (
            <p lang="en" className="wrap-anywhere text-danger">
              {step.error}
            </p>
          )}
          <p className="text-xs wrap-anywhere text-muted">
            {[
              step.model,
              step.inputTokens !== null &&
                t("activity.tokens", { input: step.inputTokens, output: step.outputTokens ?? 0 }),
            ]
              .filter(Boolean)
              .join(", ")}
          </p>
        </>
      );
    case "policy":
      return (
        <>
          <p className="wrap-anywhere">{step.effect !== null && t(`activity.decided.${step.effect}`, { tool })}</p>
          {step.reason !== null && (
            <p dir="auto" className="wrap-anywhere text-muted">
              {step.reason}
            </p>
          )}
        </>
      );
    case "tool":
      return (
        <>
          <p className="wrap-anywhere">{t(step.failure === null ? "activity.used" : "activity.notUsed", { tool })}</p>
          {step.failure !== null && (
            <p lang="en" className="wrap-anywhere text-danger">
              {step.failure}
            </p>
          )}
          {step.arguments !== null && (
            <Values values={step.arguments} workspaceId={workspaceId} label={t("approvals.arguments")} isNarrow />
          )}
        </>
      );
    case "procedure":
      return <ProcedureStep step={step} />;
    case "send":
      return <Sent cut={step.cutSentences} />;
  }
}

function ProcedureStep({ step: { procedureStep, did } }: { step: Step }): ReactNode {
  const { t } = useTranslation();
  return (
    <p className="wrap-anywhere">
      <bdi>{procedureStep}</bdi>
      {did !== null && `: ${t(`procedures.did.${did}`)}`}
    </p>
  );
}

function Sent({ cut }: { cut: number | null }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <p>{t("activity.sent")}</p>
      {cut !== null && <p className="text-muted">{t("activity.cut", { count: cut })}</p>}
    </>
  );
}
