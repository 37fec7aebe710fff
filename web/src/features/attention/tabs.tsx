import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

const TABS = ["attention", "approvals"] as const;

/** What needs a person, or what an agent may only do once a person approves it. */
export function Tabs({ at }: { at: (typeof TABS)[number] }): ReactNode {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("approvals.kinds")} className="flex gap-1">
      {TABS.map((one) => (
        <Link
          key={one}
          to={`/${one}`}
          aria-current={one === at ? "page" : undefined}
          className={`flex h-9 items-center rounded-md px-2.5 font-medium ${one === at ? "bg-selected text-accent-strong" : "text-muted hover:bg-hover hover:text-text"}`}
        >
          {t(`approvals.tab.${one}`)}
        </Link>
      ))}
    </nav>
  );
}
