import { Priority } from "@parley/sdk/enums";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Tag } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Conversation, parley, type Schemas } from "../../api/parley.js";
import { membersQuery } from "../../api/queries.js";
import { useKeys } from "../../keyboard/keys.js";
import { showConversation } from "../../live/update-query.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { IconButton } from "../../ui/button.js";
import { LabelChips } from "../../ui/label.js";
import { Ago } from "../../ui/time.js";
import { toast } from "../../ui/toasts.js";
import PickLabels from "../labels/pick-labels.js";
import { canAnswer } from "../steps/colleagues.js";
import { stepsOf } from "../steps/steps.js";
import { useSteps } from "../steps/use-steps.js";
import { Line } from "./section.js";

/** Who has the conversation, how urgent it is, where it stands, and its labels. */
export default function About({ conversation }: { conversation: Conversation }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const me = useMember();
  const { data: members } = useQuery(membersQuery());
  const { id, assigneeId, priority, status, labels, createdAt } = conversation;
  const { act } = useSteps(conversation);
  const to = stepsOf(conversation, me.id);
  const [isPicking, setPicking] = useState(false);
  const save = useMutation({
    mutationFn: (change: Schemas["UpdateConversation"]) => parley.conversations.update(id, change),
    onSuccess: (changed) => showConversation(client, conversation, changed),
    onError: (error) => toast(t("failure.notSaved", { reason: failureOf(error).sentence }), { failed: true }),
  });
  const prioritise = (wanted: Conversation["priority"]) => () => save.mutate({ priority: wanted });
  const mayChange = mayWrite(me);
  useKeys(mayChange ? Object.fromEntries(Priority.map((one) => [`priority-${one}`, prioritise(one)])) : {});
  const nameOf = (member: string): string =>
    member === me.id ? t("common.you") : (members?.get(member)?.name ?? t("common.somebody"));
  const choices = new Set([me.id, ...[...(members?.values() ?? [])].filter(canAnswer).map((one) => one.id)]);
  if (assigneeId !== null) choices.add(assigneeId);
  return (
    <>
      <Choice
        label={t("context.assignee")}
        value={assigneeId ?? ""}
        isFixed={!mayChange}
        options={[["", t("context.nobody")], ...[...choices].map((one) => [one, nameOf(one)] as const)]}
        onChoose={(chosen) => act(to.assign(chosen || null))}
      />
      <Choice
        label={t("context.priority")}
        value={priority}
        isFixed={!mayChange}
        options={Priority.map((one) => [one, t(`priority.${one}`)])}
        onChoose={(chosen) => prioritise(chosen as Conversation["priority"])()}
      />
      <Line label={t("context.status")}>{t(`status.${status}`)}</Line>
      <Line label={t("context.started")}>
        <Ago at={createdAt} inSentence />
      </Line>
      <div className="flex items-start gap-2">
        <span className="pt-1 text-muted">{t("context.labels")}</span>
        <span className="flex min-w-0 flex-1 flex-wrap justify-end gap-1 pt-0.5 *:max-w-full">
          <LabelChips names={labels} />
        </span>
        {mayChange && (
          <IconButton label={t("context.change")} className="-me-1 size-7" onClick={() => setPicking(true)}>
            <Tag size={14} />
          </IconButton>
        )}
      </div>
      {isPicking && (
        <PickLabels
          has={labels}
          onPick={(changes) => {
            setPicking(false);
            if (changes.add.length + changes.remove.length > 0) act(to.label(changes));
          }}
          onClose={() => setPicking(false)}
        />
      )}
    </>
  );
}

function Choice({
  label,
  value,
  options,
  isFixed,
  onChoose,
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, name: string])[];
  isFixed: boolean;
  onChoose: (value: string) => void;
}): ReactNode {
  return (
    <label className="flex items-center gap-2">
      <span className="flex-1 text-muted">{label}</span>
      <select
        value={value}
        disabled={isFixed}
        onChange={({ target }) => onChoose(target.value)}
        className="h-7 max-w-[60%] truncate rounded-md border border-edge bg-surface px-1"
      >
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
