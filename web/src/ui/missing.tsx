import { Link, useLocation } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** What a member sees at an address without a page. The navigation stays. */
export function Missing(): ReactNode {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-2 p-6 text-center">
      <h1 className="text-lg font-semibold">{t("shell.notFound")}</h1>
      <p className="max-w-sm text-balance wrap-anywhere text-muted">{t("shell.notFoundWhy", { path: pathname })}</p>
      <Link to="/inbox" className="text-accent hover:underline">
        {t("shell.toInbox")}
      </Link>
    </div>
  );
}
