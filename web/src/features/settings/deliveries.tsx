import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Paged } from "../../ui/paged.js";
import { Empty } from "../../ui/states.js";
import { Ago } from "../../ui/time.js";
import { toast } from "../../ui/toasts.js";

const PAGE = 10;
/** What was just sent may still be on its way. */
const REFRESH_MS = 5_000;
const LOOKS = { queued: "warn", succeeded: "ok", failed: "danger", captured: "plain" } as const;

/** What was sent to an endpoint, and what it answered. Each can be sent again. */
export function Deliveries({ endpoint }: { endpoint: Schemas["WebhookEndpoint"] }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const queryKey = ["webhook-deliveries", endpoint.id];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      parley.webhookEndpoints.listDeliveries(endpoint.id, { limit: PAGE, cursor: pageParam }, { signal }).then(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(({ status }) => status === "queued")) ? REFRESH_MS : false,
  });
  const again = useMutation({
    mutationFn: (id: string) => parley.webhookDeliveries.redeliver(id),
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
    onSettled: () => void client.invalidateQueries({ queryKey }),
  });
  return (
    <section aria-label={t("webhooks.deliveries")} className="mt-3">
      <Paged
        keyOf={({ id }) => id}
        query={query}
        label={t("webhooks.deliveries")}
        empty={<Empty text={t("webhooks.noDeliveries")} />}
        row={({ id, type, status, attempts, createdAt }) => {
          const last = attempts.at(-1);
          return (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1 p-2.5 text-sm">
              <div className="min-w-48 flex-1">
                <p className="flex flex-wrap items-center gap-2">
                  <code className="font-mono">{type}</code>
                  <Badge look={LOOKS[status]}>{t(`webhooks.status.${status}`)}</Badge>
                </p>
                <p className="break-words text-muted">
                  <Ago at={createdAt} />
                  {last && (
                    <>
                      ,{" "}
                      {last.error ?? t("webhooks.answered", { status: last.responseStatus ?? "", ms: last.durationMs })}
                      {attempts.length > 1 && `, ${t("webhooks.attempts", { count: attempts.length })}`}
                    </>
                  )}
                </p>
              </div>
              {(status === "failed" || status === "succeeded") && (
                <Button small disabled={again.isPending} onClick={() => again.mutate(id)}>
                  {t("webhooks.again")}
                </Button>
              )}
            </div>
          );
        }}
      />
    </section>
  );
}
