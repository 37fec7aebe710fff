import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { parley, type Schemas } from "../../api/parley.js";
import { Button } from "../../ui/button.js";
import { Field } from "../../ui/field.js";
import { Failed } from "../../ui/states.js";
import { TextArea } from "../../ui/text-area.js";
import { readJson, textOf } from "./form.js";

const EXAMPLE = `{
  "ride": { "minutesLate": 20 },
  "refund": { "amount": 15 }
}`;

/** What the policies decide about a tool in a situation, and which of them do. */
export function TryPolicy({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const [problems, setProblems] = useState<{ tool?: string; context?: string }>({});
  const evaluate = useMutation({
    mutationFn: (body: Schemas["EvaluatePolicy"]) => parley.policyEntries.evaluate(workspaceId, body),
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const found: typeof problems = {};
    const tool = textOf(form, "tool");
    if (!tool) found.tool = t("entries.needed");
    const context = readJson(textOf(form, "context"), () => (found.context = t("policy.notJson")));
    setProblems(found);
    if (!found.tool && !found.context) evaluate.mutate({ tool, ...(context && { context }) });
  };
  return (
    <section aria-labelledby="try-title" className="flex flex-col gap-4">
      <div>
        <h2 id="try-title" className="font-semibold">
          {t("evaluate.title")}
        </h2>
        <p className="text-muted">{t("evaluate.explain")}</p>
      </div>
      <form onSubmit={submit} noValidate className="flex max-w-2xl flex-col gap-4">
        <Field
          label={t("evaluate.tool")}
          name="tool"
          placeholder={t("evaluate.toolPlaceholder")}
          error={problems.tool}
          className="[&_input]:font-mono"
        />
        <TextArea
          label={t("evaluate.context")}
          hint={t("evaluate.contextHint")}
          name="context"
          placeholder={EXAMPLE}
          error={problems.context}
          rows={4}
          spellCheck={false}
          className="[&_textarea]:font-mono [&_textarea]:text-sm"
        />
        <Button type="submit" look="primary" className="self-start" disabled={evaluate.isPending}>
          {t("evaluate.button")}
        </Button>
      </form>
      {evaluate.error && <Failed error={evaluate.error} />}
      <div role="status">{evaluate.data && <Decided evaluation={evaluate.data} />}</div>
    </section>
  );
}

function Decided({ evaluation }: { evaluation: Schemas["PolicyEvaluation"] }): ReactNode {
  const { t } = useTranslation();
  const { effect, reason, requiredAssuranceLevel, circuitBreakers, applying, notApplying } = evaluation;
  return (
    <div className="flex flex-col gap-5">
      <div className="rounded-lg border border-line bg-canvas p-4">
        <h3 className="text-sm font-semibold text-muted">{t("evaluate.decision")}</h3>
        <p
          className={`text-lg font-semibold ${effect === "allow" ? "text-ok" : effect === "deny" ? "text-danger" : ""}`}
        >
          {t(`policy.effects.${effect}`)}
        </p>
        <p>{reason}</p>
        {requiredAssuranceLevel !== null && (
          <p>{t("evaluate.needsLevel", { level: t(`policy.levels.${requiredAssuranceLevel}`) })}</p>
        )}
        {circuitBreakers.length > 0 && <p className="text-danger">{t("evaluate.breaker")}</p>}
      </div>
      <Rules title={t("evaluate.applying")} rules={applying} />
      <Rules title={t("evaluate.notApplying")} rules={notApplying} />
    </div>
  );
}

function Rules({ title, rules }: { title: string; rules: Schemas["ConsideredRule"][] }): ReactNode {
  const { t } = useTranslation();
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold text-muted">{title}</h3>
      {rules.length === 0 ? (
        <p className="text-muted">{t("evaluate.none")}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
          {rules.map(({ id, title: name, effect, priority, why }) => (
            <li key={id} className="flex flex-wrap gap-x-4 gap-y-1 p-3">
              <div className="min-w-40 flex-1">
                <p dir="auto" className="font-medium break-words">
                  {name}
                </p>
                {why.map((line) => (
                  <p key={line} className="text-sm break-words text-muted">
                    {line}
                  </p>
                ))}
              </div>
              <p className="text-sm text-muted">
                {t(`policy.effects.${effect}`)}, {t("policy.priority")} {priority}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
