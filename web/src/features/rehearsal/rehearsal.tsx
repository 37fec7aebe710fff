import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { parley, type Schemas } from "../../api/parley.js";
import { Button } from "../../ui/button.js";
import { Paged } from "../../ui/paged.js";
import { Failed } from "../../ui/states.js";
import { changedQuery, type Draft, runQuery, type TestRun } from "./queries.js";
import { useFault } from "./results.js";

/** What a change would do to the tests and to the conversations of the last 30 days, before it is made. */
export default function Rehearsal({
  workspaceId,
  draft,
}: {
  workspaceId: string;
  /** As it is typed. Undefined: it cannot be sent. */
  draft: () => Draft | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const start = useMutation({
    mutationFn: (given: Draft) => parley.assistantTests.rehearse(workspaceId, { draft: given }),
  });
  const begin = (): void => {
    const given = draft();
    if (given) start.mutate(given);
  };
  return (
    <section aria-label={t("tests.rehearsal.title")} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button small disabled={start.isPending} onClick={begin}>
          {t("tests.rehearsal.begin")}
        </Button>
        <p className="min-w-48 flex-1 text-sm text-muted">{t("tests.rehearsal.explain")}</p>
      </div>
      {start.error && <Failed error={start.error} onRetry={begin} />}
      {start.data && <Outcome key={start.data.id} id={start.data.id} />}
    </section>
  );
}

function Outcome({ id }: { id: string }): ReactNode {
  const { t } = useTranslation();
  const { data: run, error, refetch } = useQuery(runQuery(id));
  const result = useRef<HTMLDivElement>(null);
  const isDone = run?.status === "done";
  // Who waited for it goes on here.
  useEffect(() => {
    if (isDone) result.current?.focus();
  }, [isDone]);
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  return (
    <div
      ref={result}
      tabIndex={-1}
      className="flex flex-col gap-3 rounded-lg border border-line bg-canvas p-3 outline-none"
    >
      <p role="status">{isDone ? <Sentence run={run} /> : run?.status === "failed" ? run.error : t("tests.running")}</p>
      {isDone && <Failing run={run} />}
      {isDone && run.conversations && run.conversations.changed > 0 && (
        <Changed id={id} changes={run.conversations.changes} />
      )}
    </div>
  );
}

function Sentence({ run: { tests, conversations } }: { run: TestRun }): ReactNode {
  const { t } = useTranslation();
  const all = tests ?? [];
  const failing = all.filter(({ passed }) => !passed).length;
  return (
    <>
      {all.length > 0 && `${t("tests.rehearsal.tests", { failed: failing, count: all.length })} `}
      {conversations &&
        t("tests.rehearsal.conversations", { changed: conversations.changed, count: conversations.played })}
      {conversations && conversations.played < conversations.found && (
        <span className="text-muted">
          {" "}
          {t("tests.rehearsal.left", { count: conversations.found - conversations.played })}
        </span>
      )}
    </>
  );
}

function Failing({ run }: { run: TestRun }): ReactNode {
  const { t } = useTranslation();
  const faultOf = useFault();
  const failing = run.tests?.filter(({ passed }) => !passed) ?? [];
  if (!failing.length) return null;
  return (
    <ul aria-label={t("tests.failed")} className="flex flex-col gap-1.5 border-s-2 border-line ps-3">
      {failing.map((result) => (
        <li key={result.testId} dir="auto" className="wrap-anywhere">
          <span className="font-medium">{result.name}</span>{" "}
          <span className="text-muted">
            {faultOf(result)}
            {result.passedBefore === false && ` ${t("tests.rehearsal.before")}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Changed({ id, changes }: { id: string; changes: Schemas["RehearsedChange"][] }): ReactNode {
  const { t } = useTranslation();
  const changed = useInfiniteQuery(changedQuery(id));
  const words = ({ outcome, entries }: Schemas["PlayedTurn"]): string =>
    `${t(`tests.outcome.${outcome}`)}${entries.map(({ question }) => ` “${question}”`).join(",")}`;
  return (
    <>
      <ul aria-label={t("tests.rehearsal.ways")} className="flex flex-col gap-1 text-sm">
        {changes.map(({ from, to, count }) => (
          <li key={`${from} ${to}`}>
            <span className="font-medium tabular-nums">{count}</span>{" "}
            {t("tests.rehearsal.way", { from: t(`tests.outcome.${from}`), to: t(`tests.outcome.${to}`) })}
          </li>
        ))}
      </ul>
      <Paged
        query={changed}
        label={t("tests.rehearsal.list")}
        keyOf={({ conversationId }) => conversationId}
        empty={null}
        row={({ conversationId, says, before, after }) => (
          <div className="flex flex-col gap-0.5 bg-surface p-3">
            <Link
              to="/inbox/$view/$conversationId"
              params={{ view: "all", conversationId }}
              dir="auto"
              className="wrap-anywhere text-accent hover:underline"
            >
              {says ?? t("tests.rehearsal.gone")}
            </Link>
            <p dir="auto" className="text-sm wrap-anywhere text-muted">
              {t("impact.before", { decision: words(before) })}
            </p>
            <p dir="auto" className="text-sm wrap-anywhere">
              {t("impact.after", { decision: words(after) })}
            </p>
          </div>
        )}
      />
    </>
  );
}
