import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley } from "../../api/parley.js";
import { inWords } from "../../i18n/in-words.js";
import { membersQuery } from "../../api/queries.js";
import { useMember } from "../../session/session.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Dialog } from "../../ui/dialog.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { TextArea } from "../../ui/text-area.js";
import { Ago } from "../../ui/time.js";
import { toast } from "../../ui/toasts.js";
import { percent } from "../knowledge/percent.js";
import { Part } from "./part.js";
import { type Breaker, breakersQuery } from "./queries.js";

/** What was stopped because its outcomes were too bad, and what was found out about it. */
export function Breakers({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { role } = useMember();
  const manages = role === "owner" || role === "admin";
  const { data, error, isPending, refetch } = useQuery(breakersQuery(workspaceId));
  const [resolving, setResolving] = useState<Breaker>();
  const resolve = useMutation({
    mutationFn: ({ id, note }: { id: string; note: string | null }) => parley.circuitBreakers.resolve(id, { note }),
    onSuccess: () => toast(t("quality.breaker.done")),
    onError: (failure) => toast(failureOf(failure).sentence, { failed: true }),
    onSettled: () => void client.invalidateQueries({ queryKey: ["quality"] }),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const note = (new FormData(event.currentTarget).get("note") as string).trim() || null;
    if (resolving) resolve.mutate({ id: resolving.id, note });
    setResolving(undefined);
  };
  // What still blocks comes first.
  const rows = [...(data ?? [])].sort((a, b) => Number(a.state === "resolved") - Number(b.state === "resolved"));
  return (
    <Part id="breakers" title={t("quality.breaker.title")}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending ? (
        <Skeleton lines={1} />
      ) : data?.length === 0 ? (
        <p className="text-muted">{t("quality.breaker.empty")}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
          {rows.map((breaker) => (
            <BreakerRow
              key={breaker.id}
              breaker={breaker}
              onResolve={manages ? () => setResolving(breaker) : undefined}
            />
          ))}
        </ul>
      )}
      <Dialog
        open={resolving !== undefined}
        onClose={() => setResolving(undefined)}
        title={t("quality.breaker.resolveTitle")}
      >
        <form onSubmit={submit} className="flex flex-col gap-4">
          <p>{resolving && t(`quality.breaker.after.${resolving.action}`)}</p>
          <TextArea label={t("quality.breaker.note")} name="note" maxLength={2000} {...FIRST_FIELD} />
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={() => setResolving(undefined)}>{t("common.cancel")}</Button>
            <Button type="submit" look="primary">
              {t("quality.breaker.resolve")}
            </Button>
          </div>
        </form>
      </Dialog>
    </Part>
  );
}

function BreakerRow({ breaker, onResolve }: { breaker: Breaker; onResolve: (() => void) | undefined }): ReactNode {
  const { t, i18n } = useTranslation();
  const { data: members } = useQuery(membersQuery());
  const { entityType, entityName, entityId, metric, action, state, trippedAt, resolvedAt, resolvedBy, note } = breaker;
  // Tools are named as programs write it.
  const name = entityType === "tool" ? inWords(entityName ?? entityId) : (entityName ?? entityId);
  const tripped = state === "tripped";
  return (
    <li
      className={`flex flex-col items-start gap-x-4 gap-y-2 p-3 sm:flex-row sm:items-center ${tripped ? "" : "text-muted"}`}
    >
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="font-medium break-words">
            {name}
          </span>
          <Badge look={tripped ? "danger" : "plain"}>{t(`quality.breaker.state.${state}`)}</Badge>
        </p>
        <p className="text-sm text-muted">
          {t("quality.breaker.why", {
            kind: t(`quality.entity.${entityType}`),
            metric: t(`quality.metric.${metric}`),
            observed: percent(breaker.observed, i18n.language),
            threshold: percent(breaker.threshold, i18n.language),
            count: breaker.sampleSize,
          })}
        </p>
        <p className="text-sm">
          {tripped && <span>{t(`quality.breaker.action.${action}`)} </span>}
          <span className="text-muted">
            {t("quality.breaker.tripped")} <Ago at={trippedAt} inSentence />
            {resolvedAt !== null && (
              <>
                {", "}
                {t("quality.breaker.resolvedBy", {
                  name: members?.get(resolvedBy ?? "")?.name ?? t("common.integration"),
                })}{" "}
                <Ago at={resolvedAt} inSentence />
              </>
            )}
          </span>
        </p>
        {note !== null && (
          <p dir="auto" className="text-sm break-words">
            {note}
          </p>
        )}
      </div>
      {tripped && onResolve && (
        <Button small aria-label={t("quality.breaker.resolveNamed", { name })} onClick={onResolve}>
          {t("quality.breaker.resolve")}
        </Button>
      )}
    </li>
  );
}
