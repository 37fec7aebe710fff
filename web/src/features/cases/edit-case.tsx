import { type CaseStatus, Priority } from "@parley/sdk/enums";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { membersQuery } from "../../api/queries.js";
import { localTime } from "../../ui/dates.js";
import { Alert, Field, Select } from "../../ui/field.js";
import { Save } from "../../ui/save.js";
import { toast } from "../../ui/toasts.js";
import { useTouched } from "../../ui/touched.js";
import { CaseFields, shown, valueOf } from "./case-fields.js";
import { type Case, caseChanged, type CaseType, nextStates } from "./queries.js";

const dueOf = (text: string): string | null => (text ? new Date(text).toISOString() : null);

const draftOf = ({ title, status, priority, assigneeId, dueAt }: Case) => ({
  title,
  status,
  priority,
  assignee: assigneeId ?? "",
  due: dueAt === null ? "" : localTime(dueAt),
});
type Draft = ReturnType<typeof draftOf>;
type Texts = Record<string, string>;

const textsOf = (one: Case, type: CaseType | null): Texts =>
  Object.fromEntries(type?.fields.map(({ key }) => [key, shown(one.fields[key])]) ?? []);

/** What a form changes. What nobody touched is not sent, so that a colleague's change of it stays. */
function changesOf(
  { title, assignee, due, ...rest }: Partial<Draft>,
  texts: Texts,
  type: CaseType | null,
): Schemas["UpdateCase"] {
  const fields = type?.fields.filter(({ key }) => texts[key] !== undefined) ?? [];
  return {
    ...rest,
    ...(title !== undefined && { title: title.trim() }),
    ...(assignee !== undefined && { assigneeId: assignee || null }),
    ...(due !== undefined && { dueAt: dueOf(due) }),
    ...(fields.length > 0 && {
      fields: Object.fromEntries(fields.map(({ key, type: kind }) => [key, valueOf(kind, texts[key]!)])),
    }),
  };
}

/** The form with what can be changed of a case. */
export function EditCase({ one, type }: { one: Case; type: CaseType | null }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: members } = useQuery(membersQuery());
  const own = useTouched(draftOf(one));
  const ofType = useTouched(textsOf(one, type));
  const { draft, edit } = own;
  const save = useMutation({
    mutationFn: ([sent, texts]: [Partial<Draft>, Partial<Texts>]) =>
      parley.cases.update(one.id, changesOf(sent, texts as Texts, type)),
    onSuccess: (changed, [sent, texts]) => {
      caseChanged(client, changed);
      own.saved(sent);
      ofType.saved(texts);
      toast(t("cases.saved"));
    },
  });
  const isEdited = own.isEdited || ofType.isEdited;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (isEdited && !save.isPending) save.mutate([own.changes, ofType.changes]);
  };
  // Observers and members for billing cannot be assigned.
  const assignable = [...(members?.values() ?? [])].filter(
    ({ id, role }) => id === one.assigneeId || role === "owner" || role === "admin" || role === "agent",
  );
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label={t("cases.title")}
        value={draft.title}
        // Of a case whose contact was erased, the title stays empty.
        required={one.title !== ""}
        readOnly={one.title === ""}
        maxLength={500}
        dir="auto"
        autoComplete="off"
        onChange={({ target }) => edit({ title: target.value })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={t("cases.statusLabel")}
          value={draft.status}
          onChange={({ target }) => edit({ status: target.value as CaseStatus })}
        >
          {nextStates(one.status).map((status) => (
            <option key={status} value={status}>
              {t(`cases.status.${status}`)}
            </option>
          ))}
        </Select>
        <Select
          label={t("cases.priority")}
          value={draft.priority}
          onChange={({ target }) => edit({ priority: target.value as Priority })}
        >
          {Priority.map((priority) => (
            <option key={priority} value={priority}>
              {t(`priority.${priority}`)}
            </option>
          ))}
        </Select>
        <Select
          label={t("cases.assignee")}
          value={draft.assignee}
          onChange={({ target }) => edit({ assignee: target.value })}
        >
          <option value="">{t("cases.nobody")}</option>
          {one.assigneeId !== null && !members && <option value={one.assigneeId}>{t("common.somebody")}</option>}
          {assignable.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <Field
          label={t("cases.due")}
          type="datetime-local"
          value={draft.due}
          onChange={({ target }) => edit({ due: target.value })}
        />
      </div>
      {type && <CaseFields type={type} typed={ofType.draft} onType={(key, text) => ofType.edit({ [key]: text })} />}
      {save.error && <Alert>{failureOf(save.error).sentence}</Alert>}
      <Save
        isEdited={isEdited}
        isSaving={save.isPending}
        onDiscard={() => {
          own.discard();
          ofType.discard();
          save.reset();
        }}
      />
    </form>
  );
}
