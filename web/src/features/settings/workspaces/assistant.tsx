import { AgentDecision } from "@parley/sdk/enums";
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { QUIET_MS } from "../../../api/paged.js";
import { parley, type Schemas } from "../../../api/parley.js";
import { Check } from "../../../ui/check.js";
import { Part } from "../../../ui/detail-page.js";
import { Field } from "../../../ui/field.js";
import { Failed, Skeleton } from "../../../ui/states.js";
import { evidenceQuery } from "../../knowledge/queries.js";
import { numberOf, PERCENT, percentOf, useEdits } from "../edits.js";
import { type Workspace, workspaceChanged } from "./queries.js";

const Rehearsal = lazy(() => import("../../rehearsal/rehearsal.js"));
type Settings = Schemas["AssistantSettings"];
type Name = keyof Settings;
const NAMES = ["answerConfidence", "margin", "clarifyConfidence"] as const satisfies readonly Name[];

const settingsQuery = (id: string) =>
  queryOptions({
    queryKey: ["assistant-settings", id],
    queryFn: ({ signal }) => parley.assistantSettings.get(id, { signal }),
    staleTime: QUIET_MS,
  });

/** Whether the assistant answers. */
export function AssistantSwitch({ workspace }: { workspace: Workspace }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { draft, edit, form, end } = useEdits({
    now: { assistantEnabled: workspace.assistantEnabled },
    fields: [],
    send: (changes) => parley.workspaces.update(workspace.id, changes),
    onSaved: (saved) => workspaceChanged(client, saved),
  });
  return (
    <Part title={t("common.assistant")}>
      <form {...form} aria-label={t("common.assistant")} className="flex flex-col gap-4">
        <Check
          label={t("workspaces.assistant")}
          hint={t("workspaces.assistantHint")}
          checked={draft.assistantEnabled}
          onChange={({ target }) => edit({ assistantEnabled: target.checked })}
        />
        {end}
      </form>
    </Part>
  );
}

/** When the assistant answers, asks back or hands over, and what that would have meant for the last questions. */
export function Thresholds({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(settingsQuery(workspaceId));
  return (
    <Part title={t("thresholds.title")}>
      <p className="text-muted">{t("thresholds.explain")}</p>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {data ? <Form workspaceId={workspaceId} settings={data} /> : !error && <Skeleton lines={3} />}
    </Part>
  );
}

type Draft = Record<Name, string>;
const of = <From, To>(from: Record<Name, From>, make: (one: From) => To): Record<Name, To> => ({
  answerConfidence: make(from.answerConfidence),
  margin: make(from.margin),
  clarifyConfidence: make(from.clarifyConfidence),
});

function Form({ workspaceId, settings }: { workspaceId: string; settings: Settings }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const read = (typed: Draft): Settings => of(typed, (one) => Number((numberOf(one) / PERCENT).toFixed(6)));
  const { draft, edit, wrong, form, end } = useEdits<Draft, Settings>({
    now: of(settings, percentOf),
    fields: NAMES,
    send: (_, typed) => parley.assistantSettings.replace(workspaceId, read(typed)),
    onSaved: (saved) => {
      client.setQueryData(settingsQuery(workspaceId).queryKey, saved);
      // It compares with what is saved.
      void client.invalidateQueries({ queryKey: ["assistant-preview", workspaceId] });
    },
  });
  const tried = read(draft);
  const faultOf = (name: Name): string | undefined => {
    if (!(tried[name] >= 0 && tried[name] <= 1)) return t("thresholds.share");
    if (name === "clarifyConfidence" && tried[name] > tried.answerConfidence) return t("thresholds.tooHigh");
    return wrong(name);
  };
  const isValid = NAMES.every((name) => faultOf(name) === undefined);
  return (
    <form
      {...form}
      onSubmit={(event) => {
        if (isValid) form.onSubmit(event);
        else event.preventDefault();
      }}
      aria-label={t("thresholds.title")}
      className="flex flex-col gap-4"
    >
      <div className="grid items-start gap-4 sm:grid-cols-3">
        {NAMES.map((name) => (
          <Field
            key={name}
            label={t(`thresholds.${name}`)}
            hint={t(`thresholds.${name}Hint`)}
            type="number"
            inputMode="decimal"
            min={0}
            max={PERCENT}
            step="any"
            value={draft[name]}
            error={faultOf(name)}
            onChange={({ target }) => edit({ [name]: target.value })}
          />
        ))}
      </div>
      <Preview workspaceId={workspaceId} thresholds={isValid ? tried : undefined} />
      <Suspense>
        <Rehearsal workspaceId={workspaceId} draft={() => (isValid ? { settings: tried } : undefined)} />
      </Suspense>
      {end}
    </form>
  );
}

const TYPING_MS = 400;
/** The thresholds, once nobody has typed for a moment. */
function useSettled(thresholds: Settings | undefined): Settings | undefined {
  const now = thresholds && JSON.stringify(thresholds);
  const [settled, setSettled] = useState(now);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(now), TYPING_MS);
    return () => clearTimeout(timer);
  }, [now]);
  return settled === undefined ? undefined : (JSON.parse(settled) as Settings);
}

