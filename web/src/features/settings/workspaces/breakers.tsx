import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { parley, type Schemas } from "../../../api/parley.js";
import { Check } from "../../../ui/check.js";
import { Part } from "../../../ui/detail-page.js";
import { Select } from "../../../ui/field.js";
import { Failed, Skeleton } from "../../../ui/states.js";
import { numberOf, NumberField, PERCENT, percentOf, useEdits } from "../edits.js";
import { breakersQuery } from "./queries.js";

type Setting = Schemas["BreakerSetting"];
type Metric = Schemas["QualityMetric"];
type Action = Schemas["CircuitBreakerAction"];

/** What is watched, and the actions that do something there. */
const METRICS = [
  ["answer", ["notify", "require_approval"]],
  ["csat", ["notify", "pause_assistant", "require_approval"]],
  ["delivery", ["notify"]],
  ["handoff", ["notify", "pause_assistant", "require_approval"]],
  ["tool", ["notify", "require_approval"]],
] as const satisfies readonly (readonly [Metric, readonly Action[]])[];

/** When a circuit breaker trips, and what it does then. */
export default function Breakers({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(breakersQuery(workspaceId));
  return (
    <Part title={t("quality.breaker.title")}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {data ? <Form workspaceId={workspaceId} settings={data} /> : !error && <Skeleton lines={3} />}
    </Part>
  );
}

interface Row {
  enabled: boolean;
  /** In percent. */
  threshold: string;
  windowDays: string;
  minimumSample: string;
  action: Action;
}
type Draft = Record<Metric, Row>;

const rowOf = ({ enabled, threshold, windowDays, minimumSample, action }: Setting): Row => ({
  enabled,
  threshold: percentOf(threshold),
  windowDays: String(windowDays),
  minimumSample: String(minimumSample),
  action,
});

function Form({ workspaceId, settings }: { workspaceId: string; settings: Setting[] }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { draft, edit, wrong, form, end } = useEdits<Draft, Schemas["BreakerSettings"]>({
    now: Object.fromEntries(settings.map((setting) => [setting.metric, rowOf(setting)])) as Draft,
    fields: METRICS.flatMap((_, i) =>
      ["threshold", "windowDays", "minimumSample"].map((name) => `settings.${i}.${name}`),
    ),
    send: (_, rows) =>
      parley.breakerSettings.replace(workspaceId, {
        settings: METRICS.map(([metric]) => {
          const { enabled, action, threshold, windowDays, minimumSample } = rows[metric];
          return {
            metric,
            enabled,
            action,
            threshold: numberOf(threshold) / PERCENT,
            windowDays: numberOf(windowDays),
            minimumSample: numberOf(minimumSample),
          };
        }),
      }),
    onSaved: (saved) => client.setQueryData(["breaker-settings", workspaceId], saved.settings),
  });
  return (
    <form {...form} aria-label={t("quality.breaker.title")} className="flex flex-col gap-4">
      <p className="text-muted">{t("breakerSettings.explain")}</p>
      {METRICS.map(([metric, actions], i) => {
        const row = draft[metric];
        const change = (of: Partial<Row>): void => edit({ [metric]: { ...row, ...of } });
        const number = (name: "threshold" | "windowDays" | "minimumSample", min: number, max: number): ReactNode => (
          <NumberField
            edits={{ draft: row, edit: change, wrong }}
            name={name}
            path={`settings.${i}.${name}`}
            label={t(`breakerSettings.${name}`)}
            hint={t(`breakerSettings.${name}Hint`)}
            min={min}
            max={max}
          />
        );
        return (
          <fieldset key={metric} className="@container rounded-lg border border-line p-3">
            <legend className="sr-only">{t(`breakerSettings.metric.${metric}`)}</legend>
            <Check
              label={t(`breakerSettings.metric.${metric}`)}
              hint={t(`breakerSettings.watches.${metric}`)}
              checked={row.enabled}
              onChange={({ target }) => change({ enabled: target.checked })}
            />
            {row.enabled && (
              <div className="mt-3 grid items-start gap-4 @md:grid-cols-2">
                {number("threshold", 1, 99)}
                {number("windowDays", 1, 90)}
                {number("minimumSample", 20, 100_000)}
                <Select
                  label={t("breakerSettings.action")}
                  value={row.action}
                  onChange={({ target }) => change({ action: target.value as Action })}
                >
                  {actions.map((action) => (
                    <option key={action} value={action}>
                      {t(`breakerSettings.actions.${action}`)}
                    </option>
                  ))}
                </Select>
              </div>
            )}
          </fieldset>
        );
      })}
      {end}
    </form>
  );
}
