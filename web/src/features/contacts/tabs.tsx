import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

const TABS = ["contacts", "accounts"] as const;

/** People, or the companies that they belong to. */
export function Tabs({ at }: { at: (typeof TABS)[number] }): ReactNode {
  const { t } = useTranslation();
  return (
    <nav aria-label={t("contacts.kinds")} className="flex gap-1">
      {TABS.map((one) => (
        <Link
          key={one}
          to={`/${one}`}
          aria-current={one === at ? "page" : undefined}
          className={`flex h-9 items-center rounded-md px-2.5 font-medium ${one === at ? "bg-selected text-accent-strong" : "text-muted hover:bg-hover hover:text-text"}`}
        >
          {t(`${one}.tab`)}
        </Link>
      ))}
    </nav>
  );
}
