import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { membersQuery } from "../../api/queries.js";
import { Dialog } from "../../ui/dialog.js";
import { Failed, Skeleton } from "../../ui/states.js";
import { Difference } from "./difference.js";
import type { Entry, Kind } from "./kinds.js";
import { versionsQuery } from "./queries.js";

/** How an entry came to say what it says: each version with what it changed, newest first. */
export function Versions<E extends Entry>({
  kind,
  entry,
  onClose,
}: {
  kind: Kind<E>;
  entry: E;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(versionsQuery(kind, entry.id));
  const { data: members } = useQuery(membersQuery());
  return (
    <Dialog open wide onClose={onClose} title={t("entries.versions")}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending ? (
        <Skeleton lines={2} />
      ) : (
        <ol className="flex flex-col gap-5">
          {data?.map(({ version, title, text }, i) => {
            const before = data[i + 1];
            const { version: number, changedBy, reason } = version;
            return (
              <li key={number} className="flex flex-col gap-1">
                <p className="text-sm text-muted">
                  <span className="font-medium text-text">{t("entries.version", { number })}</span>{" "}
                  {changedBy !== null &&
                    t("entries.by", { name: members?.get(changedBy)?.name ?? t("common.integration") })}
                </p>
                {reason !== null && <p className="text-sm">{reason}</p>}
                <div className="rounded-md bg-canvas p-3">
                  {before && before.title !== title ? (
                    <Difference before={before.title} after={title} />
                  ) : (
                    <p dir="auto" className="font-medium break-words">
                      {title}
                    </p>
                  )}
                  {before ? (
                    <Difference before={before.text} after={text} />
                  ) : (
                    <p dir="auto" className="break-words whitespace-pre-wrap">
                      {text}
                    </p>
                  )}
                </div>
              </li>
            );
          })}
        </ol>
      )}
    </Dialog>
  );
}
