import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { readNextPage } from "../../../api/paged.js";
import { parley } from "../../../api/parley.js";
import { membersQuery } from "../../../api/queries.js";
import { Button } from "../../../ui/button.js";
import { Part } from "../../../ui/detail-page.js";
import { Dialog } from "../../../ui/dialog.js";
import { Field } from "../../../ui/field.js";
import { Failed, Skeleton } from "../../../ui/states.js";
import { TextArea } from "../../../ui/text-area.js";
import { Ago } from "../../../ui/time.js";
import { Difference } from "../../knowledge/difference.js";
import { useEdits } from "../edits.js";
import { type Agent, agentChanged, versionsQuery } from "./queries.js";

/** What the agent is told to do. Each change is a new version with its reason. */
export function Instructions({ agent }: { agent: Agent }): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { id, kind, instructions, instructionsVersion } = agent;
  return (
    <Part
      title={t("agents.instructions")}
      action={
        <Button small onClick={() => setOpen(true)}>
          {t("agents.versions", { number: instructionsVersion })}
        </Button>
      }
    >
      {kind === "platform" ? (
        <p dir="auto" className="rounded-lg border border-line bg-canvas p-3 break-words whitespace-pre-wrap">
          {instructions}
        </p>
      ) : (
        <Form agent={agent} />
      )}
      <Dialog open={isOpen} wide onClose={() => setOpen(false)} title={t("entries.versions")}>
        <Versions id={id} />
      </Dialog>
    </Part>
  );
}

function Form({ agent: { id, instructions } }: { agent: Agent }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { draft, edit, wrong, form, end } = useEdits({
    now: { instructions, reason: "" },
    fields: ["instructions", "reason"],
    send: (_, { reason, instructions: text }) =>
      parley.agents.setInstructions(id, { instructions: text, reason: reason.trim() || null }),
    onSaved: (saved) => agentChanged(client, saved),
  });
  return (
    <form {...form} aria-label={t("agents.instructions")} className="flex flex-col gap-4">
      <TextArea
        label={t("agents.text")}
        hint={t("agents.instructionsHint")}
        value={draft.instructions}
        dir="auto"
        rows={8}
        error={wrong("instructions", t("setup.text", { max: 50_000 }))}
        onChange={({ target }) => edit({ instructions: target.value })}
      />
      {draft.instructions !== instructions && (
        <Field
          label={t("entries.changeReason")}
          value={draft.reason}
          dir="auto"
          maxLength={2_000}
          autoComplete="off"
          error={wrong("reason")}
          onChange={({ target }) => edit({ reason: target.value })}
        />
      )}
      {end}
    </form>
  );
}

/** Each version with what it changed, newest first. */
function Versions({ id }: { id: string }): ReactNode {
  const { t } = useTranslation();
  const query = useInfiniteQuery(versionsQuery(id));
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage } = query;
  const { data: members } = useQuery(membersQuery());
  const versions = data?.pages.flatMap(({ data: page }) => page);
  return (
    <>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton lines={2} />}
      <ol className="flex flex-col gap-5">
        {versions?.map(({ version, instructions, changedBy, reason, createdAt }, i) => {
          const before = versions[i + 1];
          return (
            <li key={version} className="flex flex-col gap-1">
              <p className="text-sm text-muted">
                <span className="font-medium text-text">{t("entries.version", { number: version })}</span>{" "}
                {changedBy !== null &&
                  t("entries.by", { name: members?.get(changedBy)?.name ?? t("common.integration") })}{" "}
                <Ago at={createdAt} />
              </p>
              {reason !== null && (
                <p dir="auto" className="text-sm">
                  {reason}
                </p>
              )}
              <div className="rounded-md bg-canvas p-3">
                {before ? (
                  <Difference before={before.instructions} after={instructions} />
                ) : (
                  <p dir="auto" className="break-words whitespace-pre-wrap">
                    {instructions}
                  </p>
                )}
              </div>
            </li>
          );
        })}
      </ol>
      {hasNextPage && (
        <Button className="mt-4" disabled={isFetchingNextPage} onClick={() => void readNextPage(query)}>
          {t("list.more")}
        </Button>
      )}
    </>
  );
}
