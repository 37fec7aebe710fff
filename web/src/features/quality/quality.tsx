import { QualityWindow } from "@parley/sdk/enums";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { workspacesQuery } from "../../api/queries.js";
import { useMember } from "../../session/session.js";
import { Select } from "../../ui/field.js";
import { Page } from "../../ui/page.js";
import { Empty } from "../../ui/states.js";
import { Breakers } from "./breakers.js";
import { Csat } from "./csat.js";
import { Scores } from "./scores.js";
import { Tabs } from "./tabs.js";

/** How good the answers are: what contacts say, what is measured, and what was stopped because of it. */
export function Quality(): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const [window, setWindow] = useState<QualityWindow>(30);
  const [workspaceId, setWorkspace] = useState("");
  const { data: workspaces } = useQuery(workspacesQuery());
  if (me.role === "billing")
    return (
      <Page title={t("quality.title")}>
        <Empty text={t("entries.forbidden")} />
      </Page>
    );
  return (
    <Page title={t("quality.title")} explain={t("quality.explain")}>
      <Tabs now="quality" />
      <div className="mb-6 flex flex-wrap gap-4">
        <Select
          label={t("quality.window")}
          value={window}
          onChange={({ target }) => setWindow(Number(target.value) as QualityWindow)}
        >
          {QualityWindow.map((count) => (
            <option key={count} value={count}>
              {t("quality.days", { count })}
            </option>
          ))}
        </Select>
        {workspaces && workspaces.length > 1 && (
          <Select
            label={t("entries.workspace")}
            value={workspaceId}
            onChange={({ target }) => setWorkspace(target.value)}
          >
            <option value="">{t("quality.allWorkspaces")}</option>
            {workspaces.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </div>
      <div className="flex flex-col gap-8">
        <Breakers workspaceId={workspaceId} />
        <Csat workspaceId={workspaceId} window={window} />
        <Scores workspaceId={workspaceId} window={window} />
      </div>
    </Page>
  );
}
