import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Page } from "../../ui/page.js";
import { Empty } from "../../ui/states.js";

/** What members see of a page that is for owners and admins. */
export function ManagersOnly({ title }: { title: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Page title={title}>
      <Empty text={t("settings.managersOnly")} />
    </Page>
  );
}
