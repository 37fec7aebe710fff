import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { parley, type Schemas } from "../../../api/parley.js";
import { workspacesQuery } from "../../../api/queries.js";
import { Button } from "../../../ui/button.js";
import { Check } from "../../../ui/check.js";
import { Alert, Field } from "../../../ui/field.js";
import { useFirstFocus, useWrongFocus } from "../../../ui/focus.js";
import { Submit } from "../../../ui/submit.js";
import { TextArea } from "../../../ui/text-area.js";
import { otherRefusal, refusalOf } from "../edits.js";
import { type Agent, agentChanged } from "./queries.js";
import { WorkspacesOf } from "./workspaces-of.js";

/** The form for a new agent. Tools and the rest are on its page. */
export function CreateAgent({
  onCreated,
  onCancel,
}: {
  onCreated: (agent: Agent) => void;
  onCancel: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const first = useFirstFocus<HTMLInputElement>();
  const { data: workspaces } = useQuery(workspacesQuery());
  const [chosen, setChosen] = useState<string[]>();
  const workspaceIds = chosen ?? (workspaces?.length === 1 ? workspaces.map(({ id }) => id) : []);
  const create = useMutation({
    mutationFn: (body: Schemas["CreateAgent"]) => parley.agents.create(body),
    onSuccess: (agent) => {
      agentChanged(client, agent);
      onCreated(agent);
    },
  });
  const form = useWrongFocus(create.error);
  const other = otherRefusal(create.error, ["name", "instructions", "workspaceIds"]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    create.mutate({
      name: typed.get("name") as string,
      instructions: typed.get("instructions") as string,
      workspaceIds,
      status: typed.has("active") ? "active" : "paused",
    });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field
        ref={first}
        label={t("agents.name")}
        name="name"
        dir="auto"
        maxLength={100}
        autoComplete="off"
        error={refusalOf(create.error, "name") && t("setup.text", { max: 100 })}
      />
      <WorkspacesOf
        ids={workspaceIds}
        error={refusalOf(create.error, "workspaceIds") && t("agents.workspacesWrong")}
        onChange={setChosen}
      />
      <TextArea
        label={t("agents.instructions")}
        hint={t("agents.instructionsHint")}
        name="instructions"
        dir="auto"
        rows={8}
        error={refusalOf(create.error, "instructions") && t("setup.text", { max: 50_000 })}
      />
      <Check label={t("agents.startActive")} hint={t("agents.startActiveHint")} name="active" defaultChecked />
      {other !== undefined && <Alert>{other}</Alert>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
        <Submit isBusy={create.isPending}>{t("agents.create")}</Submit>
      </div>
    </form>
  );
}
