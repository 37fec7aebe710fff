import { ChevronRight } from "lucide-react";
import { type ReactNode, type Ref, useId } from "react";
import { useTranslation } from "react-i18next";
import { plain } from "../../ui/plain.js";
import { Ago } from "../../ui/time.js";
import { Details } from "./details.js";
import type { Entry, Kind } from "./kinds.js";
import { percent } from "./percent.js";

interface Props<E extends Entry> {
  kind: Kind<E>;
  entry: E;
  open: boolean;
  onToggle: () => void;
  toggle?: Ref<HTMLButtonElement> | undefined;
  /** Its title with marks, where it was searched for. */
  marked?: ReactNode;
  /** What a closed entry shows of its text; by default, its beginning. */
  excerpt?: ReactNode;
  /** What the member has to know before they read it. */
  news?: ReactNode;
  /** What is shown besides, once somebody asked for it. */
  extra?: ReactNode;
  /** What the member may do with it. */
  actions: ReactNode;
}

/** One entry: its title and the beginning of its text, or all of it with what the member may do. */
export function EntryRow<E extends Entry>({
  kind,
  entry,
  open,
  onToggle,
  toggle,
  marked,
  excerpt,
  news,
  extra,
  actions,
}: Props<E>): ReactNode {
  const { t, i18n } = useTranslation();
  const id = useId();
  const title = kind.titleOf(entry);
  return (
    <article aria-labelledby={`${id}-title`} className={open ? "" : "hover:bg-hover"}>
      <h2>
        <button
          ref={toggle}
          type="button"
          aria-expanded={open}
          aria-controls={open ? `${id}-body` : undefined}
          onClick={onToggle}
          className="flex w-full items-start gap-2 rounded-lg px-3 py-2.5 text-start -outline-offset-2"
        >
          <ChevronRight
            size={16}
            aria-hidden="true"
            className={`mt-0.5 shrink-0 text-muted transition-transform rtl:-scale-x-100 ${open ? "rotate-90 rtl:-rotate-90" : ""}`}
          />
          <span className="flex min-w-0 flex-1 flex-col">
            <span
              id={`${id}-title`}
              dir="auto"
              className={`font-medium ${open ? "text-lg break-words" : "line-clamp-2 break-words"}`}
            >
              {(!open && marked) || title}
            </span>
            {!open && (
              <span dir="auto" className={`text-sm text-muted ${excerpt ? "line-clamp-2 wrap-anywhere" : "truncate"}`}>
                {excerpt ?? plain(kind.textOf(entry))}
              </span>
            )}
          </span>
          <span className="mt-0.5 flex shrink-0 flex-col items-end text-xs text-muted tabular-nums sm:flex-row sm:gap-3">
            {entry.status === "pending" && entry.confidence !== undefined && (
              <span>{t("entries.confidence", { percent: percent(entry.confidence, i18n.language) })}</span>
            )}
            <Ago at={entry.createdAt} />
          </span>
        </button>
      </h2>
      {open && (
        <div id={`${id}-body`} className="px-3 pb-3 sm:ps-9">
          {news}
          <Details kind={kind} entry={entry} />
          {extra}
          {actions && (
            <div
              role="group"
              aria-label={t("entries.actions", { name: title })}
              data-deciding={entry.status === "pending" || undefined}
              className="sticky bottom-0 mt-4 flex flex-wrap gap-2 border-t border-line bg-surface py-3"
            >
              {actions}
            </div>
          )}
        </div>
      )}
    </article>
  );
}
