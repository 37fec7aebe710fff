import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

/** Where one expects to see what is found: it is not searched while one types. */
export default function SearchHint(): ReactNode {
  const { t } = useTranslation();
  return (
    <p role="status" className="px-2.5 pt-1.5 text-sm text-muted">
      {t("searchDoor.enter")}
    </p>
  );
}
