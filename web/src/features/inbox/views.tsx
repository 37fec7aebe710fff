import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { countsQuery, type View, VIEWS } from "../../api/queries.js";

/** The views with how many conversations each has: below one another at the left, or in one line above the list. */
export function Views({ view, className }: { view: View | undefined; className: string }): ReactNode {
  const { t } = useTranslation();
  const { data: counts } = useQuery(countsQuery());
  return (
    <nav aria-label={t("inbox.views")} className={className}>
      {VIEWS.map((one) => {
        const count = counts?.[one === "all" ? "open" : one];
        return (
          <Link
            key={one}
            to="/inbox/$view"
            params={{ view: one }}
            aria-current={one === view ? "page" : undefined}
            className={`flex h-7 shrink-0 items-center gap-2 rounded-md px-2 text-sm font-medium ${one === view ? "bg-selected text-accent-strong" : "text-muted hover:bg-hover hover:text-text"}`}
          >
            <span className="flex-1 truncate">{t(`inbox.view.${one}`)}</span>
            {count && count.count > 0 && (
              <span className="text-xs tabular-nums">
                {count.count}
                {count.more && "+"}
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
