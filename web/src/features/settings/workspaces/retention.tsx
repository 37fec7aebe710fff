import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { parley, type Schemas } from "../../../api/parley.js";
import { Part } from "../../../ui/detail-page.js";
import { Failed, Skeleton } from "../../../ui/states.js";
import { numberOf, NumberField, useEdits } from "../edits.js";
import { retentionQuery } from "./queries.js";

/** How long evidence of verifications is kept. */
export function Retention({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(retentionQuery(workspaceId));
  return (
    <Part title={t("retention.title")}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {data ? <Form workspaceId={workspaceId} settings={data} /> : !error && <Skeleton lines={1} />}
    </Part>
  );
}

function Form({
  workspaceId,
  settings: { identityRetentionMonths },
}: {
  workspaceId: string;
  settings: Schemas["RetentionSettings"];
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const edits = useEdits({
    now: { identityRetentionMonths: String(identityRetentionMonths) },
    fields: ["identityRetentionMonths"],
    send: (_, draft) =>
      parley.retentionSettings.replace(workspaceId, {
        identityRetentionMonths: numberOf(draft.identityRetentionMonths),
      }),
    onSaved: (saved) => client.setQueryData(["retention-settings", workspaceId], saved),
  });
  const isShorter = numberOf(edits.draft.identityRetentionMonths) < identityRetentionMonths;
  return (
    <form {...edits.form} aria-label={t("retention.title")} className="flex flex-col gap-4">
      <p className="text-muted">{t("retention.explain")}</p>
      <div className="sm:w-1/2">
        <NumberField
          edits={edits}
          name="identityRetentionMonths"
          label={t("retention.months")}
          hint={t("retention.monthsHint")}
          min={3}
          max={84}
        />
      </div>
      {isShorter && (
        <p role="status" className="rounded-lg border border-note-line bg-note p-3 text-note-text">
          {t("retention.shorter", { count: numberOf(edits.draft.identityRetentionMonths) })}
        </p>
      )}
      {edits.end}
    </form>
  );
}
