import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

const PAGES = ["quality", "reports"] as const;

/** The two pages about how good and how fast the answers are. */
export function Tabs({ now }: { now: (typeof PAGES)[number] }): ReactNode {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("quality.pages")} className="mb-5 flex gap-4 border-b border-line">
      {PAGES.map((page) => (
        <Link
          key={page}
          to={`/${page}`}
          aria-current={page === now ? "page" : undefined}
          className={`-mb-px border-b-2 px-1 py-2 font-medium ${page === now ? "border-accent text-text" : "border-transparent text-muted hover:text-text"}`}
        >
          {t(`${page}.title`)}
        </Link>
      ))}
    </nav>
  );
}
