import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { QUIET_MS } from "../../api/paged.js";
import { parley } from "../../api/parley.js";
import { Badge } from "../../ui/badge.js";
import { Button } from "../../ui/button.js";
import { Confirm } from "../../ui/confirm.js";
import { Page } from "../../ui/page.js";
import { Paged } from "../../ui/paged.js";
import { toast } from "../../ui/toasts.js";
import { LastUsed } from "./last-used.js";

/** Where you are signed in. */
export function Sessions(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const query = useInfiniteQuery({
    queryKey: ["sessions"],
    queryFn: ({ pageParam, signal }) => parley.me.listSessions({ cursor: pageParam }, { signal }).then(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: QUIET_MS,
  });
  const end = useMutation({
    mutationFn: (id: string | undefined) =>
      id === undefined ? parley.me.endOtherSessions() : parley.me.endSession(id),
    onSuccess: (_, id) => toast(t(id === undefined ? "sessions.othersEnded" : "sessions.ended")),
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
    onSettled: () => void client.invalidateQueries({ queryKey: ["sessions"] }),
  });
  const several = (query.data?.pages[0]?.data.length ?? 0) > 1;
  return (
    <Page
      title={t("settings.section.sessions")}
      explain={t("sessions.explain")}
      action={several && <Button onClick={() => setAsking(true)}>{t("sessions.endOthers")}</Button>}
    >
      <Paged
        keyOf={({ id }) => id}
        query={query}
        label={t("settings.section.sessions")}
        empty={null}
        row={({ id, device, address, environment, lastUsedAt, current }) => (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3">
            <div className="min-w-48 flex-1">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-medium">{device}</span>
                {current && <Badge look="ok">{t("sessions.current")}</Badge>}
                {environment === "test" && <Badge look="warn">{t("shell.test")}</Badge>}
              </p>
              <p className="text-sm text-muted">
                {address}, <LastUsed at={lastUsedAt} of="settings" />
              </p>
            </div>
            {!current && (
              <Button
                small
                aria-label={t("sessions.endNamed", { device })}
                disabled={end.isPending}
                onClick={() => end.mutate(id)}
              >
                {t("sessions.end")}
              </Button>
            )}
          </div>
        )}
      />
      <Confirm
        open={asking}
        title={t("sessions.endOthers")}
        verb={t("sessions.endOthers")}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          end.mutate(undefined);
        }}
      >
        {t("sessions.endOthersExplain")}
      </Confirm>
    </Page>
  );
}
