import { FactorType } from "@parley/sdk/enums";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { parley, type Schemas } from "../../../api/parley.js";
import { Check } from "../../../ui/check.js";
import { Part } from "../../../ui/detail-page.js";
import { Alert, Field } from "../../../ui/field.js";
import { Failed, Skeleton } from "../../../ui/states.js";
import { numberOf, NumberField, useEdits } from "../edits.js";
import { verificationQuery } from "./queries.js";

type Settings = Schemas["IdentitySettings"];

/** The numbers, in their groups, and what each may be. */
const ANSWERS = [
  ["requiredCorrectAnswers", 1, 10],
  ["maxWrongPerConversation", 1, 100],
  ["maxWrongPerIdentity24h", 1, 100],
  ["maxWrongPerCallerId24h", 1, 100],
] as const;
const TIMES = [
  ["magicLinkMinutes", 1, 60],
  ["factorLifetimeMinutes", 1, 1_440],
  ["addressCoolOffHours", 0, 8_760],
] as const;
const NUMBERS = [...ANSWERS, ...TIMES];

/** How the workspace proves who is calling. */
export default function Verification({ workspaceId }: { workspaceId: string }): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(verificationQuery(workspaceId));
  return (
    <Part title={t("verificationSettings.title")}>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {data ? <Form workspaceId={workspaceId} settings={data} /> : !error && <Skeleton lines={4} />}
    </Part>
  );
}

type Numbers = Record<(typeof NUMBERS)[number][0], string>;

function Form({ workspaceId, settings }: { workspaceId: string; settings: Settings }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const id = useId();
  const edits = useEdits({
    now: {
      ...(Object.fromEntries(NUMBERS.map(([name]) => [name, String(settings[name])])) as Numbers),
      allowedFactors: FactorType.filter((factor) => settings.allowedFactors.includes(factor)),
      requireLinkCode: settings.requireLinkCode,
      promptVersion: settings.promptVersion ?? "",
    },
    fields: [...NUMBERS.map(([name]) => name), "allowedFactors", "promptVersion"],
    send: (_, { allowedFactors, requireLinkCode, promptVersion, ...texts }) =>
      parley.identitySettings.replace(workspaceId, {
        ...Object.fromEntries(NUMBERS.map(([name]) => [name, numberOf(texts[name])])),
        allowedFactors,
        requireLinkCode,
        promptVersion: promptVersion.trim() || null,
      }),
    onSaved: (saved) => client.setQueryData(["identity-settings", workspaceId], saved),
  });
  const { draft, edit, wrong, form, end } = edits;
  const factorsWrong = wrong("allowedFactors", t("verificationSettings.factorsWrong"));
  const numbers = (group: typeof ANSWERS | typeof TIMES): ReactNode => (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {group.map(([name, min, max]) => (
        <NumberField
          key={name}
          edits={edits}
          name={name}
          label={t(`verificationSettings.${name}`)}
          hint={t(`verificationSettings.${name}Hint`)}
          min={min}
          max={max}
        />
      ))}
    </div>
  );
  return (
    <form {...form} aria-label={t("verificationSettings.title")} className="flex flex-col gap-5">
      <p className="text-muted">{t("verificationSettings.explain")}</p>
      <fieldset aria-describedby={factorsWrong ? `${id}-factors` : undefined}>
        <legend className="mb-2 font-medium">{t("verificationSettings.factors")}</legend>
        <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
          {FactorType.map((factor) => (
            <Check
              key={factor}
              label={t(`factor.${factor}`)}
              checked={draft.allowedFactors.includes(factor)}
              aria-invalid={factorsWrong ? true : undefined}
              onChange={({ target }) =>
                edit({
                  allowedFactors: FactorType.filter((one) =>
                    one === factor ? target.checked : draft.allowedFactors.includes(one),
                  ),
                })
              }
            />
          ))}
        </div>
        {factorsWrong && (
          <div className="mt-2">
            <Alert id={`${id}-factors`}>{factorsWrong}</Alert>
          </div>
        )}
      </fieldset>
      {numbers(ANSWERS)}
      {numbers(TIMES)}
      <Check
        label={t("verificationSettings.requireLinkCode")}
        hint={t("verificationSettings.requireLinkCodeHint")}
        checked={draft.requireLinkCode}
        onChange={({ target }) => edit({ requireLinkCode: target.checked })}
      />
      <Field
        label={t("verificationSettings.promptVersion")}
        hint={t("verificationSettings.promptVersionHint")}
        value={draft.promptVersion}
        maxLength={100}
        autoComplete="off"
        error={wrong("promptVersion")}
        onChange={({ target }) => edit({ promptVersion: target.value })}
      />
      {end}
    </form>
  );
}
