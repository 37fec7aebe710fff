import { UnsupportedSentences, Wording } from "@parley/sdk/enums";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../../api/failure.js";
import { parley } from "../../../api/parley.js";
import { workspacesQuery } from "../../../api/queries.js";
import { Badge } from "../../../ui/badge.js";
import { Button } from "../../../ui/button.js";
import { Confirm } from "../../../ui/confirm.js";
import { DetailPage, DetailPending, Part } from "../../../ui/detail-page.js";
import { Field, Select } from "../../../ui/field.js";
import { Failed } from "../../../ui/states.js";
import { TextArea } from "../../../ui/text-area.js";
import { toast } from "../../../ui/toasts.js";
import { Facts } from "../../contacts/facts.js";
import { wordsOf } from "../channels/draft.js";
import { useEdits } from "../edits.js";
import { Guardrails } from "./guardrails.js";
import { Instructions } from "./instructions.js";
import { type Agent, agentChanged, agentQuery } from "./queries.js";
import { Rehearsals } from "./rehearsals.js";
import { WorkspacesOf } from "./workspaces-of.js";

/** One agent: where it works, what it may use and what it is told to do. */
export function AgentPage(): ReactNode {
  const { agentId = "" }: { agentId?: string } = useParams({ strict: false });
  return <One key={agentId} id={agentId} />;
}

function One({ id }: { id: string }): ReactNode {
  const { t } = useTranslation();
  const { data: agent, error, refetch } = useQuery(agentQuery(id));
  const back = { to: "/settings/agents", label: t("settings.section.agents") };
  if (!agent) return <DetailPending narrow id={id} back={back} query={{ error, refetch }} one={t("agents.one")} />;
  const isOurs = agent.kind === "custom";
  return (
    <DetailPage
      narrow
      id={id}
      back={back}
      title={agent.name}
      action={isOurs ? <Actions agent={agent} /> : <Badge>{t("agents.platform")}</Badge>}
    >
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      <div className="flex flex-col gap-10">
        {agent.pausedIn.length > 0 && <Stopped ids={agent.pausedIn} />}
        {!isOurs && <p className="text-muted">{t("agents.readOnly")}</p>}
        <Instructions agent={agent} />
        {isOurs ? <Details agent={agent} /> : <Shown agent={agent} />}
        {isOurs && <Guardrails agent={agent} />}
        {isOurs && <Remove agent={agent} />}
      </div>
    </DetailPage>
  );
}

function Actions({ agent }: { agent: Agent }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const isActive = agent.status === "active";
  const turn = useMutation({
    mutationFn: () => parley.agents.update(agent.id, { status: isActive ? "paused" : "active" }),
    onSuccess: (changed) => agentChanged(client, changed),
    onError: (failure) => toast(failureOf(failure).sentence, { failed: true }),
  });
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Badge look={isActive ? "ok" : "warn"}>{t(isActive ? "agents.active" : "agents.paused")}</Badge>
      <Button disabled={turn.isPending} onClick={() => turn.mutate()}>
        {t(isActive ? "agents.pause" : "agents.activate")}
      </Button>
    </div>
  );
}

/** Where a circuit breaker has paused it. */
function Stopped({ ids }: { ids: string[] }): ReactNode {
  const { t } = useTranslation();
  const { data: workspaces } = useQuery(workspacesQuery());
  const names = workspaces?.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  return (
    <p className="rounded-lg border border-note-line bg-note p-3 text-note-text">
      {t("agents.stoppedIn", { names: names?.join(", ") ?? "" })}
    </p>
  );
}

function Details({ agent }: { agent: Agent }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { name, role, tools, wording, unsupportedSentences } = agent;
  const { draft, edit, wrong, form, end } = useEdits({
    now: {
      name,
      role,
      tools: tools.join("\n"),
      workspaceIds: [...agent.workspaceIds].sort(),
      wording,
      unsupportedSentences,
    },
    fields: ["name", "role", "tools", "workspaceIds", "wording", "unsupportedSentences"],
    send: ({ tools: typed, ...rest }) =>
      parley.agents.update(agent.id, { ...rest, ...(typed !== undefined && { tools: wordsOf(typed) }) }),
    onSaved: (saved) => agentChanged(client, saved),
  });
  return (
    <Part title={t("agents.details")}>
      <form {...form} aria-label={t("agents.details")} className="flex flex-col gap-4">
        <Field
          label={t("agents.name")}
          value={draft.name}
          dir="auto"
          maxLength={100}
          autoComplete="off"
          error={wrong("name", t("setup.text", { max: 100 }))}
          onChange={({ target }) => edit({ name: target.value })}
        />
        <WorkspacesOf
          ids={draft.workspaceIds}
          error={wrong("workspaceIds", t("agents.workspacesWrong"))}
          onChange={(workspaceIds) => edit({ workspaceIds })}
        />
        <Field
          label={t("agents.role")}
          hint={t("agents.roleHint")}
          value={draft.role}
          maxLength={50}
          autoComplete="off"
          error={wrong("role", t("agents.roleWrong"))}
          onChange={({ target }) => edit({ role: target.value })}
        />
        <TextArea
          label={t("agents.tools")}
          hint={t("agents.toolsHint")}
          value={draft.tools}
          dir="ltr"
          autoComplete="off"
          error={wrong("tools")}
          onChange={({ target }) => edit({ tools: target.value })}
        />
        <Select
          label={t("agents.wording")}
          hint={t(`agents.wordingMeaning.${draft.wording}`)}
          value={draft.wording}
          onChange={({ target }) => edit({ wording: target.value as Agent["wording"] })}
        >
          {Wording.map((what) => (
            <option key={what} value={what}>
              {t(`agents.wordings.${what}`)}
            </option>
          ))}
        </Select>
        <Select
          label={t("agents.unsupported")}
          value={draft.unsupportedSentences}
          onChange={({ target }) => edit({ unsupportedSentences: target.value as Agent["unsupportedSentences"] })}
        >
          {UnsupportedSentences.map((what) => (
            <option key={what} value={what}>
              {t(`agents.unsupportedSentences.${what}`)}
            </option>
          ))}
        </Select>
        <Rehearsals
          agent={agent}
          draft={() => (draft.name ? { name: draft.name.trim(), tools: wordsOf(draft.tools) } : undefined)}
        />
        {end}
      </form>
    </Part>
  );
}

/** The same of an agent that cannot be changed. */
function Shown({ agent: { role, tools } }: { agent: Agent }): ReactNode {
  const { t } = useTranslation();
  return (
    <Part title={t("agents.details")}>
      <Facts
        facts={[
          [t("agents.role"), role],
          [t("agents.tools"), tools.join(", ")],
        ]}
      />
    </Part>
  );
}

function Remove({ agent: { id, name } }: { agent: Agent }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => parley.agents.delete(id),
    onSuccess: async () => {
      await navigate({ to: "/settings/agents", replace: true });
      client.removeQueries({ queryKey: ["agent", id] });
      void client.invalidateQueries({ queryKey: ["agents"] });
    },
    onError: (failure) => toast(failureOf(failure).sentence, { failed: true }),
  });
  return (
    <Part title={t("agents.delete")}>
      <Button look="danger" className="self-start" disabled={remove.isPending} onClick={() => setAsking(true)}>
        {t("agents.deleteButton")}
      </Button>
      <Confirm
        open={isAsking}
        title={t("agents.deleteTitle", { name })}
        verb={t("lists.remove")}
        danger
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          remove.mutate();
        }}
      >
        {t("agents.deleteExplain")}
      </Confirm>
    </Part>
  );
}