const MAX_EXAMPLES = 5;

/** What the thresholds that are typed in would have decided, beside what the present ones do. */
function Preview({ workspaceId, thresholds }: { workspaceId: string; thresholds: Settings | undefined }): ReactNode {
  const { t, i18n } = useTranslation();
  const settled = useSettled(thresholds);
  const { data, error, refetch } = useQuery({
    queryKey: ["assistant-preview", workspaceId, settled],
    queryFn: ({ signal }) => parley.assistantSettings.preview(workspaceId, settled, { signal }),
    enabled: settled !== undefined,
    staleTime: QUIET_MS,
    placeholderData: keepPreviousData,
  });
  const number = (count: number): string => new Intl.NumberFormat(i18n.language).format(count);
  return (
    <section
      aria-label={t("thresholds.preview")}
      className="flex flex-col gap-3 rounded-lg border border-line bg-canvas p-3"
    >
      <h3 className="font-medium">{t("thresholds.preview")}</h3>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={1} />}
      {data?.questions === 0 && <p className="text-muted">{t("thresholds.noQuestions")}</p>}
      {data && data.questions > 0 && (
        <>
          <p role="status" className="text-muted">
            {t("thresholds.looked", { count: data.questions })}{" "}
            {data.changed.length === 0 ? t("thresholds.same") : t("thresholds.differ", { count: data.changed.length })}
          </p>
          <dl className="grid grid-cols-3 gap-2">
            {AgentDecision.map((decision) => (
              <div key={decision} className="flex flex-col-reverse justify-end">
                <dt className="text-sm text-muted wrap-anywhere">{t(`thresholds.decision.${decision}`)}</dt>
                <dd className="text-xl font-semibold tabular-nums">
                  {number(data.after[decision])}
                  {data.after[decision] !== data.before[decision] && (
                    <span className="ms-2 text-sm font-normal text-muted">
                      {t("thresholds.now", { count: data.before[decision] })}
                    </span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
          {data.changed.length > 0 && (
            <ul aria-label={t("impact.examples")} className="flex flex-col gap-2 border-s-2 border-line ps-3">
              {data.changed.slice(0, MAX_EXAMPLES).map((one) => (
                <li key={one.messageId}>
                  <Example one={one} />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  );
}

function Example({ one: { conversationId, messageId, from, to } }: { one: Schemas["ChangedDecision"] }): ReactNode {
  const { t } = useTranslation();
  const { data } = useQuery(evidenceQuery(conversationId));
  return (
    <>
      <Link
        to="/inbox/$view/$conversationId"
        params={{ view: "all", conversationId }}
        dir="auto"
        className="line-clamp-2 wrap-anywhere text-accent hover:underline"
      >
        {data?.get(messageId)?.body || t("attention.openConversation")}
      </Link>
      <p className="text-sm text-muted">
        {t("thresholds.change", { from: t(`thresholds.decision.${from}`), to: t(`thresholds.decision.${to}`) })}
      </p>
    </>
  );
}
