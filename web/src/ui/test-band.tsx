import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { environment } from "../session/session.js";

/** Says on every page of the test side which side this is. */
export function TestBand({ children }: { children?: ReactNode }): ReactNode {
  const { t } = useTranslation();
  return (
    environment() === "test" && (
      <p className="bg-note-strong px-3 py-1 text-center text-sm font-medium text-surface">
        {t("shell.testBand")} {children}
      </p>
    )
  );
}
