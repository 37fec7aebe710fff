import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf, languageOf } from "../api/failure.js";
import { Button } from "./button.js";

/** Grey lines where something is loading. */
export function Skeleton({ lines = 6 }: { lines?: number }): ReactNode {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("common.loading")} className="flex flex-col gap-4 p-4 in-data-column:px-0">
      {Array.from({ length: lines }, (_, i) => (
        <div key={i} className="flex gap-3">
          <div className="skeleton size-8 shrink-0 rounded-full" />
          <div className="flex flex-1 flex-col gap-2">
            <div className="skeleton h-3 w-1/2" />
            <div className="skeleton h-3" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** Why there is nothing, and one thing to do. */
export const Empty = ({ text, children }: { text: string; children?: ReactNode }): ReactNode => (
  <div className="flex flex-col items-center gap-3 px-6 py-12 text-center text-muted">
    <p className="max-w-xs text-balance">{text}</p>
    {children}
  </div>
);

/** What went wrong, and how to go on. Data that was loaded before stays on the page beside it. */
export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => void }): ReactNode {
  const { t } = useTranslation();
  const { sentence, requestId, kind } = failureOf(error);
  return (
    <div
      role="alert"
      className="m-3 in-data-column:mx-0 flex flex-col gap-2 rounded-lg border border-danger/40 bg-danger-soft p-3 text-danger"
    >
      <p lang={languageOf(sentence)}>{sentence}</p>
      {requestId && kind !== "forbidden" && (
        <p className="text-xs break-all">{t("common.requestId", { id: requestId })}</p>
      )}
      {onRetry && kind !== "forbidden" && kind !== "missing" && (
        <Button small look="plain" className="self-start" onClick={onRetry}>
          {t("common.retry")}
        </Button>
      )}
    </div>
  );
}
