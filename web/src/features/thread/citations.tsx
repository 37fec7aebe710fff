import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Message, parley } from "../../api/parley.js";
import { plain } from "../../ui/plain.js";
import { Failed, Skeleton } from "../../ui/states.js";

/** Below the last message there is no room: the thread scrolls to what has opened. */
const showAll = (text: HTMLElement | null): void => text?.scrollIntoView({ block: "nearest" });

/** The entries that an answer is based on. The strongest comes first, and each leads to its place in Knowledge. */
export default function Citations({ citations }: Pick<Message, "citations">): ReactNode {
  const { t } = useTranslation();
  const sorted = [...citations].sort((one, other) => other.score - one.score);
  const entries = useQueries({
    queries: sorted.map(({ kbEntryId }) => ({
      // Below the name of the kind: events about entries read it again.
      queryKey: ["knowledge", "entry", kbEntryId],
      queryFn: () => parley.kbEntries.get(kbEntryId).then(),
    })),
  });
  return (
    <ul aria-label={t("citations.list")} className="flex flex-col gap-1.5 py-1 text-sm">
      {entries.map(({ data, error, refetch }, i) => (
        <li key={sorted[i]!.kbEntryId} className="max-w-md border-s-2 border-line ps-2">
          {data ? (
            <>
              <Link
                to="/knowledge"
                search={{ workspace: data.workspaceId, show: data.status, entry: data.id }}
                dir="auto"
                className="block font-medium wrap-anywhere text-accent hover:underline"
              >
                {data.question}
              </Link>
              <p ref={showAll} dir="auto" className="line-clamp-2 wrap-anywhere text-muted">
                {plain(data.answer)}
              </p>
            </>
          ) : error && failureOf(error).kind === "missing" ? (
            <p className="text-muted">{t("citations.gone")}</p>
          ) : error ? (
            <Failed error={error} onRetry={() => void refetch()} />
          ) : (
            <Skeleton lines={1} />
          )}
        </li>
      ))}
    </ul>
  );
}
