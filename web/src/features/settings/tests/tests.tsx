import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../../api/failure.js";
import { parley } from "../../../api/parley.js";
import { Button } from "../../../ui/button.js";
import { Confirm } from "../../../ui/confirm.js";
import { Part } from "../../../ui/detail-page.js";
import { Failed, Skeleton } from "../../../ui/states.js";
import { toast } from "../../../ui/toasts.js";
import { Editor } from "./editor.js";
import { type AssistantTest, runQuery, testsQuery } from "../../rehearsal/queries.js";
import { useFault, Verdict } from "../../rehearsal/results.js";

/** The assistant's tests of a workspace: a list that can be run, or one of them in the editor. */
export default function Tests({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: tests, error, refetch } = useQuery(testsQuery(workspaceId));
  const [open, setOpen] = useState<{ test: AssistantTest | undefined }>();
  const [removing, setRemoving] = useState<AssistantTest>();
  const readAgain = (): void => void client.invalidateQueries({ queryKey: ["assistant-tests", workspaceId] });
  const remove = useMutation({
    mutationFn: ({ id }: AssistantTest) => parley.assistantTests.delete(id),
    onSuccess: (_, { name }) => toast(t("tests.removed", { name })),
    onError: (failure) => toast(failureOf(failure).sentence, { failed: true }),
    onSettled: readAgain,
  });
  const run = useMutation({ mutationFn: () => parley.assistantTests.run(workspaceId, {}) });
  if (open)
    return (
      <Editor
        key={open.test?.id ?? "new"}
        workspaceId={workspaceId}
        test={open.test}
        onSaved={() => {
          setOpen(undefined);
          readAgain();
        }}
        onClose={() => setOpen(undefined)}
      />
    );
  return (
    <Part
      title={t("tests.title")}
      action={
        <div className="flex gap-2">
          <Button small disabled={!tests?.length || run.isPending} onClick={() => run.mutate()}>
            {t("tests.run")}
          </Button>
          <Button small onClick={() => setOpen({ test: undefined })}>
            {t("tests.add")}
          </Button>
        </div>
      }
    >
      <p className="text-muted">{t("tests.explain")}</p>
      {run.error && <Failed error={run.error} onRetry={() => run.mutate()} />}
      {run.data && <Run key={run.data.id} id={run.data.id} onDone={readAgain} />}
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!tests && !error && <Skeleton lines={4} />}
      {tests?.length === 0 && <p className="rounded-lg border border-line p-3 text-muted">{t("tests.empty")}</p>}
      {tests && tests.length > 0 && (
        <ul aria-label={t("tests.title")} className="flex flex-col divide-y divide-line rounded-lg border border-line">
          {tests.map((test) => (
            <li key={test.id}>
              <Row
                test={test}
                busy={remove.isPending}
                onEdit={() => setOpen({ test })}
                onRemove={() => setRemoving(test)}
              />
            </li>
          ))}
        </ul>
      )}
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
        {t("tests.removeExplain")}
      </Confirm>
    </Part>
  );
}

function Row({
  test: { name, turns, lastResult },
  busy,
  onEdit,
  onRemove,
}: {
  test: AssistantTest;
  busy: boolean;
  onEdit: () => void;
  onRemove: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const faultOf = useFault();
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2 p-3">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="font-medium wrap-anywhere">
            {name}
          </span>
          <Verdict result={lastResult} />
        </p>
        <p dir="auto" className="text-sm wrap-anywhere text-muted">
          {lastResult && !lastResult.passed ? faultOf(lastResult) : t("tests.turns", { count: turns.length })}
        </p>
      </div>
      <div role="group" aria-label={t("entries.actions", { name })} className="flex gap-2">
        <Button small onClick={onEdit}>
          {t("lists.edit")}
        </Button>
        <Button small look="danger" disabled={busy} onClick={onRemove}>
          {t("lists.remove")}
        </Button>
      </div>
    </div>
  );
}

/** How far a run is, and then how many failed. */
function Run({ id, onDone }: { id: string; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const { data: run } = useQuery(runQuery(id));
  const isDone = run?.status === "done";
  const tell = useEffectEvent(onDone);
  useEffect(() => {
    if (isDone) tell();
  }, [isDone]);
  const failed = run?.tests?.filter(({ passed }) => !passed).length ?? 0;
  return (
    <p role="status" className="rounded-lg border border-line bg-canvas p-3">
      {run?.status === "failed"
        ? run.error
        : isDone
          ? t(failed ? "tests.someFail" : "tests.allPass", { failed, count: run.tests?.length ?? 0 })
          : t("tests.running")}
    </p>
  );
}
