import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { useMember } from "../../session/session.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { Select } from "../../ui/field.js";
import { Empty, Failed, Skeleton } from "../../ui/states.js";
import { Ago } from "../../ui/time.js";
import { toast } from "../../ui/toasts.js";
import { KB } from "./kinds.js";
import { SCHEDULES, SourceForm, UploadButton } from "./source-form.js";

type Source = Schemas["Source"];

/** How soon the progress of a reading shows. Live events do not tell of it. */
const BUSY_MS = 2_000;
const LOOKS = { waiting: "plain", reading: "plain", ready: "ok", failed: "danger" } as const;

const isBusy = ({ status }: Source): boolean => status === "waiting" || status === "reading";
const nameOf = ({ url, fileName }: Source): string => url ?? fileName ?? "";

/** The websites, files and help centres whose text is proposed. */
export default function Sources({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const may = KB.mayWrite(useMember());
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Source>();
  const queryKey = ["knowledge", "sources", workspaceId];
  const { data, error, isPending, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Source[]> => await parley.sources.list(workspaceId, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(isBusy) ? BUSY_MS : false),
  });
  const settled = {
    onError: (failure: unknown) => toast(failureOf(failure).sentence, { failed: true }),
    onSettled: () => void client.invalidateQueries({ queryKey: ["knowledge"] }),
  };
  const remove = useMutation({
    mutationFn: ({ id }: Source) => parley.sources.delete(id),
    ...settled,
    onSettled: () => {
      setRemoving(undefined);
      settled.onSettled();
      // The row that had the focus is gone.
      document.getElementById("content")?.focus();
    },
  });
  const add = may && !adding && (
    <Button look="primary" onClick={() => setAdding(true)}>
      {t("knowledgeSources.add")}
    </Button>
  );
  return (
    <section aria-labelledby="sources-title" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-48 flex-1">
          <h2 id="sources-title" className="font-semibold">
            {t("knowledgeSources.title")}
          </h2>
          <p className="text-muted">{t("knowledgeSources.explain")}</p>
        </div>
        {!!data?.length && add}
      </div>
      {adding && (
        <SourceForm
          workspaceId={workspaceId}
          onDone={() => {
            setAdding(false);
            settled.onSettled();
            document.getElementById("content")?.focus();
          }}
        />
      )}
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending ? (
        <Skeleton lines={3} />
      ) : data?.length === 0 ? (
        !adding && <Empty text={t("knowledgeSources.empty")}>{add}</Empty>
      ) : (
        <ul
          aria-label={t("knowledgeSources.title")}
          className="flex flex-col divide-y divide-line rounded-lg border border-line"
        >
          {data?.map((source) => (
            <li key={source.id} data-row={source.id}>
              <SourceRow source={source} may={may} settled={settled} onRemove={() => setRemoving(source)} />
            </li>
          ))}
        </ul>
      )}
      <Confirm
        open={removing !== undefined}
        title={t("knowledgeSources.removeTitle", { name: removing ? nameOf(removing) : "" })}
        verb={t("lists.remove")}
        danger
        busy={remove.isPending}
        onConfirm={() => removing && remove.mutate(removing)}
        onClose={() => setRemoving(undefined)}
      >
        {t("knowledgeSources.removeExplain")}
      </Confirm>
    </section>
  );
}

function SourceRow({
  source,
  may,
  settled,
  onRemove,
}: {
  source: Source;
  may: boolean;
  settled: { onError: (failure: unknown) => void; onSettled: () => void };
  onRemove: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { id, kind, url, schedule, status, lastReadAt, pages, failedPages, found, proposed, workspaceId } = source;
  const { errorCode, errorValue } = source;
  const read = useMutation({ mutationFn: () => parley.sources.read(id), ...settled });
  const change = useMutation({
    mutationFn: (changes: Schemas["UpdateSource"]) => parley.sources.update(id, changes),
    ...settled,
  });
  const busy = isBusy(source) || read.isPending;
  const name = nameOf(source);
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2 p-3">
      <div className="min-w-48 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <bdi className="font-medium wrap-anywhere">{name}</bdi>
          <Badge look={LOOKS[status]}>{t(`knowledgeSources.status.${status}`)}</Badge>
        </p>
        <p className="text-sm text-muted">
          {t(`knowledgeSources.kind.${kind}`)}
          {lastReadAt !== null && (
            <>
              {", "}
              {t("knowledgeSources.found", { count: found })}
              {kind === "website" && <> ({t("knowledgeSources.pages", { count: pages })})</>},{" "}
              {t("knowledgeSources.lastRead")} <Ago at={lastReadAt} inSentence />
            </>
          )}
        </p>
        {failedPages > 0 && (
          <p className="text-sm text-muted">{t("knowledgeSources.failedPages", { count: failedPages })}</p>
        )}
        {errorCode !== null && (
          <p className={`text-sm wrap-anywhere ${status === "failed" ? "text-danger" : "text-muted"}`}>
            {t(`knowledgeSources.error.${errorCode}`, { value: errorValue ?? "" })}
          </p>
        )}
        {proposed > 0 && (
          <Link
            to="/knowledge"
            search={{ workspace: workspaceId, show: "pending", source: id }}
            className="text-sm text-accent hover:underline"
          >
            {t("knowledgeSources.review", { count: proposed })}
          </Link>
        )}
      </div>
      {may && (
        <div className="flex flex-wrap items-end gap-2">
          {url === null ? (
            <UploadButton
              small
              label={t("knowledgeSources.newer")}
              named={t("knowledgeSources.newerNamed", { name })}
              disabled={busy || change.isPending}
              onUploaded={(attachmentId) => change.mutate({ attachmentId })}
            />
          ) : (
            <>
              <Select
                label={t("knowledgeSources.schedule")}
                aria-label={t("knowledgeSources.scheduleNamed", { name })}
                value={schedule}
                disabled={change.isPending}
                onChange={({ target }) => change.mutate({ schedule: target.value as Source["schedule"] })}
              >
                {SCHEDULES.map((one) => (
                  <option key={one} value={one}>
                    {t(`knowledgeSources.schedules.${one}`)}
                  </option>
                ))}
              </Select>
              <Button
                aria-label={t("knowledgeSources.readNamed", { name })}
                disabled={busy}
                onClick={() => read.mutate()}
              >
                {t("knowledgeSources.read")}
              </Button>
            </>
          )}
          <Button look="danger" aria-label={t("knowledgeSources.removeNamed", { name })} onClick={onRemove}>
            {t("lists.remove")}
          </Button>
        </div>
      )}
    </div>
  );
}
