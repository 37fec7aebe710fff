import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Clock } from "../../ui/time.js";

/** One quiet line for an automatic mail, which opens. */
export default function AutomaticReply({
  id,
  sender,
  at,
  children,
}: {
  id: string;
  sender: string;
  at: string;
  children: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div
      id={id}
      role="article"
      aria-label={t("messageTools.automatic", { sender })}
      className="max-w-[85%] self-center"
    >
      <details className="group">
        <summary className="flex cursor-pointer list-none items-center justify-center gap-1.5 rounded text-xs text-muted hover:text-text">
          <ChevronRight
            size={12}
            aria-hidden="true"
            className="shrink-0 transition-transform group-open:rotate-90 rtl:-scale-x-100"
          />
          <bdi className="min-w-0 truncate">{t("messageTools.automatic", { sender })}</bdi>
          <Clock at={at} />
        </summary>
        <div dir="auto" className="mt-1 rounded-lg border border-note-line bg-note px-3 py-2 break-words text-text">
          {children}
        </div>
      </details>
    </div>
  );
}
