import { GuardrailEffect, RequiredAssuranceLevel } from "@parley/sdk/enums";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { QUIET_MS } from "../../../api/paged.js";
import { parley, type Schemas } from "../../../api/parley.js";
import { Field, Select } from "../../../ui/field.js";
import { useFirstFocus } from "../../../ui/focus.js";
import { TextArea } from "../../../ui/text-area.js";
import { conditionInWords } from "../../knowledge/condition.js";
import { readJson } from "../../knowledge/form.js";
import { wordsOf } from "../channels/draft.js";
import { type ItemForm, NamedList } from "../named-list.js";
import { type Agent, agentChanged } from "./queries.js";
import { Rehearsals } from "./rehearsals.js";

type Guardrail = Schemas["Guardrail"];
type Level = Schemas["RequiredAssuranceLevel"];
const EXAMPLE = '{"field": "order.total", "op": "gt", "value": 100}';

/** Rules of one agent that hold some of its actions back. */
export function Guardrails({ agent }: { agent: Agent }): ReactNode {
  const { id, guardrails } = agent;
  const { t } = useTranslation();
  const client = useQueryClient();
  return (
    <NamedList<Guardrail, Guardrail>
      title={t("agents.guardrails")}
      explain={t("agents.guardrailsExplain")}
      add={t("agents.addGuardrail")}
      field="guardrails"
      fields={["name", "tools", "conditions"]}
      query={{
        queryKey: ["agent-guardrails", id],
        queryFn: async ({ signal }) => (await parley.agents.get(id, { signal })).guardrails,
        initialData: guardrails,
        staleTime: QUIET_MS,
      }}
      detail={({ effect, tools, conditions, requiredAssuranceLevel }) =>
        [
          t(`agents.effect.${effect}`),
          tools.join(", ") || t("agents.allTools"),
          requiredAssuranceLevel && t(`policy.levels.${requiredAssuranceLevel}`),
          conditions && conditionInWords(conditions, t),
        ]
          .filter(Boolean)
          .join("; ")
      }
      removeExplain={t("agents.removeGuardrail")}
      kept={(guardrail) => guardrail}
      replace={async (changed) => {
        const saved = await parley.agents.update(id, { guardrails: changed });
        agentChanged(client, saved);
        return saved.guardrails;
      }}
    >
      {(form) => <GuardrailForm {...form} agent={agent} />}
    </NamedList>
  );
}

function GuardrailForm({
  item,
  wrong,
  form,
  send,
  end,
  agent,
}: ItemForm<Guardrail, Guardrail> & { agent: Agent }): ReactNode {
  const { t } = useTranslation();
  const first = useFirstFocus<HTMLInputElement>(item === undefined);
  const [isNoJson, setNoJson] = useState(false);
  const [draft, setDraft] = useState({
    name: item?.name ?? "",
    effect: item?.effect ?? "require_approval",
    tools: item?.tools.join("\n") ?? "",
    level: item?.requiredAssuranceLevel ?? "",
    conditions: item?.conditions ? JSON.stringify(item.conditions, null, 2) : "",
  });
  const edit = (change: Partial<typeof draft>): void => setDraft({ ...draft, ...change });
  /** @returns undefined if its conditions are no JSON */
  const typed = (): Guardrail | undefined => {
    let faulty = false;
    const conditions = readJson(draft.conditions.trim(), () => (faulty = true)) ?? null;
    setNoJson(faulty);
    if (faulty) return undefined;
    return {
      name: draft.name.trim(),
      effect: draft.effect,
      tools: wordsOf(draft.tools),
      requiredAssuranceLevel: (draft.level || null) as Level | null,
      conditions,
    };
  };
  const submit = (): void => {
    const guardrail = typed();
    if (guardrail) send(guardrail);
  };
  /** All that the agent would have. */
  const rehearsed = (): Schemas["DraftAgent"] | undefined => {
    const guardrail = typed();
    const others = agent.guardrails.filter(({ name }) => name !== item?.name);
    return guardrail && { guardrails: [...others, guardrail] };
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="flex flex-col gap-4"
    >
      <Field
        ref={first}
        label={t("agents.name")}
        value={draft.name}
        dir="auto"
        maxLength={100}
        autoComplete="off"
        error={wrong("name") && t("setup.text", { max: 100 })}
        onChange={({ target }) => edit({ name: target.value })}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Select
          label={t("policy.effect")}
          value={draft.effect}
          onChange={({ target }) => edit({ effect: target.value as Guardrail["effect"] })}
        >
          {GuardrailEffect.map((effect) => (
            <option key={effect} value={effect}>
              {t(`agents.effect.${effect}`)}
            </option>
          ))}
        </Select>
        <Select label={t("policy.level")} value={draft.level} onChange={({ target }) => edit({ level: target.value })}>
          <option value="">{t("policy.levels.none")}</option>
          {RequiredAssuranceLevel.map((level) => (
            <option key={level} value={level}>
              {t(`policy.levels.${level}`)}
            </option>
          ))}
        </Select>
      </div>
      <TextArea
        label={t("agents.tools")}
        hint={t("agents.guardrailTools")}
        value={draft.tools}
        dir="ltr"
        autoComplete="off"
        error={wrong("tools")}
        onChange={({ target }) => edit({ tools: target.value })}
      />
      <TextArea
        label={t("policy.conditions")}
        hint={t("policy.conditionsHint", { example: EXAMPLE })}
        value={draft.conditions}
        dir="ltr"
        spellCheck={false}
        className="[&_textarea]:font-mono [&_textarea]:text-sm"
        error={isNoJson ? t("policy.notJson") : wrong("conditions")}
        onChange={({ target }) => edit({ conditions: target.value })}
      />
      <Rehearsals agent={agent} draft={rehearsed} />
      {end}
    </form>
  );
}
